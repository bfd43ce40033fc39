import RationModel
import RationWire
import Testing

@Suite("Feedback as phones and senders tell it")
struct IntentFeedbackTests {
    private static let action = Line.feedback.with(["outcome": #""action""#])

    @Test("What it tells is read: outcome, action, why it failed, how much was typed")
    func fields() throws {
        let lines = [
            Line.feedback.text, Self.action.with(["action": #""reply""#, "textLength": "12"]).text,
            Line.feedback.with(["outcome": #""failed""#, "reason": #""Unregistered""#]).text,
            Line.feedback.with(["outcome": #""dismissed""#]).text,
            Line.feedback.with(["outcome": #""delivered""#]).text,
        ]
        let read = try batch(lines.joined(separator: "\n").utf8).batch
        #expect(read.rejections.isEmpty)
        #expect(read.intents.map(\.detail) == [0, 1, 2, 3, 4])
        #expect(read.feedback.map(\.kind) == [.opened, .action, .failed, .dismissed, .delivered])
        #expect(read.feedback.map { read.bytes.text($0.action) } == ["", "reply", "", "", ""])
        #expect(read.feedback.map { read.bytes.text($0.failure) } == ["", "", "Unregistered", "", ""])
        #expect(read.feedback.map(\.textLength) == [-1, 12, -1, -1, -1])
    }

    @Test("The typed text's length is a whole number up to its limit, and only an action has one")
    func textLength() throws {
        for length in ["0", "1000000", "5.0"] {
            #expect(try refusal(Self.action.with(["textLength": length]).text) == nil)
        }
        for length in ["-1", "1000001", "0.5", #""5""#, "true"] {
            #expect(try refusal(Self.action.with(["textLength": length]).text) == "intent.malformed textLength")
        }
        #expect(try refusal(Line.feedback.with(["textLength": "5"]).text) == "intent.malformed textLength")
    }

    @Test("An action's identifier has at most 256 bytes")
    func action() throws {
        func line(_ count: Int) -> String {
            Self.action.with(["action": "\"\(String(repeating: "a", count: count))\""]).text
        }
        #expect(try refusal(line(256)) == nil)
        #expect(try refusal(line(257)) == "intent.malformed action")
    }

    @Test("A line that is refused leaves nothing of its feedback in the batch")
    func refused() throws {
        let lines = [Line.feedback.with(["device": #""a/b""#]).text, Line.feedback.text]
        let read = try batch(lines.joined(separator: "\n").utf8).batch
        #expect(read.feedback.count == 1 && read.intents.map(\.operation) == [.rejected, .feedback])
        #expect(read.intents[1].detail == 0)
    }

    @Test("Words exist for every outcome, and no plan is made of them")
    func kinds() {
        #expect(
            EventKind.feedback.map { "\($0.name)" } == ["delivered", "opened", "dismissed", "action", "failed"])
        #expect(EventKind.planned + EventKind.feedback == EventKind.allCases)
    }
}
