/// A time of the day as quiet hours write it: `HH:MM`, in minutes since midnight.
public enum TimeOfDay {
    /// Minutes of a day; as the end of a window also its last instant, 24:00.
    public static let minutesPerDay = 1440

    /// - Returns: 0–1440; nil for any text but two digits, a colon and two digits from `00:00` to `24:00`.
    public static func minutes(_ text: String) -> Int? {
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == 5, text.utf8.dropFirst(2).first == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
        else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
        guard minute < 60, hour < 24 || (hour == 24 && minute == 0) else { return nil }
        return hour * 60 + minute
    }

    /// The text of 0–1440 minutes, `07:30`; of another number, that number.
    public static func text(_ minutes: Int) -> String {
        guard (0...minutesPerDay).contains(minutes) else { return "minute \(minutes)" }
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
