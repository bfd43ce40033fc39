/// A set of minutes of the week on a wall clock: bit 0 is Monday 00:00.
struct WeekMinutes {
    static let count = 7 * TimeOfDay.minutesPerDay

    private var words = [UInt64](repeating: 0, count: (count + 63) / 64)

    init() {}

    /// The minutes of a window on all its days; its times are within their ranges.
    init(_ window: QuietWindow) {
        for day in 0..<7 where window.days.rawValue >> day & 1 != 0 {
            let start = day * TimeOfDay.minutesPerDay + window.from
            let end = start + window.length
            insert(start..<min(end, Self.count))
            // Sunday's window over midnight ends on Monday.
            if end > Self.count { insert(0..<end - Self.count) }
        }
    }

    private mutating func insert(_ minutes: Range<Int>) {
        var minute = minutes.lowerBound
        while minute < minutes.upperBound {
            let (word, bit) = (minute / 64, minute % 64)
            let length = min(64 - bit, minutes.upperBound - minute)
            words[word] |= (UInt64.max >> UInt64(64 - length)) << UInt64(bit)
            minute += length
        }
    }

    mutating func formUnion(_ other: WeekMinutes) {
        for word in words.indices { words[word] |= other.words[word] }
    }

    var isFull: Bool {
        words.reduce(0) { $0 + $1.nonzeroBitCount } == Self.count
    }
}
