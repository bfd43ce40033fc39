/// The rules for a calendar trigger's components (semantics.md sections 2 and 6).
extension CalendarPattern {
    /// A component, from the largest to the smallest.
    public enum Component: CaseIterable, Sendable {
        case year, month, day, weekday, hour, minute, second

        /// The word on the wire.
        public var name: StaticString {
            switch self {
            case .year: "year"
            case .month: "month"
            case .day: "day"
            case .weekday: "weekday"
            case .hour: "hour"
            case .minute: "minute"
            case .second: "second"
            }
        }

        /// The numbers that it may have.
        public var range: ClosedRange<Int16> {
            switch self {
            case .year: 1...9999
            case .month: 1...12
            case .day: 1...31
            case .weekday: 1...7
            case .hour: 0...23
            case .minute, .second: 0...59
            }
        }

        /// The rejection of a value.
        /// - Parameter found: the value, or its kind where it is no number.
        public func fault(found: String) -> Rejection {
            Rejection(
                .triggerComponent, field: "trigger.calendar.\(name)",
                "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(found)")
        }
    }

    /// A component's number; -1 where it is absent.
    public subscript(component: Component) -> Int16 {
        get {
            switch component {
            case .year: year
            case .month: month
            case .day: day
            case .weekday: weekday
            case .hour: hour
            case .minute: minute
            case .second: second
            }
        }
        set {
            switch component {
            case .year: year = newValue
            case .month: month = newValue
            case .day: day = newValue
            case .weekday: weekday = newValue
            case .hour: hour = newValue
            case .minute: minute = newValue
            case .second: second = newValue
            }
        }
    }

    /// Why the pattern is refused, the first fault in section 6's order: no component (`trigger.empty`), one out of its
    /// range (`trigger.component`), a hole between two (`trigger.gap`); nil when it is sound.
    public func fault() -> Rejection? {
        if isEmpty {
            return Rejection(
                .triggerEmpty, field: "trigger.calendar",
                "expected at least one component from year to second, found none")
        }
        for component in Component.allCases where self[component] != -1 {
            if !component.range.contains(self[component]) { return component.fault(found: "\(self[component])") }
        }
        if second >= 0, minute < 0, hour >= 0 || namesDate { return hole(above: .second, missing: .minute) }
        if minute >= 0, hour < 0, namesDate { return hole(above: .minute, missing: .hour) }
        return nil
    }

    private func hole(above component: Component, missing: Component) -> Rejection {
        let larger = Component.allCases.prefix { $0 != missing }.last { self[$0] >= 0 } ?? missing
        return Rejection(
            .triggerGap, field: "trigger.calendar.\(missing)",
            "expected \(missing.name) between \(larger.name) and \(component.name), found none")
    }
}
