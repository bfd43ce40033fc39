/// A calendar trigger of section 2.
struct ModelCalendar: Hashable {
    var year: Int64?
    var month: Int64?
    var day: Int64?
    var weekday: Int64?
    var hour: Int64?
    var minute: Int64?
    var second: Int64?
    var repeats = false
    /// nil: it floats.
    var zone: Text?
    /// Whether a component is out of range or no integer.
    var isOutOfRange = false

    static let ranges: [Text: ClosedRange<Int64>] = [
        "year": 1...9999, "month": 1...12, "day": 1...31, "weekday": 1...7, "hour": 0...23, "minute": 0...59,
        "second": 0...59,
    ]

    /// - Parameter trigger: known to be well-formed.
    init(_ trigger: Value) {
        let calendar = trigger["calendar"] ?? [:]
        func component(_ name: Text) -> Int64? { calendar[name]?.integer }
        (year, month, day, weekday) = (component("year"), component("month"), component("day"), component("weekday"))
        (hour, minute, second) = (component("hour"), component("minute"), component("second"))
        repeats = trigger["repeats"]?.bool ?? false
        zone = trigger["timeZone"]?.text
        isOutOfRange = (calendar.members ?? []).contains { member in
            guard member.value != .null else { return false }
            guard let number = member.value.integer else { return true }
            return Self.ranges[member.key]?.contains(number) != true
        }
    }

    var namesDate: Bool { year != nil || month != nil || day != nil || weekday != nil }

    /// A code of section 6.
    var fault: Text? {
        if isOutOfRange { return "trigger.component" }
        if !namesDate && hour == nil && minute == nil && second == nil { return "trigger.empty" }
        if second != nil && minute == nil && (hour != nil || namesDate) { return "trigger.gap" }
        if minute != nil && hour == nil && namesDate { return "trigger.gap" }
        return nil
    }

    /// The first match strictly after an instant and not after the limit.
    func next(after instant: Int64, in zone: ModelZone, until limit: Int64) -> Int64? {
        hour == nil && !namesDate
            ? nextOnTimeLine(after: instant, in: zone, until: limit)
            : nextOfDays(after: instant, in: zone, until: limit)
    }

    /// "A pattern without hour and date follows the real time line."
    private func nextOnTimeLine(after instant: Int64, in zone: ModelZone, until limit: Int64) -> Int64? {
        var candidate = instant.divided(by: 60_000) * 60_000 + (second ?? 0) * 1000
        while candidate <= limit {
            let wallMinute = zone.wall(at: candidate).divided(by: 60_000)
            if candidate > instant, minute == nil || wallMinute - wallMinute.divided(by: 60) * 60 == minute {
                return candidate
            }
            candidate += 60_000
        }
        return nil
    }

    /// With an hour or a date there is one time of the day, on all days that match.
    private func nextOfDays(after instant: Int64, in zone: ModelZone, until limit: Int64) -> Int64? {
        let time = ((hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0)) * 1000
        var first = zone.wall(at: instant).divided(by: ModelZone.day) - 2
        var last = zone.wall(at: limit).divided(by: ModelZone.day) + 2
        if let year {
            // A year has 365 or 366 days: outside of these is another year.
            first = max(first, (year - 1970) * 365)
            last = min(last, (year - 1969) * 366)
        }
        guard first <= last else { return nil }
        for number in first...last where matches(ModelDay(number: number)) {
            let candidate = zone.instant(wall: number * ModelZone.day + time)
            if candidate > instant { return candidate <= limit ? candidate : nil }
        }
        return nil
    }

    /// "Components larger than the smallest named one match any value; smaller ones take their lowest; a weekday counts as
    /// a day."
    private func matches(_ date: ModelDay) -> Bool {
        if let year, date.year != year { return false }
        if let weekday, date.weekday != weekday { return false }
        let namesTime = hour != nil
        let namesDay = day != nil || weekday != nil
        let lowestDay: Int64? = namesTime || namesDay ? nil : 1
        let lowestMonth: Int64? = namesTime || namesDay || month != nil ? nil : 1
        if let day = day ?? lowestDay, date.day != day { return false }
        if let month = month ?? lowestMonth, date.month != month { return false }
        return true
    }
}

/// A date of the proleptic Gregorian calendar.
struct ModelDay {
    var year: Int64
    /// 1–12.
    var month: Int64
    /// 1–31.
    var day: Int64
    /// 1–7, 1 is Sunday.
    var weekday: Int64

    /// - Parameter number: days since 1970-01-01, a Thursday.
    init(number: Int64) {
        weekday = number + 4 - (number + 4).divided(by: 7) * 7 + 1
        // 400 years have 146,097 days; a year counted from 1 March has its leap day at its end.
        let shifted = number + 719_468
        let era = shifted.divided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}
