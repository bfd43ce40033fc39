/// Recipients that have changed since their record was last written, in the order in which that began: first changed, first
/// written, so that a busy one does not hold up the others (store.md, "Checkpoint").
struct ChangedRecipients: Sendable {
    private struct Entry: Sendable {
        var row: UInt32
        /// The first batch that its record lacks.
        var batch: UInt64
    }

    private var entries: ContiguousArray<Entry> = []
    /// Those before it have been taken.
    private var head = 0

    var count: Int { entries.count - head }

    /// The first batch that some record lacks; nil when none lacks any.
    var oldestBatch: UInt64? { head < entries.count ? entries[head].batch : nil }

    /// - Parameter batch: none below those that were added before.
    mutating func add(_ row: Int, batch: UInt64) {
        entries.append(Entry(row: UInt32(truncatingIfNeeded: row), batch: batch))
    }

    /// - Returns: the row of the first; nil when there is none.
    mutating func takeFirst() -> Int? {
        guard head < entries.count else { return nil }
        let row = Int(entries[head].row)
        head += 1
        // Moving the rest is paid for by as many that were taken.
        if head > 1024, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return row
    }
}
