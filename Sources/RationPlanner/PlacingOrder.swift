import RationModel

/// The order in which bound notifications are placed: (priority, requested date, id), as places among the pending.
struct PlacingOrder {
    private struct Entry {
        var priority: Int32
        var place: Int32
        var requestedDate: Instant
    }

    private var entries: ContiguousArray<Entry> = []

    /// More moves than so many for each entry are left to the library's sort.
    private static let movesPerEntry = 8

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
        var moves = entries.count * Self.movesPerEntry
        entries.withUnsafeMutableBufferPointer { entries in
            // What is pending is nearly in order within one priority.
            for index in entries.indices.dropFirst() where precedes(entries[index], entries[index - 1]) {
                let entry = entries[index]
                var position = index
                while position > 0, moves > 0, precedes(entry, entries[position - 1]) {
                    entries[position] = entries[position - 1]
                    position -= 1
                    moves -= 1
                }
                entries[position] = entry
                if moves == 0 { break }
            }
        }
        if moves == 0 { entries.sort(by: precedes) }
    }
}
