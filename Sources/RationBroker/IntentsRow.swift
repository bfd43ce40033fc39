import RationModel

/// A batch's requests as one row of the store: `version u8, bytes u32 + the batch's bytes, requests u32, then for each
/// publisher u8 + name, number u64, body's hash u64, intents u32`. Little-endian.
///
/// The batch's bytes are those that its intents name their text in: what the core keeps of contents stands there.
enum IntentsRow {
    private static let version: UInt8 = 1
    private static let headBytes = 5

    static func pack(_ batch: [UInt8], _ requests: [PublishRequest]) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(headBytes + batch.count + requests.count * 32)
        row.append(version)
        append(UInt32(truncatingIfNeeded: batch.count), to: &row)
        row += batch
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

    /// Where a batch's bytes stand in its row.
    /// - Throws: `StateError` for what is no such row.
    static func batchBytes(_ row: [UInt8]) throws(StateError) -> Range<Int> {
        guard row.count >= headBytes, row[0] == version else {
            throw StateError("a row of intents is not of version \(version)")
        }
        let count = Int(
            UInt32(littleEndian: row.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self) }))
        guard count <= row.count - headBytes else {
            throw StateError("a row of intents ends before its \(count) bytes of text")
        }
        return headBytes..<headBytes + count
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
