import RationModel
import RationWire
import Testing

@Suite("Bodies of requests: a line an intent")
struct IntentBodyTests {
    @Test(
        "Lines end with a line feed; the last may do without",
        arguments: [
            ("", 0), ("\n", 1), ("\n\n", 2), ("R", 1), ("R\n", 1), ("R\nR", 2), ("R\n\nR\n", 3), ("\nR", 2),
            ("R\r\nR\r\n", 2),
        ])
    func lines(pattern: String, count: Int) throws {
        let body = pattern.replacing("R", with: Line.remove.text)
        let (batch, lines) = try batch(Array(body.utf8))
        #expect(lines == count && batch.intents.count == count)
        #expect(batch.intents.count { $0.operation == .remove } == pattern.utf8.count { $0 == UInt8(ascii: "R") })
    }

    @Test("A blank line is a line that is rejected, spaces or not")
    func blank() throws {
        for line in ["\n", " \n", "\r\n", "\t \n"] { #expect(try refusal(line) == "json ") }
    }

    @Test("A broken line hides no other, and takes no place among what is read")
    func broken() throws {
        let good = Line.cancel.with(["id": #""n""#]).text
        let unfinished = #"{"op":"schedule","app":"a"#
        let batch = try batch(
            [unfinished, good, "}", good, Line.schedule.with(["id": "1"]).text, good].joined(separator: "\n"))
        #expect(batch.intents.map(\.operation) == [.rejected, .cancelID, .rejected, .cancelID, .rejected, .cancelID])
        #expect(batch.rejections.map(\.code) == [.json, .json, .malformed])
    }

    @Test("White space inside a line is JSON's; a line feed is not inside a line")
    func spaces() throws {
        #expect(try refusal(" \t" + Line.remove.text.replacing(":", with: " :\t") + " \r") == nil)
        #expect(
            try batch(Line.remove.text.replacing(",", with: ",\n")).rejections.map(\.code) == [.json, .json, .json])
    }

    @Test("4,096 lines are read, one more is refused as a whole")
    func mostLines() throws {
        let body = Array(repeating: Line.remove.text, count: 4096).joined(separator: "\n")
        #expect(try batch(body).intents.count == 4096)
        #expect(try batch(body + "\n").intents.count == 4096)
        for more in ["\n\n", "\n{", "\n" + Line.remove.text] {
            #expect(throws: RequestFault.self) { try batch(body + more) }
        }
    }

    @Test("2 MiB are read, one byte more is refused as a whole")
    func mostBytes() throws {
        let limit = 2 * 1024 * 1024
        let body = Array(Line.remove.text.utf8)
        #expect(try batch(body + [UInt8](repeating: 0x20, count: limit - body.count)).batch.rejections == [])
        let fault = #expect(throws: RequestFault.self) {
            try batch(body + [UInt8](repeating: 0x20, count: limit + 1 - body.count))
        }
        #expect(fault?.code == .tooLarge)
    }

    @Test("What is refused as a whole leaves the batch as it was")
    func untouched() throws {
        var reader = IntentReader(zones: EveryZone())
        var batch = IntentBatch()
        let first = [Line.schedule.text, Line.device.text, "{"].joined(separator: "\n")
        func read(_ text: String) throws -> Int {
            try Array(text.utf8).withUnsafeBytes { try reader.read($0, isPadded: false, into: &batch) }
        }
        #expect(try read(first) == 3)
        let before = description(batch)
        let many = Array(repeating: first, count: 1366).joined(separator: "\n")
        #expect(throws: RequestFault.self) { try read(many) }
        #expect(description(batch) == before)
        #expect(try read(first) == 3)
        #expect(batch.intents.map(\.detail) == [-1, 0, 0, -1, 1, 1])
    }

    @Test("A field of one line is not seen in the next")
    func leftovers() throws {
        let named = Line.schedule.with(["type": #""habit""#, "expires": "1", "overdue": #""deliver""#])
        let batch = try batch(
            [named, .schedule, .schedule.with(["id": nil]), .remove].map(\.text).joined(separator: "\n"))
        #expect(
            batch.intents[1].type.isEmpty && batch.intents[1].expires == .distantFuture
                && batch.intents[1].overdue == .drop)
        #expect(batch.rejections.map(\.field) == ["id"])
        #expect(batch.intents[3].operation == .remove)
    }
}
