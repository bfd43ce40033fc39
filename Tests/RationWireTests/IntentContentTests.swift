import Foundation
import RationModel
import TestSupport
import Testing

@Suite("Content in intents")
struct IntentContentTests {
    @Test(
        "What is right, at the ends of each rule",
        arguments: [
            ["title": #""""#, "body": #""b""#], ["title": nil, "subtitle": #""s""#], ["title": nil, "badge": "0"],
            ["title": nil, "sound": #""default""#], ["badge": "9223372036854775807"], ["badge": "1e3"],
            ["badge": "0.0"],
            ["relevanceScore": "0"], ["relevanceScore": "1"], ["relevanceScore": "1.0"], ["relevanceScore": "0.5"],
            ["sound": #"{"name":"a"}"#], ["sound": #"{"name":"a","critical":true,"volume":1}"#],
            ["sound": #"{"name":"a","critical":null,"volume":0}"#], ["interruptionLevel": #""passive""#],
            ["interruptionLevel": #""critical""#], ["userInfo": "{}"], ["userInfo": #"{"a":{"aps":1},"APS":2,"ap":3}"#],
            ["category": #""""#, "threadId": #""""#], ["badge": "null", "sound": "null", "userInfo": "null"],
        ] as [[String: String?]])
    func right(members: [String: String?]) throws {
        #expect(try refusal(Line.schedule.withContent(members).text) == nil)
    }

    @Test(
        "What is refused",
        arguments: [
            (["title": #""""#], "content.empty content"),
            (["title": nil, "category": #""c""#], "content.empty content"),
            (["title": "null", "userInfo": #"{"a":1}"#, "badge": "null"], "content.empty content"),
            (["badge": "-1"], "content.badge content.badge"), (["badge": "1.5"], "content.badge content.badge"),
            (["badge": #""1""#], "content.badge content.badge"),
            (["badge": "9223372036854775808.0"], "content.badge content.badge"),
            (["relevanceScore": "-0.001"], "content.relevanceScore content.relevanceScore"),
            (["relevanceScore": "1.001"], "content.relevanceScore content.relevanceScore"),
            (["relevanceScore": "true"], "content.relevanceScore content.relevanceScore"),
            (["sound": #""""#], "content.sound content.sound"), (["sound": "1"], "content.sound content.sound"),
            (["sound": "{}"], "content.sound content.sound"),
            (["sound": #"{"critical":true}"#], "content.sound content.sound"),
            (["sound": #"{"name":""}"#], "content.sound content.sound"),
            (["sound": #"{"name":5}"#], "content.sound content.sound"),
            (["sound": #"{"name":"a","critical":1}"#], "content.sound content.sound.critical"),
            (["sound": #"{"name":"a","volume":1.1}"#], "content.sound content.sound.volume"),
            (["sound": #"{"name":"a","volume":-0.1}"#], "content.sound content.sound.volume"),
            (["sound": #"{"name":"a","volume":"1"}"#], "content.sound content.sound.volume"),
            (["sound": #"{"name":"a","loud":true}"#], "content.sound content.sound.loud"),
            (["interruptionLevel": #""Active""#], "content.interruptionLevel content.interruptionLevel"),
            (["interruptionLevel": #""time-sensitive""#], "content.interruptionLevel content.interruptionLevel"),
            (["interruptionLevel": "1"], "content.interruptionLevel content.interruptionLevel"),
            (["userInfo": "[]"], "content.userInfo content.userInfo"),
            (["userInfo": #""a""#], "content.userInfo content.userInfo"),
            (["userInfo": #"{"aps":null}"#], "content.userInfo content.userInfo"),
            (["userInfo": #"{"\u0061ps":{}}"#], "content.userInfo content.userInfo"),
            (["title": "1"], "intent.malformed content.title"),
            (["subtitle": "[]"], "intent.malformed content.subtitle"),
            (["body": "{}"], "intent.malformed content.body"),
            (["category": "true"], "intent.malformed content.category"),
            (["threadId": "5"], "intent.malformed content.threadId"),
            (["Title": "null"], "intent.malformed content.Title"),
            (["launchImage": #""x""#], "intent.malformed content.launchImage"),
        ] as [([String: String?], String)])
    func refused(members: [String: String?], expected: String) throws {
        #expect(try refusal(Line.schedule.withContent(members).text) == expected)
    }

    @Test("A thread's name has at most 64 bytes")
    func threadId() throws {
        let longest = String(repeating: "é", count: 32)
        #expect(try refusal(Line.schedule.withContent(["threadId": "\"\(longest)\""]).text) == nil)
        let expected = "content.threadId content.threadId"
        #expect(try refusal(Line.schedule.withContent(["threadId": "\"\(longest)a\""]).text) == expected)
    }

    @Test("The level is read for the planner too")
    func levels() throws {
        for level in InterruptionLevel.allCases {
            let line = Line.schedule.withContent(["interruptionLevel": "\"\(level.name)\""])
            #expect(try batch(line.text).intents.first?.level == level)
        }
        #expect(try batch(Line.schedule.text).intents.first?.level == .active)
    }

    @Test("A payload of 4,096 bytes is read, one more is refused, whatever it is made of, as Foundation counts them")
    func payload() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let content = PayloadModel.random(using: &random)
            let missing = 4096 - (try content.payloadBytes())
            for extra in [0, 1] {
                let filled = content.filled(by: missing + extra)
                let found = try refusal(Line.schedule.withContent(["title": nil]).with(["content": filled.json()]).text)
                #expect(found == (extra == 0 ? nil : "content.tooLarge content"), "seed \(seed): \(filled)")
            }
        }
    }

    @Test("The message says the limit and the size")
    func message() throws {
        let content = PayloadModel(members: ["title": "x"])
        let filled = content.filled(by: 4097 - (try content.payloadBytes()))
        let batch = try batch(Line.schedule.with(["content": filled.json()]).text)
        #expect(batch.rejections.first?.message == "expected an APNs payload of at most 4096 bytes, found 4097")
    }
}

/// Content and the APNs payload that it makes, both written by Foundation.
struct PayloadModel {
    var members: [String: Any]

    /// Values that Foundation writes with as few bytes as the contract.
    static func random(using random: inout SplitMix64) -> PayloadModel {
        let texts = [
            "Water", "é", "日本", "😀", "a\"b\\c", "/", "\n\t\r", "\u{8}\u{C}", "\u{1}\u{1F}", "\u{7F}\u{80}", "\u{2028}",
        ]
        var members: [String: Any] = [:]
        for name in ["title", "subtitle", "body", "category", "threadId"] where Bool.random(using: &random) {
            members[name] = texts.randomElement(using: &random)
        }
        if Bool.random(using: &random) { members["badge"] = Int.random(in: 0...1 << 40, using: &random) }
        if Bool.random(using: &random) { members["relevanceScore"] = [0.5, 0.25, 1].randomElement(using: &random) }
        members["sound"] =
            ["default", ["name": "a\"", "critical": true, "volume": 0.5], ["name": "b", "critical": false]]
            .randomElement(using: &random)
        members["interruptionLevel"] = ["passive", "active", "timeSensitive", "critical"].randomElement(using: &random)
        let keys = ["k", "é\"", ""].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        let values: [Any] = [1, -2.5, true, NSNull(), texts, ["z": [1, [2]], "a": [String: Any]()] as [String: Any]]
        let pairs = keys.map { ($0, values.randomElement(using: &random) ?? 0) }
        if Bool.random(using: &random) { members["userInfo"] = Dictionary(uniqueKeysWithValues: pairs) }
        return PayloadModel(members: members)
    }

    /// The content with so many bytes more of body.
    func filled(by count: Int) -> PayloadModel {
        var filled = self
        let isFirst = members["title"] == nil && members["subtitle"] == nil && members["body"] == nil
        // `"alert":{"body":""},` or `,"body":""` come with the first byte.
        let frame = isFirst ? 20 : members["body"] == nil ? 10 : 0
        let body = (members["body"] as? String ?? "") + String(repeating: "b", count: count - frame)
        filled.members["body"] = body
        return filled
    }

    func json() throws -> String { try Self.write(members) }

    func payloadBytes() throws -> Int { try Self.write(payload).utf8.count }

    private var payload: [String: Any] {
        var aps: [String: Any] = [:]
        let alert = members.filter { ["title", "subtitle", "body"].contains($0.key) }
        if !alert.isEmpty { aps["alert"] = alert }
        aps["badge"] = members["badge"]
        aps["category"] = members["category"]
        aps["thread-id"] = members["threadId"]
        aps["relevance-score"] = members["relevanceScore"]
        aps["sound"] = members["sound"]
        if var sound = members["sound"] as? [String: Any] {
            sound["critical"] = sound["critical"] as? Bool == true ? 1 : nil
            aps["sound"] = sound
        }
        let level = members["interruptionLevel"] as? String
        if level != "active" { aps["interruption-level"] = level == "timeSensitive" ? "time-sensitive" : level }
        var payload = members["userInfo"] as? [String: Any] ?? [:]
        payload["aps"] = aps
        return payload
    }

    private static func write(_ value: [String: Any]) throws -> String {
        String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: .withoutEscapingSlashes), as: UTF8.self
        )
    }
}
