import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Synchronization
import Testing

@testable import RationBroker

@Suite struct DeciderTests {
    private let start = Instant(milliseconds: 1_796_000_000_000)

    private func decider(_ store: any Store) -> Decider {
        Decider(
            policy: CompiledPolicy(Policy(), order: SoonestOrder(), rules: []), zones: EveryZone(), seed: 1,
            store: store)
    }

    private func line(_ id: String, _ trigger: String = #"{"after":60}"#) -> String {
        #"{"op":"schedule","app":"app","device":"d","id":"\#(id)","content":{"title":"t"},"trigger":\#(trigger)}"#
    }

    private func take(
        _ decider: inout Decider, _ body: String, number: UInt64, of publisher: PublisherName = "p",
        at clock: Instant? = nil
    ) -> Answer? {
        Array(body.utf8).withUnsafeBytes {
            decider.take(
                $0, number: number, of: publisher, numberFrame: Array("\(number)".utf8),
                from: ReplyAddress(frames: [[1]]), clock: clock ?? start)
        }
    }

    private func text(_ answer: Answer?) -> String {
        answer.map { String(decoding: $0.bodies.joined(), as: UTF8.self) } ?? "none"
    }

    @Test("nothing is told before its commit, and nothing at all when the store fails")
    func failingStore() {
        let store = RecordingStore(failsAt: 2)
        var decider = decider(store)
        #expect(take(&decider, line("a"), number: 1) == nil)
        let first = Result { try decider.decideAndCommit(clock: start, wakeLimit: 1) }
        #expect((try? first.get())?.answers.count == 1)
        #expect(take(&decider, line("b"), number: 2) == nil)
        let second = Result { try decider.decideAndCommit(clock: start, wakeLimit: 1) }
        #expect(throws: RecordingStore.Failed.self) { try second.get() }
        #expect(store.committed == [1])
    }

    @Test("without room nothing is taken, with a name or without; what was decided before is still answered")
    func full() throws {
        let store = RecordingStore(failsAt: .max)
        var decider = decider(store)
        #expect(take(&decider, line("a"), number: 1) == nil)
        let first = try decider.decideAndCommit(clock: start, wakeLimit: 1).answers.first
        store.isFull.withLock { $0 = true }
        #expect(text(take(&decider, line("b"), number: 2)).contains(#""full""#))
        #expect(text(take(&decider, line("b"), number: 0, of: "")).contains(#""full""#))
        #expect(text(take(&decider, line("a"), number: 1)) == text(first))
    }

