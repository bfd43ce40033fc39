internal import RationModel
internal import RationPluginKit

/// What a scheduler has published under one id, and what it knows of its fate.
struct PublishedNotification: Hashable, Sendable {
    enum Standing: Hashable, Sendable {
        /// It was asked for, and nothing has ended it since.
        case pending
        /// It has fired, expired, or cannot fire any more: the same line is not published again.
        case ended
        /// It was evicted, rejected, cancelled by somebody else, or its time was past on the device's clock: it may be offered
        /// again from then on.
        case refused(until: Instant)
    }

    var id: String
    var date: WantedDate
    var expires: Instant
    /// A hash of everything else that the line says.
    var substance: UInt64
    /// The request that asked for it last.
    var request: UInt64
    var standing = Standing.pending
    /// Whether an older line under the id may still be pending when this one was rejected.
    var replacesAnother = false
}

/// What a recipient has, in its row: for each, the length of the id u16, standing u8, marks u8, date i64, expires i64,
/// substance u64, request u64, until i64 (`refused` only), the id; little-endian.
extension [PublishedNotification] {
    func packed() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(reduce(0) { $0 + 44 + $1.id.utf8.count })
        for notification in self { notification.pack(into: &bytes) }
        return bytes
    }

    /// - Returns: nil for bytes that ``packed()`` has not made.
    init?(packed bytes: UnsafeRawBufferPointer) {
        self = []
        var reader = PackedReader(bytes)
        while !reader.isAtEnd {
            guard let notification = PublishedNotification(&reader) else { return nil }
            append(notification)
        }
    }
}

extension PublishedNotification {
    private static let wallMark: UInt8 = 1
    private static let replacesMark: UInt8 = 2

    fileprivate func pack(into bytes: inout [UInt8]) {
        // An id that was published is shorter than a request, and one that the broker takes has 256 bytes at most; a longer
        // one is never kept.
        bytes.append(number: UInt16(truncatingIfNeeded: id.utf8.count))
        let (code, until): (UInt8, Instant?) =
            switch standing {
            case .pending: (0, nil)
            case .ended: (1, nil)
            case .refused(let until): (2, until)
            }
        bytes.append(code)
        let (isWall, milliseconds) =
            switch date {
            case .at(let instant): (false, instant.milliseconds)
            case .wall(let milliseconds): (true, milliseconds)
            }
        bytes.append((isWall ? Self.wallMark : 0) | (replacesAnother ? Self.replacesMark : 0))
        bytes.append(number: milliseconds)
        bytes.append(number: expires.milliseconds)
        bytes.append(number: substance)
        bytes.append(number: request)
        if let until { bytes.append(number: until.milliseconds) }
        bytes.append(contentsOf: id.utf8)
    }

    fileprivate init?(_ reader: inout PackedReader) {
        guard let length = reader.number(UInt16.self), let code = reader.number(UInt8.self),
            let marks = reader.number(UInt8.self), let date = reader.number(Int64.self),
            let expires = reader.number(Int64.self), let substance = reader.number(UInt64.self),
            let request = reader.number(UInt64.self)
        else { return nil }
        switch code {
        case 0: standing = .pending
        case 1: standing = .ended
        case 2:
            guard let until = reader.number(Int64.self) else { return nil }
            standing = .refused(until: Instant(milliseconds: until))
        default: return nil
        }
        guard marks & ~(Self.wallMark | Self.replacesMark) == 0, let id = reader.bytes(Int(length)) else { return nil }
        self.date = marks & Self.wallMark == 0 ? .at(Instant(milliseconds: date)) : .wall(date)
        replacesAnother = marks & Self.replacesMark != 0
        self.expires = Instant(milliseconds: expires)
        (self.substance, self.request) = (substance, request)
        self.id = String(decoding: id, as: UTF8.self)
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(number: Number) {
        let size = MemoryLayout<Number>.size
        append(addingCapacity: size) { span in
            span.withUnsafeMutableBufferPointer { room, initializedCount in
                // The array has made room for `size` bytes from this address on.
                guard let start = room.baseAddress else { return }
                UnsafeMutableRawPointer(start).storeBytes(of: number.littleEndian, as: Number.self)
                initializedCount = size
            }
        }
    }

    @inline(__always)
    mutating func append(bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        append(addingCapacity: bytes.count) { span in
            span.withUnsafeMutableBufferPointer { room, initializedCount in
                // The array has made room for as many bytes as `bytes` has.
                guard let start = room.baseAddress else { return }
                UnsafeMutableRawPointer(start).copyMemory(from: source, byteCount: bytes.count)
                initializedCount = bytes.count
            }
        }
    }
}

/// Reads packed numbers and bytes; every read is checked against the end.
struct PackedReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { return nil }
        defer { position += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}
