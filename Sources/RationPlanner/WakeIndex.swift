import RationModel

/// Recipients by the instant at which something of theirs next needs a batch: a 4-ary heap in which each recipient
/// stands once and can be moved. Moving costs O(log n), peeking O(1).
struct WakeIndex: Sendable {
    private struct Entry: Sendable {
        var wake: Instant
        var row: UInt32
    }

    private var heap: ContiguousArray<Entry> = []
    /// By row: its place in the heap; `absent` when it waits for nothing.
    private var places: ContiguousArray<UInt32> = []

    private static let absent: UInt32 = .max

    /// The earliest wake; nil when nothing waits.
    var earliest: Instant? { heap.first?.wake }

    /// The recipient that wakes first.
    var first: UInt32? { heap.first?.row }

    /// Sets when a recipient wakes; `distantFuture` takes it out.
    mutating func set(_ row: UInt32, to wake: Instant) {
        while places.count <= Int(row) { places.append(Self.absent) }
        let place = places[Int(row)]
        if place == Self.absent {
            guard wake != .distantFuture else { return }
            heap.append(Entry(wake: wake, row: row))
            siftUp(heap.count - 1)
        } else if wake == .distantFuture {
            remove(at: Int(place))
        } else {
            let old = heap[Int(place)].wake
            heap[Int(place)].wake = wake
            if wake < old { siftUp(Int(place)) } else if old < wake { siftDown(Int(place)) }
        }
    }

    private mutating func remove(at place: Int) {
        places[Int(heap[place].row)] = Self.absent
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[Int(last.row)] = UInt32(truncatingIfNeeded: place)
        siftDown(place)
        siftUp(place)
    }

    private mutating func siftUp(_ start: Int) {
        var place = start
        let entry = heap[place]
        while place > 0 {
            let parent = (place - 1) / 4
            guard entry.wake < heap[parent].wake else { break }
            put(heap[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    private mutating func siftDown(_ start: Int) {
        var place = start
        let entry = heap[place]
        while true {
            let firstChild = place * 4 + 1
            guard firstChild < heap.count else { break }
            var least = firstChild
            for child in firstChild..<min(firstChild + 4, heap.count) where heap[child].wake < heap[least].wake {
                least = child
            }
            guard heap[least].wake < entry.wake else { break }
            put(heap[least], at: place)
            place = least
        }
        put(entry, at: place)
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[Int(entry.row)] = UInt32(truncatingIfNeeded: place)
    }
}
