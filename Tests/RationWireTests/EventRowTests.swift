import RationModel
import RationWire
import TestSupport
import Testing

@Suite("A batch's events in a row of the log")
struct EventRowTests {
    @Test("Generated batches come back as they were, with runs of one recipient and `due` with content")
    func generated() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let names = ["a", "com.example.habits", String(repeating: "a", count: 128)]
        let devices = ["d", "d1", "日本", String(repeating: "d", count: 128)]
        for _ in 0..<200 {
            var records: [EventRecord] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let app = names.randomElement(using: &random) ?? ""
                let device = devices.randomElement(using: &random) ?? ""
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    records.append(.random(app: app, device: device, using: &random))
                }
            }
            records = records.filter { !$0.kind.isFeedback } + records.filter(\.kind.isFeedback)
            let first = UInt64.random(in: 1 ... .max / 2, using: &random)
            for index in records.indices { records[index].sequence = first + UInt64(index) }
            let read = entries(records, sequence: first, EventRecord.init)
            try #require(read == records, "seed \(seed)")
        }
    }

    @Test("Every entry has its batch's number and instant")
    func header() {
        let now = Instant(milliseconds: -5)
        let found = entries([EventRecord(.due), EventRecord(.accepted)], sequence: 7, batch: .max, now: now) {
            [$0.sequence, $0.batch, UInt64(bitPattern: $0.time.milliseconds)]
        }
        #expect(found == [[7, .max, .max - 4], [8, .max, .max - 4]])
    }

    @Test("A batch without events is a row without entries")
    func empty() {
        #expect(entries([], EventRecord.init) == [])
    }

    @Test("Names at their limits fit")
    func longest() {
        var record = EventRecord(.due)
        (record.app, record.device) = (String(repeating: "a", count: 128), String(repeating: "d", count: 128))
        (record.id, record.type) = (String(repeating: "i", count: 256), String(repeating: "t", count: 64))
        record.content = String(repeating: "c", count: 70_000)
        record.sequence = 1
        #expect(entries([record], EventRecord.init) == [record])
    }

    @Test("Feedback at its limits fits")
    func longestFeedback() {
        var record = EventRecord(.action)
        (record.app, record.device) = (String(repeating: "a", count: 128), String(repeating: "d", count: 128))
        (record.id, record.action) = (String(repeating: "i", count: 256), String(repeating: "x", count: 256))
        (record.failure, record.textLength) = (String(repeating: "r", count: 64), Int32(Limits.feedbackTextLength))
        record.sequence = 1
        #expect(entries([record], EventRecord.init) == [record])
    }

    @Test("A recipient is written once for the events that follow each other")
    func shared() {
        func size(_ devices: [String]) -> Int {
            let records = devices.map { device in
                var record = EventRecord(.accepted)
                record.device = device
                return record
            }
            return EventRow.pack(buffer(records), firstSequence: 1, batch: 1, now: Instant(milliseconds: 0)).count
        }
        let names = "com.example.habits".utf8.count + 2
        #expect(size(["d1", "d2", "d1"]) == size(["d1", "d1", "d1"]) + 2 * names)
    }

    @Test("The row is what its description says, byte for byte")
    func bytes() {
        var record = EventRecord(.due)
        (record.app, record.device, record.id, record.type, record.content) = ("a", "d", "i", "t", "{}")
        (record.priority, record.isFinal, record.delivery, record.reason) = (3, true, .local, .slots)
        record.fireDate = Instant(milliseconds: 0x0102)
        record.requestedDate = Instant(milliseconds: -1)
        record.validUntil = Instant(milliseconds: 5)
        let row = EventRow.pack(buffer([record]), firstSequence: 9, batch: 8, now: Instant(milliseconds: 7))
        let header: [UInt8] = [9, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        let fixed: [UInt8] = [52, 0, 0, 0, 0, 0, 6, 15, 3, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0]
        let dates: [UInt8] = [255, 255, 255, 255, 255, 255, 255, 255, 5, 0, 0, 0, 0, 0, 0, 0]
        let lengths: [UInt8] = [1, 1, 1, 0, 1, 0, 2, 0, 0, 0]
        #expect(row == header + fixed + dates + lengths + Array("adit{}".utf8))
    }

    @Test("Feedback is in the row what its description says, byte for byte")
    func feedbackBytes() {
        var record = EventRecord(.action)
        (record.app, record.device, record.id) = ("a", "d", "i")
        (record.action, record.failure, record.textLength) = ("xy", "r", 3)
        let row = EventRow.pack(buffer([record]), firstSequence: 9, batch: 8, now: Instant(milliseconds: 7))
        let fixed: [UInt8] = [26, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 1, 1, 1, 0, 1, 0, 2, 0]
        #expect(Array(row.dropFirst(28)) == fixed + Array("adirxy".utf8))
    }

    @Test("Erasing a recipient takes its names and actions out of feedback, and leaves that of others")
    func erasedFeedback() throws {
        var records = ["d1", "d2"].map { device in
            var record = EventRecord(.action)
            (record.device, record.id, record.action, record.textLength) = (device, "n-\(device)", "reply", 7)
            return record
        }
        var row = EventRow.pack(buffer(records), firstSequence: 1, batch: 1, now: Instant(milliseconds: 0))
        #expect(EventRow.erase(app: Array("com.example.habits".utf8), device: Array("d1".utf8), in: &row) == 1)
        (records[0].device, records[0].id, records[0].action) = ("**", "****", "*****")
        (records[0].sequence, records[1].sequence) = (1, 2)
        let read = row.withUnsafeBytes { bytes in
            var reader = EventRow.Reader(bytes)
            return (0..<2).compactMap { _ in reader.next().map(EventRecord.init) }
        }
        #expect(read == records)
    }
}
