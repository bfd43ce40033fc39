internal import RationModel

/// The forms that the settings of schedulers have.
extension SettingReader {
    /// Durations of settings end here: ten years, as the broker's horizon.
    public static let durationMilliseconds: ClosedRange<Int64> = 0...3653 * 86_400_000

    /// Milliseconds of a duration (`90s`, `7d`).
    public mutating func duration(
        _ name: String, standard: Int64, in range: ClosedRange<Int64> = durationMilliseconds
    ) -> Int64 {
        let ends = (WrittenDuration.text(range.lowerBound), WrittenDuration.text(range.upperBound))
        return read(name, expected: "a duration from \(ends.0) to \(ends.1)", standard: standard) { value in
            guard case .text(let text) = value, let found = WrittenDuration.milliseconds(text), range.contains(found)
            else { return nil }
            return found
        }
    }

    /// A number of whole days, written as a duration (`3d`).
    public mutating func days(_ name: String, standard: Int, in range: ClosedRange<Int>) -> Int {
        let expected = "whole days from \(range.lowerBound)d to \(range.upperBound)d"
        return read(name, expected: expected, standard: standard) { $0.days(in: range) }
    }

    /// Distinct numbers of whole days, rising.
    public mutating func days(
        _ name: String, standard: [Int], in range: ClosedRange<Int>, count: ClosedRange<Int>
    ) -> [Int] {
        let expected =
            "a list of \(count.lowerBound) to \(count.upperBound) different durations, each whole days from "
            + "\(range.lowerBound)d to \(range.upperBound)d"
        return read(name, expected: expected, standard: standard) { value in
            guard case .list(let values) = value, count.contains(values.count) else { return nil }
            let found = Set(values.compactMap { $0.days(in: range) })
            return found.count == values.count ? found.sorted() : nil
        }
    }

    /// Minutes since midnight of a time of day (`10:00`), 0–1439.
    public mutating func timeOfDay(_ name: String, standard: Int) -> Int {
        read(name, expected: "a time of day from 00:00 to 23:59", standard: standard) { value in
            guard case .text(let text) = value, let minute = TimeOfDay.minutes(text), minute < TimeOfDay.minutesPerDay
            else { return nil }
            return minute
        }
    }

    public mutating func wholeNumber(_ name: String, standard: Int, in range: ClosedRange<Int>) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return read(name, expected: expected, standard: standard) { value in
            guard case .wholeNumber(let number) = value, let number = Int(exactly: number), range.contains(number)
            else { return nil }
            return number
        }
    }

    /// A type's name (semantics.md section 6).
    public mutating func type(_ name: String = "type", standard: String) -> String {
        let expected = "1 to \(Limits.typeBytes) bytes of letters, digits, '.', '-' and '_'"
        return read(name, expected: expected, standard: standard) { value in
            guard case .text(var text) = value else { return nil }
            return text.withUTF8 { Name.isPlain(UnsafeRawBufferPointer($0), limit: Limits.typeBytes) } ? text : nil
        }
    }

    /// What ids begin with: leaves room for what follows.
    public mutating func prefix(_ name: String = "prefix", standard: String) -> String {
        let limit = Limits.idBytes / 2
        let expected = "1 to \(limit) bytes without control characters or spaces at the ends"
        return read(name, expected: expected, standard: standard) { value in
            guard case .text(let text) = value else { return nil }
            return text.isIdentifier(limit: limit) ? text : nil
        }
    }

    /// The name of a time zone; whether it is known is found out when it is used.
    public mutating func timeZone(_ name: String = "timeZone", standard: String) -> String {
        read(name, expected: "a name of the tz database such as Europe/Madrid", standard: standard) { value in
            guard case .text(let text) = value else { return nil }
            return text.isIdentifier(limit: 64) ? text : nil
        }
    }
}

extension SettingValue {
    /// Whole days of a duration.
    fileprivate func days(in range: ClosedRange<Int>) -> Int? {
        guard case .text(let text) = self, let found = WrittenDuration.milliseconds(text) else { return nil }
        let (days, rest) = found.quotientAndRemainder(dividingBy: Instant.dayMilliseconds)
        guard rest == 0, let days = Int(exactly: days), range.contains(days) else { return nil }
        return days
    }
}

extension String {
    /// Whether it may be an id, or its beginning (semantics.md section 6): no control characters, no spaces at the ends.
    public func isIdentifier(limit: Int) -> Bool {
        var text = self
        return text.withUTF8 { Name.isText(UnsafeRawBufferPointer($0), limit: limit, slashAllowed: true) }
    }
}
