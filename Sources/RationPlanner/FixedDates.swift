public import RationModel

/// A date that a rule looks at: one that has fired, or one that is placed already.
public struct FixedDate: BitwiseCopyable, Sendable {
    public var date: Instant
    /// What the rule keeps of its owner.
    public var mark: UInt64

    init(date: Instant, mark: UInt64) {
        self.date = date
        self.mark = mark
    }
}

/// Fixed dates in their order. The free room lies where the last one was put in, so that dates that come nearly in order
/// move little: inserting costs O(distance from the last one), finding O(log n).
public struct FixedDates: ~Copyable {
    private var storage: UnsafeMutablePointer<FixedDate>
    private var capacity: Int
    private var gapStart = 0
    private var gapEnd: Int

    public init() {
        capacity = 64
        gapEnd = 64
        storage = .allocate(capacity: 64)
    }

    deinit {
        storage.deallocate()
    }

    public var count: Int { capacity - (gapEnd - gapStart) }

    /// In the order of their dates.
    public subscript(index: Int) -> FixedDate {
        @inline(__always) get {
            precondition(index >= 0 && index < count, "date \(index) of \(count)")
            return at(index)
        }
    }

    /// - Parameter index: below `count`: then the place lies outside the gap.
    @inline(__always)
    private func at(_ index: Int) -> FixedDate {
        storage[index < gapStart ? index : index + gapEnd - gapStart]
    }

    /// The place of the first one after an instant; `count` if there is none.
    @inline(__always)
    public func firstIndex(after instant: Instant) -> Int {
        firstIndex(from: Instant(milliseconds: instant.milliseconds &+ 1))
    }

    /// The place of the first one at or after an instant; `count` if there is none.
    public func firstIndex(from instant: Instant) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low &+ high) &>> 1
            if at(middle).date < instant { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    public mutating func insert(_ date: Instant, mark: UInt64) {
        if gapStart == gapEnd { grow() }
        // Dates mostly come in their order.
        let isLast = gapEnd == capacity && (gapStart == 0 || storage[gapStart - 1].date <= date)
        if !isLast { moveGap(to: firstIndex(after: date)) }
        storage[gapStart] = FixedDate(date: date, mark: mark)
        gapStart += 1
    }

    public mutating func removeAll() {
        gapStart = 0
        gapEnd = capacity
    }

    private mutating func moveGap(to place: Int) {
        // Both stretches lie within the capacity.
        if place < gapStart {
            let moved = gapStart - place
            (storage + gapEnd - moved).update(from: storage + place, count: moved)
            gapEnd -= moved
        } else if place > gapStart {
            let moved = place - gapStart
            (storage + gapStart).update(from: storage + gapEnd, count: moved)
            gapEnd += moved
        }
        gapStart = place
    }

    private mutating func grow() {
        let grown = UnsafeMutablePointer<FixedDate>.allocate(capacity: capacity * 2)
        let behind = capacity - gapEnd
        grown.update(from: storage, count: gapStart)
        (grown + capacity * 2 - behind).update(from: storage + gapEnd, count: behind)
        storage.deallocate()
        storage = grown
        gapEnd = capacity * 2 - behind
        capacity *= 2
    }
}
