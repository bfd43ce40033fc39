/// Writes the fields of a small row one after another: numbers little-endian, bytes with their length before them.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func number(_ number: Int64) {
        self.number(UInt64(bitPattern: number))
    }

    mutating func field(_ field: [UInt8]) {
        number(UInt64(field.count))
        bytes.append(contentsOf: field)
    }
}

/// Reads what `FieldWriter` wrote; nil where the bytes end too early.
struct FieldReader {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        let number = UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
        return number
    }

    mutating func signedNumber() -> Int64? { number().map(Int64.init(bitPattern:)) }

    mutating func field() -> [UInt8]? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        let field = Array(rest.prefix(Int(count)))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(count)))
        return field
    }
}
