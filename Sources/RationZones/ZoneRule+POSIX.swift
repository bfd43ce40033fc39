import RationModel

extension ZoneRule {
    /// Reads a POSIX TZ string: `CET-1CEST,M3.5.0,M10.5.0/3`, with the extensions of RFC 9636 section 3.3.1 (names in angle
    /// brackets, times from −167 to 167 hours).
    /// - Returns: nil for anything else, and for daylight-saving time without its two dates.
    init?(posix text: some Sequence<UInt8>) {
        var scanner = POSIXScanner(Array(text))
        guard scanner.name(), let west = scanner.time(mostHours: 24) else { return nil }
        self.init(standardMilliseconds: -west)
        if scanner.isAtEnd { return }
        guard scanner.name() else { return nil }
        // Without an offset of its own, daylight-saving time is one hour ahead.
        var daylight = standardMilliseconds + 3_600_000
        if !scanner.isNext(",") {
            guard let west = scanner.time(mostHours: 24) else { return nil }
            daylight = -west
        }
        guard let begins = scanner.change(), let ends = scanner.change(), scanner.isAtEnd else { return nil }
        self.daylight = Daylight(offsetMilliseconds: daylight, begins: begins, ends: ends)
    }
}

/// Takes a POSIX TZ string apart, from left to right.
private struct POSIXScanner {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    var isAtEnd: Bool { position == text.count }

    func isNext(_ character: Unicode.Scalar) -> Bool {
        position < text.count && text[position] == UInt8(ascii: character)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        position += 1
        return true
    }

    /// At least three letters, or letters, digits, `+` and `-` in angle brackets.
    mutating func name() -> Bool {
        let isQuoted = take("<")
        let start = position
        while position < text.count, Self.isInName(text[position], isQuoted: isQuoted) { position += 1 }
        let count = position - start
        return count >= 3 && (!isQuoted || take(">"))
    }

    private static func isInName(_ byte: UInt8, isQuoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
        default: false
        }
    }

    /// `,date/time`, the time 02:00 unless it is named.
    mutating func change() -> ZoneRule.Change? {
        guard take(","), let day = day() else { return nil }
        guard take("/") else { return ZoneRule.Change(day: day, milliseconds: 7_200_000) }
        return time(mostHours: 167).map { ZoneRule.Change(day: day, milliseconds: $0) }
    }

    private mutating func day() -> ZoneRule.Day? {
        if take("J") { return number(1...365).map { .julian($0) } }
        guard take("M") else { return number(0...365).map { .ordinal($0) } }
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }

    /// `[+-]hh[:mm[:ss]]` in milliseconds.
    mutating func time(mostHours: Int) -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(0...mostHours) else { return nil }
        var seconds = hours * 3600
        if take(":") {
            guard let minutes = number(0...59) else { return nil }
            seconds += minutes * 60
            if take(":") {
                guard let rest = number(0...59) else { return nil }
                seconds += rest
            }
        }
        return Int64(isNegative ? -seconds : seconds) * 1000
    }

    /// One to three digits.
    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let start = position
        var value = 0
        while position < text.count, position - start < 3, (0x30...0x39).contains(text[position]) {
            value = value * 10 + Int(text[position] - 0x30)
            position += 1
        }
        return position > start && range.contains(value) ? value : nil
    }
}
