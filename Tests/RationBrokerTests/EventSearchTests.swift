import RationModel
import RationStore
import RationWire
import Testing

@testable import RationBroker

@Suite("Searching the log for one notification")
struct EventSearchTests {
    private let start = Instant(milliseconds: 1_796_000_000_000)

    /// Commits batches of one event each, about these ids of the device `d`.
    private func commit(_ ids: [String], device: String = "d", to store: MemoryStore) throws {
        for id in ids {
            var buffer = EventBuffer()
            buffer.recipients = [.init(app: buffer.bytes.append("app"), device: buffer.bytes.append(device))]
            var event = Event(kind: .queued)
            (event.fireDate, event.requestedDate) = (start, start)
            (event.id, event.type) = (buffer.bytes.append(id), buffer.bytes.append("t"))
            buffer.events = [event]
            let (batch, sequence) = (store.lastBatch + 1, store.range.last + 1)
            let row = EventRow.pack(buffer, firstSequence: sequence, batch: batch, now: start)
            try store.commit(
                Commit(batch: batch, now: start, firstSequence: sequence, eventCount: 1, events: row, answers: []))
        }
    }

    private func search(_ id: String, upTo sequence: UInt64? = nil, in store: MemoryStore) -> EventSearch {
        let request = ExplainRequest(
            app: "app", device: "d", id: id, address: ReplyAddress(frames: []), numberFrame: [])
        return EventSearch(request, upTo: sequence ?? store.range.last, in: store)
    }

    private func run(_ search: EventSearch) throws -> [UInt64] {
        var search = search
        while !search.isDone { try search.advance() }
        return search.found.map(\.sequence)
    }

    @Test("it finds the events of that id and device, oldest first, none after the position it was given")
    func finds() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        try commit(["n", "other", "n"], to: store)
        try commit(["n"], device: "e", to: store)
        try commit(["n", "n2"], to: store)
        #expect(try run(search("n", in: store)) == [1, 3, 5])
        #expect(try run(search("n", upTo: 4, in: store)) == [1, 3])
        #expect(try run(search("nobody", in: store)) == [])
        #expect(try run(search("n", in: MemoryStore(log: "log", retentionBytes: 1))) == [])
    }

    @Test("of more than twenty it finds the newest, and looks no further back")
    func newest() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 24)
        try commit(Array(repeating: "other", count: 9_000), to: store)
        try commit(Array(repeating: "n", count: 30), to: store)
        #expect(try run(search("n", in: store)) == Array(9_011...9_030))
        #expect(try run(search("other", in: store)) == Array(8_981...9_000))
        var search = search("n", in: store)
        try search.advance()
        #expect(search.isDone)
    }

    @Test("what lies far back is found, in slices; what the log has let go meanwhile is not")
    func retention() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 24)
        try commit(["n"], to: store)
        try commit(Array(repeating: "other", count: 9_000), to: store)
        var search = search("n", in: store)
        try search.advance()
        #expect(!search.isDone)
        #expect(try run(search) == [1])
        let small = MemoryStore(log: "log", retentionBytes: 10_000)
        try commit(["n"], to: small)
        let before = self.search("n", in: small)
        try commit(Array(repeating: "other", count: 1_000), to: small)
        #expect(small.range.first > 1)
        #expect(try run(before) == [])
        #expect(try run(self.search("n", in: small)) == [])
    }
}
