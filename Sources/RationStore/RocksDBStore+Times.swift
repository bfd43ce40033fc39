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
            try reader.seek(low + (high - low) / 2)
            let row = try reader.row()
            if row.head.now < instant { low = row.first + row.head.count } else { high = row.first }
        }
        return max(low, range.first) - 1
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
