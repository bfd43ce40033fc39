/// Sorts in memory that it keeps: the library's sort asks for some each time. Equal elements keep their order; what is
/// sorted already costs a comparison for each element.
struct MergeSorter<Element: BitwiseCopyable>: ~Copyable {
    private var scratch: UnsafeMutablePointer<Element>?
    private var capacity = 0

    /// Stretches of so many are sorted by moving one by one.
    private static var runLength: Int { 12 }

    deinit {
        scratch?.deallocate()
    }

    /// - Complexity: O(n log n), without allocating once so many have been sorted before.
    @inline(__always)
    mutating func sort(_ elements: UnsafeMutableBufferPointer<Element>, by precedes: (Element, Element) -> Bool) {
        guard let base = elements.baseAddress, elements.count > 1 else { return }
        var start = 0
        while start < elements.count {
            let end = min(start + Self.runLength, elements.count)
            Self.insertionSort(base, start..<end, by: precedes)
            start = end
        }
        guard elements.count > Self.runLength else { return }
        reserve((elements.count + 1) / 2 + Self.runLength)
        var width = Self.runLength
        while width < elements.count {
            var start = 0
            while start + width < elements.count {
                let end = min(start + 2 * width, elements.count)
                merge(base + start, middle: width, count: end - start, by: precedes)
                start = end
            }
            width *= 2
        }
    }

    @inline(__always)
    private static func insertionSort(
        _ base: UnsafeMutablePointer<Element>, _ range: Range<Int>, by precedes: (Element, Element) -> Bool
    ) {
        for index in range.dropFirst() where precedes(base[index], base[index - 1]) {
            let element = base[index]
            var place = index
            repeat {
                base[place] = base[place - 1]
                place -= 1
            } while place > range.lowerBound && precedes(element, base[place - 1])
            base[place] = element
        }
    }

    /// Merges two sorted stretches that lie side by side; the shorter one waits in the scratch memory.
    @inline(__always)
    private func merge(
        _ base: UnsafeMutablePointer<Element>, middle: Int, count: Int, by precedes: (Element, Element) -> Bool
    ) {
        guard precedes(base[middle], base[middle - 1]), let scratch else { return }
        let right = count - middle
        if right < middle {
            // At most half of all: it fits.
            scratch.update(from: base + middle, count: right)
            var (left, taken, place) = (middle, right, count)
            while left > 0, taken > 0 {
                place -= 1
                if precedes(scratch[taken - 1], base[left - 1]) {
                    left -= 1
                    base[place] = base[left]
                } else {
                    taken -= 1
                    base[place] = scratch[taken]
                }
            }
            base.update(from: scratch, count: taken)
            return
        }
        // Both are as long, so together no longer than all.
        scratch.update(from: base, count: middle)
        var (left, taken, place) = (0, middle, 0)
        while left < middle, taken < count {
            if precedes(base[taken], scratch[left]) {
                base[place] = base[taken]
                taken += 1
            } else {
                base[place] = scratch[left]
                left += 1
            }
            place += 1
        }
        (base + place).update(from: scratch + left, count: middle - left)
    }

    private mutating func reserve(_ count: Int) {
        guard count > capacity else { return }
        scratch?.deallocate()
        scratch = .allocate(capacity: count)
        capacity = count
    }
}
