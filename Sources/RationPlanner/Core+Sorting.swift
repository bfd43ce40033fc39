import RationModel

/// Events come by (app, device), so a batch plans its recipients in that order.
extension Core {
    /// Sorts some of the touched by (app, device), all of whose keys share their first bytes: by the next eight bytes in
    /// which they differ, then, where these are equal, by what comes behind them.
    mutating func sortTouched(_ range: Range<Int>, sharing known: Int) {
        guard range.count > Self.insertedAtMost else { return insertionSort(range) }
        let shared = sharedPrefix(range, atLeast: known)
        for place in range {
            touched[place].sortKey = Self.bigEndian(key(of: touched[place]), from: shared)
        }
        sortByKeyPrefix(range)
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, touched[end].sortKey == touched[start].sortKey { end += 1 }
            if end - start > 1 { sortTouched(start..<end, sharing: shared + 8) }
            start = end
        }
    }

    /// Sorts by the eight bytes in `sortKey`, a byte at a time from the last: each pass keeps the order of the one before.
    private mutating func sortByKeyPrefix(_ range: Range<Int>) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var starts = InlineArray<257, Int>(repeating: 0)
            // A byte is below 256.
            for place in range { starts[Int(truncatingIfNeeded: touched[place].sortKey >> shift & 0xFF) + 1] += 1 }
            let first = Int(truncatingIfNeeded: touched[range.lowerBound].sortKey >> shift & 0xFF)
            guard starts[first + 1] < range.count else { continue }
            for byte in 1..<257 { starts[byte] += starts[byte - 1] }
            sorted.removeAll(keepingCapacity: true)
            sorted.append(contentsOf: touched[range])
            for entry in sorted {
                let byte = Int(truncatingIfNeeded: entry.sortKey >> shift & 0xFF)
                touched[range.lowerBound + starts[byte]] = entry
                starts[byte] += 1
            }
        }
    }

    private mutating func insertionSort(_ range: Range<Int>) {
        for index in range.dropFirst() {
            let entry = touched[index]
            var place = index
            while place > range.lowerBound, Name.compare(key(of: entry), key(of: touched[place - 1])) < 0 {
                touched[place] = touched[place - 1]
                place -= 1
            }
            touched[place] = entry
        }
    }

    /// The key of a touched recipient, from the batch's own keys where it has an intent: they lie side by side.
    @inline(__always)
    private func key(of entry: Touched) -> UnsafeRawBufferPointer {
        entry.firstIntent < 0 ? table.key(Int(entry.row)) : keys.view(keyRanges[Int(entry.firstIntent)])
    }

    /// How many first bytes the keys share.
    private func sharedPrefix(_ range: Range<Int>, atLeast known: Int) -> Int {
        let first = key(of: touched[range.lowerBound])
        var shared = first.count
        for place in range.dropFirst() where shared > known {
            shared = key(of: touched[place]).commonPrefix(with: first, upTo: shared)
        }
        return max(shared, min(known, first.count))
    }

    /// Eight bytes from a place on as a number that sorts as they do; 0 where the key has ended, as no key has NULs there.
    private static func bigEndian(_ key: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        if start + 8 <= key.count {
            return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        var value: UInt64 = 0
        for index in start..<start + 8 { value = value << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        return value
    }
}
