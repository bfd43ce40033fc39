internal import RationJSON
import RationModel

/// The members of `calendar` in a trigger: unknown names are refused at once (`intent.malformed`), what the components'
/// values break is kept for later.
struct CalendarFields {
    private var pattern = CalendarPattern()

    /// The first component that is no whole number or out of its range.
    private var componentFault: Rejection?

    init(_ value: JSONValue) throws(Rejection) {
        guard value.kind == .object else {
            throw Rejection(.malformed, field: "trigger.calendar", "expected an object, found \(value.kindName)")
        }
        for member in value.children {
            guard let component = Self.component(member.key) else {
                let name = member.keyName
                throw Rejection(.malformed, field: "trigger.calendar.\(name)", "no calendar has a component '\(name)'")
            }
            if !member.isNull { take(component, member) }
        }
    }

    private static func component(_ key: UnsafeRawBufferPointer) -> CalendarPattern.Component? {
        for component in CalendarPattern.Component.allCases where equals(key, component.name) { return component }
        return nil
    }

    private mutating func take(_ component: CalendarPattern.Component, _ value: JSONValue) {
        if let number = value.wholeNumber, let small = Int16(exactly: number), component.range.contains(small) {
            pattern[component] = small
        } else if componentFault == nil {
            let found = value.wholeNumber.map { "\($0)" } ?? value.number.map { "\($0)" } ?? "\(value.kindName)"
            componentFault = component.fault(found: found)
        }
    }

    /// The pattern, sound.
    func checked() throws(Rejection) -> CalendarPattern {
        if let fault = componentFault ?? pattern.fault() { throw fault }
        return pattern
    }
}
