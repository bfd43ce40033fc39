/// Reads big-endian numbers from a file's bytes, never past their end.
struct ZoneFileReader {
    private let content: [UInt8]

    /// Where the next field begins.
    private(set) var position = 0

    init(_ content: [UInt8]) {
        self.content = content
    }

    /// - Throws: `ZoneFault` when fewer than `count` bytes are left.
    func expect(_ count: Int, _ field: StaticString) throws(ZoneFault) {
        guard count <= content.count - position else {
            throw ZoneFault(
                reason: "expected \(count) bytes for \(field), found the end after \(content.count - position)",
                offset: position)
        }
    }

    mutating func skip(_ count: Int, _ field: StaticString) throws(ZoneFault) {
        _ = try bytes(count, field)
    }

    mutating func bytes(_ count: Int, _ field: StaticString) throws(ZoneFault) -> ArraySlice<UInt8> {
        try expect(count, field)
        defer { position += count }
        return content[position..<position + count]
    }

    mutating func byte(_ field: StaticString) throws(ZoneFault) -> UInt8 {
        try expect(1, field)
        defer { position += 1 }
        return content[position]
    }

    mutating func int32(_ field: StaticString) throws(ZoneFault) -> Int32 {
        Int32(truncatingIfNeeded: try number(bytes: 4, field))
    }

    mutating func int64(_ field: StaticString) throws(ZoneFault) -> Int64 {
        Int64(bitPattern: try number(bytes: 8, field))
    }

    /// An unsigned number of 32 bits.
    mutating func count(_ field: StaticString) throws(ZoneFault) -> Int {
        Int(truncatingIfNeeded: try number(bytes: 4, field))
    }

    /// What stands between two newlines.
    mutating func line() throws(ZoneFault) -> ArraySlice<UInt8> {
        let (start, newline) = (position, UInt8(ascii: "\n"))
        guard try byte("the footer") == newline, let end = content[position...].firstIndex(of: newline) else {
            throw ZoneFault(reason: "expected a footer between newlines", offset: start)
        }
        defer { position = end + 1 }
        return content[position..<end]
    }

    private mutating func number(bytes count: Int, _ field: StaticString) throws(ZoneFault) -> UInt64 {
        try expect(count, field)
        var value: UInt64 = 0
        for index in position..<position + count { value = value << 8 | UInt64(content[index]) }
        position += count
        return value
    }
}
