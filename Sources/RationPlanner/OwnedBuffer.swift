import CPrefetch
import Glibc
import RationModel

/// A growing array of trivial elements with one owner: 16 bytes inline, no reference count, no header in its memory.
/// A million recipients have three each.
struct OwnedBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    private var storedCount: UInt32 = 0
    private var capacity: UInt32 = 0

    init() {}

    deinit {
        free(base)
    }

    @inline(__always)
    var count: Int { Int(storedCount) }

    @inline(__always)
    var isEmpty: Bool { storedCount == 0 }

    @inline(__always)
    var indices: Range<Int> { 0..<Int(storedCount) }

    /// Below `count`, which is checked: the element is then initialized memory of this buffer.
    subscript(index: Int) -> Element {
        @inline(__always) get { place(index).pointee }
        @inline(__always) nonmutating _modify { yield &place(index).pointee }
    }

    @inline(__always)
    private func place(_ index: Int) -> UnsafeMutablePointer<Element> {
        guard UInt(bitPattern: index) < UInt(storedCount), let base else {
            preconditionFailure("element \(index) of a buffer of \(storedCount)")
        }
        return base + index
    }

    /// The elements; valid until the buffer is changed or gone.
    @inline(__always)
    var elements: UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(start: base, count: Int(storedCount))
    }

    /// Has the first elements, up to so many cache lines, and the place behind the last one read soon.
    @inline(__always)
    func prefetch(lines: Int) {
        guard let base else { return }
        let start = UnsafeRawPointer(base)
        let size = Int(storedCount) * MemoryLayout<Element>.stride
        // All within what was allocated, or right behind it, which a hint may name.
        for offset in stride(from: 0, to: min(size, lines * 64), by: 64) { ration_prefetch(start + offset) }
        ration_prefetch(start + size)
    }

    /// Makes room for `added` more elements.
    mutating func reserve(_ added: Int) {
        let needed = Int(storedCount) + added
        guard needed > Int(capacity) else { return }
        // A million of them: room that is not used counts more than a move now and then, which mostly needs no copy.
        let step = max(Int(capacity) / 16, 128 / MemoryLayout<Element>.stride, 1)
        let grown = max(needed, Int(capacity) + step)
        precondition(grown <= Int(UInt32.max), "a buffer of \(grown) elements")
        guard let memory = realloc(base, grown * MemoryLayout<Element>.stride) else {
            preconditionFailure("no memory for \(grown) elements")
        }
        base = memory.bindMemory(to: Element.self, capacity: grown)
        capacity = UInt32(grown)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        reserve(1)
        // `reserve` has made room behind `storedCount`.
        (base.unsafelyUnwrapped + Int(storedCount)).initialize(to: element)
        storedCount += 1
    }

    /// Becomes a copy of another buffer.
    @inline(__always)
    mutating func assign(_ other: borrowing OwnedBuffer) {
        storedCount = 0
        guard let source = other.base, other.storedCount > 0 else { return }
        reserve(other.count)
        // `reserve` has made room for as many elements as `other` has.
        memcpy(base.unsafelyUnwrapped, source, other.count * MemoryLayout<Element>.stride)
        storedCount = other.storedCount
    }

    /// - Parameter index: up to `count`, which is checked.
    mutating func insert(_ element: Element, at index: Int) {
        precondition(index >= 0 && index <= Int(storedCount), "an element at \(index) of \(storedCount)")
        reserve(1)
        // `reserve` has made room behind `storedCount`.
        let place = base.unsafelyUnwrapped + index
        memmove(place + 1, place, (Int(storedCount) - index) * MemoryLayout<Element>.stride)
        place.initialize(to: element)
        storedCount += 1
    }

    /// - Parameter index: below `count`, which is checked.
    mutating func remove(at index: Int) {
        let place = place(index)
        memmove(place, place + 1, (Int(storedCount) - index - 1) * MemoryLayout<Element>.stride)
        storedCount -= 1
    }

    mutating func removeLast(_ removed: Int) {
        precondition(removed >= 0 && removed <= Int(storedCount), "\(removed) of \(storedCount) elements removed")
        storedCount -= UInt32(removed)
    }

    mutating func removeFirst(_ removed: Int) {
        precondition(removed >= 0 && removed <= Int(storedCount), "\(removed) of \(storedCount) elements removed")
        guard removed > 0, let base else { return }
        memmove(base, base + removed, (Int(storedCount) - removed) * MemoryLayout<Element>.stride)
        storedCount -= UInt32(removed)
    }

    mutating func removeAll() {
        storedCount = 0
    }
}

extension OwnedBuffer where Element == UInt8 {
    /// Copies bytes to the end.
    @inline(__always)
    mutating func append(_ source: UnsafeRawBufferPointer) -> ByteRange {
        let range = ByteRange(offset: count, count: source.count)
        guard let start = source.baseAddress, !source.isEmpty else { return range }
        reserve(source.count)
        // `reserve` has made room behind `storedCount`.
        memcpy(base.unsafelyUnwrapped + Int(storedCount), start, source.count)
        storedCount += UInt32(source.count)
        return range
    }

    /// Copies bytes of the buffer over earlier ones.
    mutating func copyWithin(from source: Int, to target: Int, count: Int) {
        precondition(
            target >= 0 && target <= source && count >= 0 && source + count <= Int(storedCount),
            "\(count) bytes from \(source) to \(target) of \(storedCount)")
        guard count > 0, let base else { return }
        // Both ends lie within `storedCount`.
        memmove(base + target, base + source, count)
    }

    /// The bytes of a range; valid until the buffer is changed or gone.
    @inline(__always)
    func view(_ range: ByteRange) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(elements).view(range)
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// The bytes of a range.
    @inline(__always)
    func view(_ range: ByteRange) -> UnsafeRawBufferPointer {
        precondition(Int(range.offset) + Int(range.count) <= count, "bytes \(range) of \(count)")
        return UnsafeRawBufferPointer(start: baseAddress.map { $0 + Int(range.offset) }, count: Int(range.count))
    }

    /// How many first bytes, up to a limit, are the same.
    @inline(__always)
    func commonPrefix(with other: UnsafeRawBufferPointer, upTo limit: Int) -> Int {
        let limit = Swift.min(limit, count, other.count)
        var position = 0
        while position + 8 <= limit {
            let difference =
                loadUnaligned(fromByteOffset: position, as: UInt64.self)
                ^ other.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if difference != 0 { return position + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
            position += 8
        }
        while position < limit, self[position] == other[position] { position += 1 }
        return position
    }

    /// Whether both hold the same bytes.
    @inline(__always)
    func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let left = baseAddress, let right = other.baseAddress else { return true }
        // Both have `count` bytes.
        return memcmp(left, right, count) == 0
    }
}
