/// A message that is not the protocol, and the error that it gets.
struct HostileMessage {
    let description: String
    let frames: [String]
    /// On the queries endpoint, not on intents.
    let isQuery: Bool
    let error: String

    private static func intent(_ description: String, _ frames: [String], _ error: String) -> HostileMessage {
        HostileMessage(description: description, frames: frames, isQuery: false, error: error)
    }

    private static func query(_ description: String, _ frames: [String], _ error: String) -> HostileMessage {
        HostileMessage(description: description, frames: frames, isQuery: true, error: error)
    }

    private static let line = IntentLine.of("remove")
    private static let manyFrames = Array(repeating: "", count: 10_000)

    /// A `publish` with a number, as it is written.
    private static func numbered(_ description: String, _ number: String) -> HostileMessage {
        intent("a number \(description)", ["ration/1 publish", "p", number, line], "malformed")
    }

    static let all = versions + names + frameCounts + numbers + publishers + bodies

    private static let versions = [
        intent("a version that does not exist", ["ration/2 publish", "", "1", line], "version"),
        query("a version that does not exist", ["ration/2 status", "1", "{}"], "version"),
        intent("a version without a number", ["ration/", "", "1", line], "version"),
        intent("a version with more digits", ["ration/11 publish", "", "1", line], "version"),
    ]

    private static let names = [
        intent("no name", ["ration/1 ", "1", line], "unknown"),
        intent("an unknown name", ["ration/1 dance", "1", line], "unknown"),
        query("an unknown name", ["ration/1 dance", "1", line], "unknown"),
        intent("a name of 100,000 bytes", ["ration/1 " + String(repeating: "n", count: 100_000), "1", ""], "unknown"),
        intent("read on intents", ["ration/1 read", "1", "{}"], "unknown"),
        query("publish on queries", ["ration/1 publish", "", "1", line], "unknown"),
    ]

    private static let frameCounts = [
        intent("nothing after the name", ["ration/1 publish"], "malformed"),
        query("nothing after the name", ["ration/1 read"], "malformed"),
        intent("a frame too few", ["ration/1 publish", "", "1"], "malformed"),
        intent("a frame too many", ["ration/1 publish", "", "1", line, ""], "malformed"),
        query("a frame too many", ["ration/1 plan", "1", "{}", ""], "malformed"),
        intent("a request after no envelope", ["hello", "", "world"], "malformed"),
        intent("an envelope without an end", ["a", "b", "c"], "malformed"),
        intent("only an envelope", ["a", ""], "malformed"),
        intent("10,000 empty frames", manyFrames, "malformed"),
        query("10,000 empty frames", manyFrames, "malformed"),
        intent("10,000 frames of a request", ["ration/1 publish"] + manyFrames, "malformed"),
    ]

    private static let numbers = [
        numbered("that is empty", ""),
        numbered("with letters", "1a"),
        numbered("below 0", "-1"),
        numbered("of 20 digits", "10000000000000000000"),
        numbered("beyond 2^63", "9999999999999999999"),
        intent(
            "a number of a megabyte", ["ration/1 hello", String(repeating: "1", count: 1 << 20), "{}"], "malformed"),
    ]

    private static let publishers = [
        intent(
            "a publisher of 65 bytes", ["ration/1 publish", String(repeating: "p", count: 65), "1", line], "malformed"),
        intent("a publisher with a control character", ["ration/1 publish", "p\u{7}", "1", line], "malformed"),
    ]

    private static let bodies = [
        intent("a body that is no JSON", ["ration/1 hello", "1", "{"], "malformed"),
        query("a body that is no JSON", ["ration/1 read", "1", "\u{0}"], "malformed"),
        query("a body that is no object", ["ration/1 plan", "1", "[]"], "malformed"),
        query("an unknown field", ["ration/1 read", "1", #"{"afer":1}"#], "malformed"),
        query("a negative position", ["ration/1 read", "1", #"{"after":-1}"#], "malformed"),
        query("a page too large", ["ration/1 read", "1", #"{"most":1000000}"#], "malformed"),
        intent(
            "3 MiB, more than a request", ["ration/1 publish", "", "1", String(repeating: "x", count: 3 << 20)],
            "tooLarge"),
    ]
}
