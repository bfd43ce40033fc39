/// A window of quiet hours (section 3).
struct ModelWindow: Hashable {
    /// Minutes of the day.
    var from: Int64
    var to: Int64
    /// Whether it starts on a day of the week, Monday first.
    var days: [Bool]
    var types: [Text]?
    var exempt: [Text]

    static let dayNames: [Text] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    static let levels: [Text] = ["passive", "active", "timeSensitive", "critical"]

    /// - Returns: nil for one that a policy's rules refuse.
    init?(_ value: Value) {
        let keys: [Text] = ["from", "to", "days", "types", "exempt"]
        guard let members = value.members, members.allSatisfy({ keys.contains($0.key) }),
            let from = Self.minutes(value["from"], last: 23 * 60 + 59),
            let to = Self.minutes(value["to"], last: 24 * 60),
            from != to,
            let days = Self.words(value["days"], default: Self.dayNames), days.allSatisfy(Self.dayNames.contains),
            let exempt = Self.words(value["exempt"], default: ["timeSensitive", "critical"]),
            exempt.allSatisfy(Self.levels.contains)
        else { return nil }
        self.from = from
        self.to = to
        self.days = Self.dayNames.map(days.contains)
        self.exempt = Self.levels.filter(exempt.contains)
        if let types = value["types"] {
            guard let names = Self.words(types, default: []), names.allSatisfy(ModelIntent.isPlainType) else {
                return nil
            }
            self.types = names
        }
    }

    private static func words(_ value: Value?, default words: [Text]) -> [Text]? {
        guard let value else { return words }
        guard let elements = value.elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    /// HH:MM.
    private static func minutes(_ value: Value?, last: Int64) -> Int64? {
        guard let bytes = value?.text?.bytes, bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int64($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard minutes < 60, hours * 60 + minutes <= last else { return nil }
        return hours * 60 + minutes
    }

    func binds(type: Text, level: Text) -> Bool {
        types?.contains(type) ?? true && !exempt.contains(level)
    }

    /// Whether a wall time lies in it. "A window over midnight belongs to the day on which it starts."
    func contains(wall: Int64) -> Bool {
        let number = wall.divided(by: ModelZone.day)
        let minute = (wall - number * ModelZone.day) / 60_000
        if from < to { return minute >= from && minute < to && starts(on: number) }
        return minute >= from && starts(on: number) || minute < to && starts(on: number - 1)
    }

    /// - Parameter number: days since 1970-01-01, a Thursday.
    private func starts(on number: Int64) -> Bool {
        days[Int(number + 3 - (number + 3).divided(by: 7) * 7)]
    }

    /// Whether some type and level has no free minute in the week.
    static func leaveNothing(_ windows: [ModelWindow]) -> Bool {
        let minutes = windows.map { $0.from < $0.to ? $0.to - $0.from : 1440 - $0.from + $0.to }
        if minutes.reduce(0, +) < 1440 { return false }
        let types: Set<Text> = Set(windows.flatMap { $0.types ?? [] }).union(["any other type"])
        return types.contains { type in
            levels.contains { level in
                let binding = windows.filter { $0.binds(type: type, level: level) }
                return (0..<Int64(7 * 1440)).allSatisfy { minute in
                    binding.contains { $0.contains(wall: minute * 60_000) }
                }
            }
        }
    }
}

/// The windows that bind one notification, on its recipient's wall clock.
struct ModelQuietHours {
    var windows: [ModelWindow]
    var zone: ModelZone

    func isQuiet(at instant: Int64) -> Bool {
        let wall = zone.wall(at: instant)
        return windows.contains { $0.contains(wall: wall) }
    }

    /// The first instant from this one on that is not quiet.
    func end(from instant: Int64) -> Int64 {
        var instant = instant
        while isQuiet(at: instant) { instant = nextChange(after: instant) }
        return instant
    }

    /// The next instant at which a window may begin or end: one of their times, midnight, or a change of the clocks.
    private func nextChange(after instant: Int64) -> Int64 {
        let span = zone.span(at: instant)
        let wall = instant + span.offset
        let midnight = wall.divided(by: ModelZone.day) * ModelZone.day
        var next = midnight + ModelZone.day
        for window in windows {
            for minute in [window.from, window.to] where midnight + minute * 60_000 > wall {
                next = min(next, midnight + minute * 60_000)
            }
        }
        return min(next - span.offset, span.end)
    }
}
