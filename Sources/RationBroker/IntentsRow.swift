import RationModel
import RationPlanner

/// What a batch was decided from, as one row of the store: `version u8, core's version u32, requests u32, then for each
/// publisher u8 + name, number u64, body's hash u64, intents u32`, then the intents (`IntentBatch.write`). Little-endian.
/// Their text and contents stand in the batch's contents.
struct IntentsRow {
    static let version: UInt8 = 3

    /// The version of the core that decided it.
    var coreVersion: UInt32
    var batch: IntentBatch

    static func pack(_ requests: [PublishRequest], _ batch: IntentBatch) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(16 + requests.count * 32 + batch.intents.count * 64)
        row.append(version)
        append(Core.version, to: &row)
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
        batch.write(to: &row)
        return row
    }

    private static func append(_ number: some FixedWidthInteger, to row: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { row.append(contentsOf: $0) }
    }

    /// - Parameter contents: the batch's.
    /// - Throws: `StateError` for what is no such row.
    init(_ row: [UInt8], contents: [UInt8]) throws(StateError) {
        guard row.count >= 9, row[0] == Self.version else {
            throw StateError("a row of intents is not of version \(Self.version)")
        }
        func number<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
            row.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
        }
        coreVersion = number(1, UInt32.self)
        var place = 9
        for _ in 0..<number(5, UInt32.self) {
            guard place < row.count else { throw StateError("a row of intents ends among its requests") }
            place += 1 + Int(row[place]) + 20
        }
        guard place <= row.count else { throw StateError("a row of intents ends among its requests") }
        do throws(StateFault) {
            batch = try row[place...].withUnsafeBufferPointer { (bytes) throws(StateFault) in
                try IntentBatch(UnsafeRawBufferPointer(bytes), bytes: contents)
            }
        } catch {
            throw StateError("a row of intents cannot be read: \(error)")
        }
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
