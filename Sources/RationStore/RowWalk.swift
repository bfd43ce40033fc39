internal import RationRocksDB

/// Walks over all rows of a family, also past those that cannot be read. A block that is damaged cannot be walked through, but
/// a seek behind it does not touch it.
struct RowWalk: ~Copyable {
    enum Step {
        /// It stands on a row.
        case row
        /// The rows from one key on, up to the one before another, cannot be read; nil: up to the end. The next step goes on
        /// there.
        case unreadable(from: [UInt8], before: [UInt8]?, RocksError)
        case end
    }

    private let database: RocksDatabase
    private let family: StoreFamily
    private var rows: RocksIterator
    private var next: Next

    private enum Next {
        case seek([UInt8])
        case move
        case end
    }

    /// - Parameter first: where it begins.
    init(_ database: RocksDatabase, _ family: StoreFamily, from first: [UInt8] = []) {
        (self.database, self.family) = (database, family)
        rows = database.iterator(family.rawValue)
        next = .seek(first)
    }

    /// The row that it stands on, valid until the next step.
    var key: UnsafeRawBufferPointer { rows.key }
    var value: UnsafeRawBufferPointer { rows.value }

    mutating func step() -> Step {
        var begin: [UInt8] = []
        do throws(RocksError) {
            switch next {
            case .end: return .end
            case .seek(let key):
                begin = key
                guard try rows.seek(key) else { return end() }
            case .move:
                begin = Array(rows.key) + [0]
                guard try rows.next() else { return end() }
            }
            next = .move
            return .row
        } catch {
            let found = database.firstReadable(family, after: begin)
            rows = database.iterator(family.rawValue)
            next = found.map { .seek($0) } ?? .end
            return .unreadable(from: begin, before: found, error)
        }
    }

    private mutating func end() -> Step {
        next = .end
        return .end
    }
}

extension RocksDatabase {
    /// Looks for the end of what cannot be read, in steps that double, and then by halves.
    /// - Parameter key: a seek to it fails.
    /// - Returns: the first key behind it that can be read; nil when there is none.
    func firstReadable(_ family: StoreFamily, after key: [UInt8]) -> [UInt8]? {
        var low = KeyNumber(key)
        var step = 0
        while let high = low.adding(powerOfTwo: step) {
            switch landing(family, high.bytes) {
            case .end: return nil
            case .unreadable: (low, step) = (high, step + 1)
            case .key(let found): return smallest(family, above: low, upTo: high, found)
            }
        }
        return nil
    }

    private func smallest(
        _ family: StoreFamily, above low: KeyNumber, upTo high: KeyNumber, _ found: [UInt8]
    ) -> [UInt8] {
        var (low, high, found) = (low, high, found)
        while let middle = low.middle(to: high) {
            if case .key(let key) = landing(family, middle.bytes) {
                (high, found) = (middle, key)
            } else {
                low = middle
            }
        }
        return found
    }

    private enum Landing {
        case key([UInt8])
        case unreadable, end
    }

    /// Where a seek ends. An iterator that has met damage says so again where there is none: each look takes a new one.
    private func landing(_ family: StoreFamily, _ key: [UInt8]) -> Landing {
        var rows = iterator(family.rawValue)
        do throws(RocksError) {
            return try rows.seek(key) ? .key(Array(rows.key)) : .end
        } catch {
            return .unreadable
        }
    }

    /// The last key at or before one, of rows that cannot all be read: a seek backwards also reads the row before the one it
    /// finds. Looks at keys ever further before it.
    /// - Returns: nil when there is none that can be read.
    func lastReadable(_ family: StoreFamily, upTo number: UInt64) -> UInt64? {
        var distance: UInt64 = 0
        while true {
            let begin = number - min(number, distance)
            var found: [UInt8]?
            switch landing(family, NumberKey.bytes(begin)) {
            case .key(let key): found = key
            case .unreadable: found = firstReadable(family, after: NumberKey.bytes(begin))
            case .end: break
            }
            if let first = found?.withUnsafeBytes({ NumberKey.number($0) }), first <= number {
                return last(family, from: first, upTo: number)
            }
            guard begin > 0 else { return nil }
            distance = distance * 2 + 1
        }
    }

    private func last(_ family: StoreFamily, from first: UInt64, upTo number: UInt64) -> UInt64 {
        var walk = RowWalk(self, family, from: NumberKey.bytes(first))
        var last = first
        while true {
            switch walk.step() {
            case .row:
                guard let next = NumberKey.number(walk.key), next <= number else { return last }
                last = next
            case .unreadable: break
            case .end: return last
            }
        }
    }
}

/// A key as a number of some bytes, with the order that keys have.
private struct KeyNumber {
    private(set) var bytes: [UInt8]

    /// Two bytes longer than the key, so that what lies between it and its neighbours can be said.
    init(_ key: [UInt8]) {
        bytes = key + [0, 0]
    }

    /// - Returns: nil beyond the last number.
    func adding(powerOfTwo power: Int) -> KeyNumber? {
        var sum = self
        var place = bytes.count - 1 - power / 8
        var carry = 1 << (power % 8)
        while place >= 0, carry > 0 {
            carry += Int(bytes[place])
            sum.bytes[place] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
            place -= 1
        }
        return carry == 0 ? sum : nil
    }

    /// - Returns: nil when nothing lies between the two.
    func middle(to high: KeyNumber) -> KeyNumber? {
        var middle = self
        // The sum of both, halved from its highest byte on.
        var carry = 0
        for place in bytes.indices.reversed() {
            let sum = Int(bytes[place]) + Int(high.bytes[place]) + carry
            middle.bytes[place] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        for place in bytes.indices {
            let value = carry << 8 | Int(middle.bytes[place])
            middle.bytes[place] = UInt8(truncatingIfNeeded: value >> 1)
            carry = value & 1
        }
        return middle.bytes == bytes ? nil : middle
    }
}
