import RationModel
import RationPlanner

/// A rule that the tree does not have: at most one notification of a `threadId` in a calendar day of the recipient. With
/// its source it stays below 40 lines: so little a rule takes.
struct OneOfAThreadADay: Rule {
    let path = "oneOfAThreadADay"
    let counting = RuleCounting.all
    /// No calendar day is longer: a change of the clocks can at most repeat it.
    let reachMilliseconds = 2 * Instant.dayMilliseconds

    func mark(of notification: RuledNotification) -> UInt64 { notification.thread }

    func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling {
        let thread = notification.thread
        var date = instant
        while thread != 0 {
            let (day, sinceMidnight) = Instant.split(wall: date.milliseconds + zone.offset(at: date))
            var index = dates.firstIndex(after: date.advanced(by: -reachMilliseconds))
            while index < dates.count, dates[index].mark != thread || Self.day(of: dates[index].date, zone) != day {
                index += 1
            }
            guard index < dates.count else { break }
            let midnight = date.advanced(by: Instant.dayMilliseconds - sinceMidnight)
            date = min(midnight, zone.nextTransition(after: date) ?? midnight)
        }
        return date == instant ? .allowed : .later(date)
    }

    private static func day(of instant: Instant, _ zone: ZoneTable) -> Int64 {
        Instant.split(wall: instant.milliseconds + zone.offset(at: instant)).day
    }
}

struct ThreadRuleSource: RuleSource {
    static let name = "oneOfAThreadADay"
    func rules(of policy: Policy, types: PolicyTypes, device: DeviceSettings?) -> [any Rule] { [OneOfAThreadADay()] }
}
