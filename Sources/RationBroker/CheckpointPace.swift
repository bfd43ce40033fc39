/// How much of the checkpoint is written with a batch (store.md, "Checkpoint"): recipients' records go along with batches, so
/// that the rows that a start has to apply stay few. Pure.
struct CheckpointPace {
    /// Rows of outcomes that are still needed.
    private struct Row {
        var batch: UInt64
        var bytes: Int
    }

    /// Bytes of outcomes up to which nothing is written along: while there is nothing else to do, records are written anyhow.
    static let lazyBytes = 64 << 20
    /// With more, as much is written along as the batch itself writes, and so many times as much once there are
    /// ``urgentBytes``, about two seconds of applying; evenly more in between, so that the pace settles where it holds.
    static let urgency = 8
    static let urgentBytes = 256 << 20
    /// The least and the most of one batch, and what is written as a batch of its own. Contents that are taken along together
    /// share the blocks of their hours; a batch with the most is not to keep acknowledgements waiting for long.
    static let leastBytes = 1 << 20
    static let mostBytes = 8 << 20
    static let ownBytes = 1 << 20

    private var rows: [Row] = []
    private var head = 0
    /// Bytes of rows that a start would have to apply.
    private(set) var tailBytes = 0
    /// Bytes that are to be written along with one of the next batches.
    private var due = 0

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
    mutating func recordBytes(besides batchBytes: Int) -> Int {
        guard tailBytes > Self.lazyBytes else { return 0 }
        let excess = min(tailBytes, Self.urgentBytes) - Self.lazyBytes
        let extra = (Self.urgency - 1) * excess / ((Self.urgentBytes - Self.lazyBytes) >> 10)
        due = min(due + batchBytes + (batchBytes * extra) >> 10, Self.mostBytes)
        guard due >= Self.leastBytes else { return 0 }
        defer { due = 0 }
        return due
    }
}
