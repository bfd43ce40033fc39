import RationModel
import Testing

@Suite("A calendar pattern's rules")
struct CalendarPatternTests {
    private typealias Component = CalendarPattern.Component

    private func pattern(_ components: [(CalendarPattern.Component, Int16)]) -> CalendarPattern {
        var pattern = CalendarPattern()
        for (component, value) in components { pattern[component] = value }
        return pattern
    }

    private func refusal(_ components: [(CalendarPattern.Component, Int16)]) -> String? {
        pattern(components).fault().map { "\($0.code.rawValue) \($0.field)" }
    }

    @Test("each component has its range, and nothing beside it", arguments: CalendarPattern.Component.allCases)
    func ranges(component: CalendarPattern.Component) {
        let range = component.range
        // What makes a minute or second sound beside it is not looked at alone.
        #expect(refusal([(component, range.lowerBound)]) == nil)
        #expect(refusal([(component, range.upperBound)]) == nil)
        for value in [range.lowerBound - 1, range.upperBound + 1, -2, .min, .max] where value != -1 {
            #expect(refusal([(component, value)]) == "trigger.component trigger.calendar.\(component.name)")
        }
        #expect(
            pattern([(component, range.upperBound + 1)]).fault()?.message.contains("\(range.upperBound + 1)") == true)
    }

    @Test("a pattern without components is empty")
    func empty() {
        #expect(CalendarPattern().isEmpty && refusal([]) == "trigger.empty trigger.calendar")
        for component in Component.allCases { #expect(!pattern([(component, 1)]).isEmpty) }
    }

    @Test("year, month, day and weekday are dates")
    func dates() {
        let dates = Component.allCases.filter { pattern([($0, 1)]).namesDate }
        #expect(dates == [.year, .month, .day, .weekday])
    }

    /// By the sentence of the contract, for each of the 128 sets of components.
    @Test(
        "holes: second without minute beside an hour or a date, minute without hour beside a date", arguments: 1..<128)
    func holes(set: Int) {
        let named = Component.allCases.enumerated().filter { set >> $0.offset & 1 == 1 }.map(\.element)
        let hasDate = named.contains { [.year, .month, .day, .weekday].contains($0) }
        let hasHour = named.contains(.hour)
        let secondFloats = named.contains(.second) && !named.contains(.minute) && (hasHour || hasDate)
        let minuteFloats = named.contains(.minute) && !hasHour && hasDate
        let missing = secondFloats ? "minute" : minuteFloats ? "hour" : nil
        #expect(refusal(named.map { ($0, 1) }) == missing.map { "trigger.gap trigger.calendar.\($0)" })
    }

    @Test("a component out of range is told before a hole, and a hole names its two sides")
    func order() {
        #expect(refusal([(.hour, 24), (.second, 5)]) == "trigger.component trigger.calendar.hour")
        let message = pattern([(.weekday, 2), (.minute, 5), (.second, 1)]).fault()?.message
        #expect(message == "expected hour between weekday and minute, found none")
    }
}
