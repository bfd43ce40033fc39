import Testing

@testable import RationBroker

@Suite("Checkpoint (store.md)")
struct CheckpointPaceTests {
    private static let batch = 1 << 20
    private static let half = (CheckpointPace.lazyBytes + CheckpointPace.urgentBytes) / 2
    /// Bytes of outcomes, and of records beside a batch.
    private static let paces: [(Int, Int)] = [
        (CheckpointPace.lazyBytes, 0), (CheckpointPace.lazyBytes + 1, batch),
        (half, batch * 9 / 2), (CheckpointPace.urgentBytes, 8 * batch), (2 * CheckpointPace.urgentBytes, 8 * batch),
    ]

    @Test(
        "few rows let records wait for a quiet moment; more of them take records along, ever more until they hurry",
        arguments: paces)
    func pace(tail: Int, records: Int) {
        var pace = CheckpointPace()
        pace.record(batch: 1, bytes: tail, firstNeeded: 1)
        #expect(pace.recordBytes(besides: Self.batch) == records)
    }

    @Test("rows that are needed no more count no more")
    func needed() {
        var pace = CheckpointPace()
        for batch in 1...3_000 as ClosedRange<UInt64> {
            pace.record(batch: batch, bytes: 10, firstNeeded: batch > 5 ? batch - 5 : 1)
        }
        #expect(pace.tailBytes == 60)
        pace.record(batch: 3_001, bytes: 0, firstNeeded: 3_002)
        #expect(pace.tailBytes == 0)
    }

    @Test("small batches save up until it is worth a part")
    func savedUp() {
        var pace = CheckpointPace()
        pace.record(batch: 1, bytes: CheckpointPace.lazyBytes + 1, firstNeeded: 1)
        let parts = (0..<8).map { _ in pace.recordBytes(besides: CheckpointPace.leastBytes / 4) }
        #expect(parts == [0, 0, 0, CheckpointPace.leastBytes, 0, 0, 0, CheckpointPace.leastBytes])
    }

    @Test("one batch never takes more than a bounded part along")
    func bounded() {
        var pace = CheckpointPace()
        pace.record(batch: 1, bytes: 2 * CheckpointPace.urgentBytes, firstNeeded: 1)
        #expect(pace.recordBytes(besides: 1 << 30) == CheckpointPace.mostBytes)
    }
}
