import RationModel

/// The order in which bound notifications are placed: (priority, requested date, id), as places among the pending.
struct PlacingOrder: ~Copyable {
    private struct Entry: BitwiseCopyable {
        var priority: Int32
        var place: Int32
        var requestedDate: Instant
    }

    private var entries: ContiguousArray<Entry> = []
    private var sorter = MergeSorter<Entry>()

    var count: Int { entries.count }

    subscript(rank: Int) -> Int {
        @inline(__always) get { Int(entries[rank].place) }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func append(_ notification: PendingNotification, at place: Int) {
        entries.append(
            Entry(
                priority: notification.priority, place: Int32(truncatingIfNeeded: place),
                requestedDate: notification.requestedDate))
    }

    /// - Parameter idPrecedes: tells two pending apart whose priority and requested date are the same.
    mutating func sort(idPrecedes: (Int, Int) -> Bool) {
        func precedes(_ left: Entry, _ right: Entry) -> Bool {
            if left.priority != right.priority { return left.priority < right.priority }
            if left.requestedDate != right.requestedDate { return left.requestedDate < right.requestedDate }
            return idPrecedes(Int(left.place), Int(right.place))
        }
        entries.withUnsafeMutableBufferPointer { sorter.sort($0, by: precedes) }
    }
}
