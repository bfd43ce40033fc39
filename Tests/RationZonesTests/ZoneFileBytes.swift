import RationModel

/// The bytes of a TZif file in the making (RFC 9636 section 3).
struct ZoneFileBytes {
    var version: UInt8 = UInt8(ascii: "2")
    /// Seconds since 1970-01-01T00:00:00Z, and an index into `types`.
    var transitions: [(time: Int64, type: UInt8)] = []
    /// Seconds east of UTC.
    var types: [(offset: Int32, isDaylight: UInt8, abbreviation: UInt8)] = [(0, 0, 0)]
    var abbreviations = Array("UTC\0".utf8)
    var leapSeconds: UInt32 = 0
    var standardIndicators: [UInt8] = []
    var utcIndicators: [UInt8] = []
    var footer = "\nUTC0\n"

    var bytes: [UInt8] {
        guard version > 0 else { return block(timeBytes: 4) }
        var old = self
        // What a slim file has in the block for old readers.
        (old.transitions, old.types, old.abbreviations) = ([], [(0, 0, 0)], [0])
        (old.leapSeconds, old.standardIndicators, old.utcIndicators) = (0, [], [])
        return old.block(timeBytes: 4) + block(timeBytes: 8) + Array(footer.utf8)
    }

    private func block(timeBytes: Int) -> [UInt8] {
        let counts = [
            utcIndicators.count, standardIndicators.count, Int(leapSeconds), transitions.count, types.count,
            abbreviations.count,
        ]
        var bytes = Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
        for count in counts { bytes += bigEndian(Int64(count), 4) }
        for transition in transitions { bytes += bigEndian(transition.time, timeBytes) }
        bytes += transitions.map(\.type)
        for type in types { bytes += bigEndian(Int64(type.offset), 4) + [type.isDaylight, type.abbreviation] }
        return bytes + abbreviations + Array(repeating: 0, count: Int(leapSeconds) * (timeBytes + 4))
            + standardIndicators + utcIndicators
    }

    private func bigEndian(_ value: Int64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }
}