    @Test("a number that comes twice in one batch is applied once and gets one acknowledgement twice")
    func twiceInABatch() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        #expect(take(&decider, line("a"), number: 1) == nil)
        #expect(take(&decider, line("a"), number: 1) == nil)
        #expect(take(&decider, line("b"), number: 1) == nil)
        let outcome = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        let answers = outcome.answers.map { text($0) }
        #expect(answers.count == 3)
        #expect(answers[0] == answers[1])
        #expect(answers[2].contains("numberReused"))
        #expect(store.range.last == 1)
    }

    @Test("while a batch is under way to the store, numbers go on behind it, and its own come again get its answer")
    func pipeline() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        #expect(take(&decider, line("a"), number: 1) == nil)
        let first = decider.decide(clock: start, wakeLimit: 1)
        #expect(take(&decider, line("a"), number: 1) == nil)
        #expect(take(&decider, line("b"), number: 2) == nil)
        // A batch without requests leaves those that were taken to the next.
        let between = decider.records(clock: start)
        #expect(between.commit?.intents.isEmpty == true)
        #expect(take(&decider, line("c"), number: 3) == nil)
        #expect(text(take(&decider, line("x"), number: 5)).contains(#""expected":4"#))
        let second = decider.decide(clock: start, wakeLimit: 1)
        #expect(second.commit?.answers.map(\.number) == [2, 3])
        #expect(try decider.commit(first).answers.count == 1)
        #expect(try decider.commit(between).answers.isEmpty)
        let answers = try decider.commit(second).answers.map { text($0) }
        #expect(answers.count == 3)
        #expect(answers[2].contains(#""batch":1"#))
        #expect(store.lastNumber(of: "p") == 3)
        #expect(text(take(&decider, line("x"), number: 5)).contains(#""expected":4"#))
    }

    @Test("a window of numbers in one batch is taken in order; a gap is refused with the number that is expected")
    func window() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        for number in UInt64(1)...64 { #expect(take(&decider, line("\(number)"), number: number) == nil) }
        #expect(text(take(&decider, line("x"), number: 66)).contains(#""expected":65"#))
        let outcome = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        #expect(outcome.answers.count == 64)
        #expect(store.lastNumber(of: "p") == 64)
        #expect(text(take(&decider, line("x"), number: 66)).contains(#""expected":65"#))
        #expect(text(take(&decider, line("1"), number: 1)) == text(outcome.answers[0]))
    }

    @Test("of a publisher's answers the last 64 are kept; an older number is told to be committed")
    func keptAnswers() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        for number in UInt64(1)...65 {
            #expect(take(&decider, line("\(number)"), number: number) == nil)
            _ = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        }
        #expect(text(take(&decider, line("1"), number: 1)).contains("alreadyCommitted"))
        #expect(text(take(&decider, line("2"), number: 2)).contains(#""outcomes":"h""#))
    }

    @Test("a request that is refused as a whole uses up its number, and its refusal is kept")
    func refusal() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        let body = String(repeating: "{}\n", count: Limits.requestLines + 1)
        #expect(take(&decider, body, number: 1) == nil)
        let outcome = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        #expect(text(outcome.answers.first).contains("tooLarge"))
        #expect(store.lastNumber(of: "p") == 1)
        let again = take(&decider, body, number: 1)
        #expect(text(again) == text(outcome.answers.first))
        #expect(again?.name == Answer.errorName)
    }

    @Test("a publisher beyond the limit is refused `full`; those that are known go on")
    func publisherLimit() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        for publisher in 0..<Numbering.publisherLimit {
            #expect(take(&decider, "", number: 1, of: PublisherName("\(publisher)")) == nil)
        }
        #expect(text(take(&decider, "", number: 1, of: "one more")).contains(#""full""#))
        _ = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        #expect(text(take(&decider, "", number: 1, of: "one more")).contains(#""full""#))
        #expect(take(&decider, "", number: 2, of: "0") == nil)
    }

    @Test("publishers that were idle for more than 30 days make room for a new one, before it is refused")
    func idlePublishersMakeRoom() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        for publisher in 0..<Numbering.publisherLimit {
            #expect(take(&decider, "", number: 1, of: PublisherName("\(publisher)")) == nil)
        }
        _ = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        let month = start.advanced(by: Limits.publisherIdleMilliseconds)
        #expect(text(take(&decider, "", number: 1, of: "new", at: month)).contains(#""full""#))
        #expect(take(&decider, "", number: 1, of: "new", at: month.advanced(by: 1)) == nil)
        _ = try decider.decideAndCommit(clock: month.advanced(by: 1), wakeLimit: 1)
        #expect(store.publisherCount == 1)
    }

    @Test("publishers are told apart by their bytes, not by what Unicode calls equivalent")
    func publishersByBytes() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        #expect(take(&decider, line("a"), number: 1, of: "caf\u{E9}") == nil)
        _ = try decider.decideAndCommit(clock: start, wakeLimit: 1)
        #expect(take(&decider, line("b"), number: 1, of: "cafe\u{301}") == nil)
        #expect(try decider.decideAndCommit(clock: start, wakeLimit: 1).answers.count == 1)
    }

    @Test("recipients that are due at once are fired in slices, each once")
    func slices() throws {
        let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
        var decider = decider(store)
        let lines = (0..<100).map {
            #"{"op":"schedule","app":"app","device":"d\#($0)","id":"a","content":{"title":"t"},"trigger":{"after":1}}"#
        }
        #expect(take(&decider, lines.joined(separator: "\n"), number: 1) == nil)
        _ = try decider.decideAndCommit(clock: start, wakeLimit: 10)
        let later = start.advanced(by: 1000)
        for slice in 1...10 {
            _ = try decider.decideAndCommit(clock: later, wakeLimit: 10)
            #expect(decider.counters.events[.due] == slice * 10)
        }
        #expect(decider.nextWake == nil)
    }
}

private struct EveryZone: ZoneSource {
    var release: String? { nil }
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
}

/// A store that notes what is committed and fails at a batch.
private final class RecordingStore: Store {
    struct Failed: Error {}

    private let inner = MemoryStore(log: "log", retentionBytes: 1 << 20)
    private let failsAt: UInt64
    private let batches = Mutex<[UInt64]>([])

    init(failsAt: UInt64) {
        self.failsAt = failsAt
    }

    var committed: [UInt64] { batches.withLock { $0 } }

    var log: String { inner.log }
    var lastBatch: UInt64 { inner.lastBatch }
    var range: LogRange { inner.range }
    var publisherCount: Int { inner.publisherCount }
    var lastNow: Instant { inner.lastNow }
    var hasRoom: Bool { !isFull.withLock { $0 } }
    let isFull = Mutex(false)
    var failure: (any Error)? { inner.failure }

    func commit(_ commit: consuming Commit) throws {
        if commit.batch == failsAt { throw Failed() }
        batches.withLock { $0.append(commit.batch) }
        try inner.commit(commit)
    }

    func commit(_ revision: StoredRevision) throws {
        if revision.number == failsAt { throw Failed() }
        try inner.commit(revision)
    }

    func revisions(of kind: StoredRevision.Kind) -> [StoredRevision] { inner.revisions(of: kind) }
    func publisherCount(seenSince instant: Instant) -> Int { inner.publisherCount(seenSince: instant) }
    func intents(ofBatch batch: UInt64) -> [UInt8]? { inner.intents(ofBatch: batch) }
    func content(at position: ContentPosition, count: Int) throws -> ArraySlice<UInt8> {
        try inner.content(at: position, count: count)
    }

    func recover(
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try inner.recover(record: record, outcomes: outcomes)
    }
    func lastNumber(of publisher: PublisherName) -> UInt64? { inner.lastNumber(of: publisher) }
    func answer(to number: UInt64, of publisher: PublisherName) -> StoredAnswer? {
        inner.answer(to: number, of: publisher)
    }
    func position(before instant: Instant) -> UInt64 { inner.position(before: instant) }
    func logFigures() -> LogFigures { inner.logFigures() }
    func rows(after sequence: UInt64, bytes: Int) -> [[UInt8]] { inner.rows(after: sequence, bytes: bytes) }
}
