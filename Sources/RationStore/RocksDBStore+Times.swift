public import RationModel
internal import Synchronization

/// Where in the log a time is: rows carry their instant, which never falls from one row to the next.
extension RocksDBStore {
    public func position(before instant: Instant) throws(StoreError) -> UInt64 {
        let (last, segments) = state.withLock { ($0.link.lastSequence, $0.segments.segments) }
        var reader = EventRowReader(database, folder.database)
        // Read again: what lies before it may have gone since.
        let range = range
        guard range.first <= last else { return last }
        let later = segments.firstIndex { $0.firstNow >= instant } ?? segments.endIndex
        guard later > segments.startIndex else { return range.first - 1 }
        // A row that begins before `low` is earlier than the instant, one that begins at `high` or behind it is not.
        var low = max(segments[later - 1].first, range.first)
        var high = later < segments.endIndex ? segments[later].first : last + 1
        while low < high {
            let middle = low + (high - low) / 2
            let row = try row(at: middle, &reader)
            if let row, row.first < high, row.now < instant {
                low = row.next
            } else {
                // What cannot be read may be later: who reads on from there is told.
                high = min(middle, row?.first ?? middle)
            }
        }
        return max(low, range.first) - 1
    }

    /// The row of an event; of one that cannot be read, the first behind it that can.
    private func row(
        at sequence: UInt64, _ reader: inout EventRowReader
    ) throws(StoreError) -> (first: UInt64, next: UInt64, now: Instant)? {
        do throws(StoreError) {
            try reader.seek(sequence)
        } catch {
            let found = database.firstReadable(.events, after: NumberKey.bytes(sequence))
            guard let first = found?.withUnsafeBytes({ NumberKey.number($0) }) else { return nil }
            reader = EventRowReader(database, folder.database)
            try reader.seek(first)
        }
        let row = try reader.row()
        return (row.first, row.first + row.head.count, row.head.now)
    }

    public func logFigures() throws(StoreError) -> LogFigures {
        let state = state.withLock { $0 }
        let first = state.segments.segments.first
        var newest: Instant?
        if first != nil {
            var reader = EventRowReader(database, folder.database)
            try reader.seek(state.link.lastSequence)
            newest = try reader.row().head.now
        }
        return LogFigures(
            range: state.range, bytes: state.link.eventsEnd - (first?.position ?? state.link.eventsEnd),
            oldest: first?.firstNow, newest: newest, retentionBytes: settings.retentionBytes,
            retentionMilliseconds: settings.retentionMilliseconds)
    }
}
