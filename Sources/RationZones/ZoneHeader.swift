/// The header of a TZif file's block (RFC 9636 section 3.1).
struct ZoneHeader {
    /// 0 for version 1, else the character's value, 50 (`2`) or more.
    let version: UInt8
    let timeCount: Int
    let typeCount: Int
    let characterCount: Int
    private let standardCount: Int
    private let utcCount: Int

    /// - Throws: `ZoneFault` for counts that contradict each other, or leap seconds: instants are POSIX times, which have
    ///   none.
    init(from reader: inout ZoneFileReader) throws(ZoneFault) {
        guard try reader.bytes(4, "the mark TZif").elementsEqual("TZif".utf8) else {
            throw ZoneFault(reason: "expected the mark TZif", offset: reader.position - 4)
        }
        version = try reader.byte("the version")
        guard version == 0 || version >= UInt8(ascii: "2") else {
            throw ZoneFault(
                reason: "expected a version of 0 or from 50 on, found \(version)", offset: reader.position - 1)
        }
        try reader.skip(15, "the reserved bytes")
        utcCount = try reader.count("the number of UT indicators")
        standardCount = try reader.count("the number of standard-time indicators")
        let leapCount = try reader.count("the number of leap seconds")
        timeCount = try reader.count("the number of transitions")
        typeCount = try reader.count("the number of local time types")
        characterCount = try reader.count("the number of abbreviation characters")
        let end = reader.position
        guard leapCount == 0 else {
            throw ZoneFault(reason: "expected no leap seconds, found \(leapCount)", offset: end - 16)
        }
        guard (1...256).contains(typeCount), characterCount > 0 else {
            throw ZoneFault(
                reason: "expected 1 to 256 local time types with abbreviations, found \(typeCount) and "
                    + "\(characterCount)", offset: end - 8)
        }
        guard utcCount == 0 || utcCount == typeCount, standardCount == 0 || standardCount == typeCount else {
            throw ZoneFault(
                reason: "expected no indicators or \(typeCount), found \(utcCount) and \(standardCount)",
                offset: end - 24)
        }
    }

    /// The length of the block that follows.
    func blockBytes(timeBytes: Int) -> Int {
        // Counts are below 2^32, so that no sum comes near 2^63.
        timeCount * (timeBytes + 1) + typeCount * 6 + characterCount + standardCount + utcCount
    }
}
