/// How much of the checkpoint is written with a batch (store.md, "Checkpoint"): recipients' records go along with batches, so
/// that the rows that a start has to apply stay few. Pure.
struct CheckpointPace {
    /// Rows of outcomes that are still needed.
    private struct Row {
        var batch: UInt64
        var bytes: Int
    }

    /// Bytes of rows up to which the checkpoint takes its time: about a second of work.
    static let easyBytes = 32 << 20
    /// With so many it takes up to this many times what the batch itself writes.
    static let urgency = 8
    /// What is written along with a batch, however small it is.
    static let leastBytes = 64 << 10
    /// The most of one batch.
    static let mostBytes = 32 << 20

    private var rows: [Row] = []
    private var head = 0
    /// Bytes of rows that a start would have to apply.
    private(set) var tailBytes = 0

    /// A batch was written.
    /// - Parameter firstNeeded: rows of batches below it are needed no more.
    mutating func record(batch: UInt64, bytes: Int, firstNeeded: UInt64) {
        if bytes > 0 {
            rows.append(Row(batch: batch, bytes: bytes))
            tailBytes += bytes
        }
        while head < rows.count, rows[head].batch < firstNeeded {
            tailBytes -= rows[head].bytes
            head += 1
        }
        if head > 1024, head * 2 > rows.count {
            rows.removeFirst(head)
            head = 0
        }
    }

    /// Bytes of records to write along with a batch of so many bytes.
    func recordBytes(besides batchBytes: Int) -> Int {
        let share = tailBytes <= Self.easyBytes ? batchBytes : batchBytes * Self.urgency
        return min(max(share, Self.leastBytes), Self.mostBytes)
    }
}
