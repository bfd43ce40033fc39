import RationModel

/// A batch's requests as one row of the store: `version u8, requests u32, then for each publisher u8 + name, number u64,
/// body's hash u64, intents u32`. Little-endian.
enum IntentsRow {
    private static let version: UInt8 = 2

    static func pack(_ requests: [PublishRequest]) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(5 + requests.count * 32)
        row.append(version)
        append(UInt32(truncatingIfNeeded: requests.count), to: &row)
        for request in requests {
            let name = Array("\(request.publisher)".utf8)
            // Names have at most 64 bytes.
            row.append(UInt8(truncatingIfNeeded: name.count))
            row += name
            append(request.number, to: &row)
            append(request.bodyHash, to: &row)
            append(UInt32(truncatingIfNeeded: request.intents.count), to: &row)
        }
        return row
    }

    private static func append(_ number: some FixedWidthInteger, to row: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { row.append(contentsOf: $0) }
    }
}

/// Why a broker cannot go on from what its store has kept.
public struct StateError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}
