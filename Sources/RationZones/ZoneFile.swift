import RationModel

/// A compiled time zone: a TZif file (RFC 9636 section 3), with every length and index checked.
struct ZoneFile {
    /// Before the first transition, milliseconds east of UTC.
    private(set) var offsetMilliseconds: Int64 = 0
    private(set) var transitions: [ZoneTable.Transition] = []
    private(set) var rule: ZoneRule?

    /// No file of the tz database comes near this many bytes.
    static let mostBytes = 1 << 20

    /// - Throws: `ZoneFault` for a file that breaks the format, or counts leap seconds.
    init(_ bytes: [UInt8]) throws(ZoneFault) {
        var reader = ZoneFileReader(bytes)
        let first = try ZoneHeader(from: &reader)
        guard first.version > 0 else {
            try readBlock(first, timeBytes: 4, from: &reader)
            return
        }
        // The first block repeats what fits 32 bits; it is there for old readers.
        try reader.skip(first.blockBytes(timeBytes: 4), "the block of 32-bit times")
        let second = try ZoneHeader(from: &reader)
        try readBlock(second, timeBytes: 8, from: &reader)
        try readFooter(from: &reader)
    }

    private mutating func readBlock(
        _ header: ZoneHeader, timeBytes: Int, from reader: inout ZoneFileReader
    ) throws(ZoneFault) {
        let end = reader.position + header.blockBytes(timeBytes: timeBytes)
        try reader.expect(end - reader.position, "the data block")
        let times = try Self.times(header.timeCount, bytes: timeBytes, from: &reader)
        let typeIndexesAt = reader.position
        let typeIndexes = try reader.bytes(header.timeCount, "the transition types")
        let offsets = try Self.offsets(header, from: &reader)
        for (index, (time, type)) in zip(times, typeIndexes).enumerated() {
            guard Int(type) < offsets.count else {
                throw ZoneFault(
                    reason: "expected a transition type below \(offsets.count), found \(type)",
                    offset: typeIndexesAt + index)
            }
            transitions.append(ZoneTable.Transition(start: time, offsetMilliseconds: offsets[Int(type)]))
        }
        offsetMilliseconds = offsets[0]
        // Abbreviations and the standard and UT indicators change no offset.
        try reader.skip(end - reader.position, "the rest of the data block")
    }

    private static func times(
        _ count: Int, bytes: Int, from reader: inout ZoneFileReader
    ) throws(ZoneFault) -> [Instant] {
        var times: [Instant] = []
        var previous = Int64.min
        for _ in 0..<count {
            let offset = reader.position
            let seconds = bytes == 8 ? try reader.int64("a time") : Int64(try reader.int32("a time"))
            guard seconds > previous else {
                throw ZoneFault(
                    reason: "expected times that ascend, found \(seconds) after \(previous)", offset: offset)
            }
            previous = seconds
            times.append(Instant(milliseconds: seconds.saturatingThousandfold))
        }
        return times
    }

    /// The offset of each local time type, in milliseconds.
    private static func offsets(_ header: ZoneHeader, from reader: inout ZoneFileReader) throws(ZoneFault) -> [Int64] {
        var offsets: [Int64] = []
        for _ in 0..<header.typeCount {
            let offset = reader.position
            let seconds = Int64(try reader.int32("an offset from UTC"))
            let isDaylight = try reader.byte("a daylight-saving mark")
            let abbreviation = try reader.byte("an abbreviation's index")
            guard abs(seconds) * 1000 <= ZoneTable.furthestMilliseconds else {
                throw ZoneFault(reason: "expected an offset within 26 hours, found \(seconds) s", offset: offset)
            }
            guard isDaylight <= 1, Int(abbreviation) < header.characterCount else {
                throw ZoneFault(
                    reason: "expected a mark of 0 or 1 and an index below \(header.characterCount), "
                        + "found \(isDaylight) and \(abbreviation)", offset: offset + 4)
            }
            offsets.append(seconds * 1000)
        }
        return offsets
    }

    /// `\n`, a POSIX TZ string or nothing, `\n`.
    private mutating func readFooter(from reader: inout ZoneFileReader) throws(ZoneFault) {
        let offset = reader.position
        let text = try reader.line()
        guard !text.isEmpty else { return }
        guard let rule = ZoneRule(posix: text) else {
            let written = String(decoding: text.prefix(64), as: UTF8.self)
            throw ZoneFault(reason: "expected a POSIX TZ string, found '\(written)'", offset: offset)
        }
        if let last = transitions.last {
            let after = rule.offset(at: last.start)
            guard after == last.offsetMilliseconds else {
                throw ZoneFault(
                    reason: "expected a TZ string that agrees with the last transition's offset, "
                        + "\(last.offsetMilliseconds) ms, found \(after) ms", offset: offset)
            }
        }
        self.rule = rule
    }
}

extension Int64 {
    /// Seconds as milliseconds, held at the ends of the range.
    fileprivate var saturatingThousandfold: Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: 1000)
        return overflow ? (self < 0 ? .min : .max) : product
    }
}
