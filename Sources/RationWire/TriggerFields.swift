internal import RationJSON
import RationModel

/// The members of a trigger, shape first (`intent.malformed`), then meaning (`trigger.…`).
struct TriggerFields {
    private enum Form {
        case none
        case at(Instant)
        case after(Double)
        case every(Double)
        case calendar(CalendarFields)
    }

    private var form = Form.none
    private var repeats = false
    /// nil for a trigger that floats with its recipient.
    private var timeZone: UnsafeRawBufferPointer?

    init(_ value: JSONValue) throws(Rejection) {
        guard value.kind == .object else {
            throw Rejection(.malformed, field: "trigger", "expected an object, found \(value.kindName)")
        }
        var count = 0
        var calendarMember: StaticString?
        for member in value.children {
            if let name = try Self.calendarMember(member) {
                guard !member.isNull else { continue }
                calendarMember = name
                repeats = member.bool ?? repeats
                timeZone = member.string ?? timeZone
                continue
            }
            guard let form = try Self.form(member) else {
                let name = member.keyName
                throw Rejection(.malformed, field: "trigger.\(name)", "no trigger has a field '\(name)'")
            }
            guard !member.isNull else { continue }
            self.form = form
            count += 1
        }
        guard count <= 1 else {
            throw Rejection(.malformed, field: "trigger", "expected one of at, after, every, calendar, found \(count)")
        }
        if let calendarMember, !isCalendar {
            throw Rejection(
                .malformed, field: "trigger.\(calendarMember)", "'\(calendarMember)' belongs to a calendar trigger")
        }
    }

    /// The name of a member that only stands beside `calendar`; nil for any other.
    private static func calendarMember(_ member: JSONValue) throws(Rejection) -> StaticString? {
        if equals(member.key, "repeats") {
            guard member.isNull || member.bool != nil else {
                throw Rejection(.malformed, field: "trigger.repeats", "expected a boolean, found \(member.kindName)")
            }
            return "repeats"
        }
        guard equals(member.key, "timeZone") else { return nil }
        guard member.isNull || member.string != nil else {
            throw Rejection(.malformed, field: "trigger.timeZone", "expected a string, found \(member.kindName)")
        }
        return "timeZone"
    }

    private var isCalendar: Bool {
        if case .calendar = form { true } else { false }
    }

    /// nil for a member that no trigger has.
    private static func form(_ member: JSONValue) throws(Rejection) -> Form? {
        let (isAt, isAfter) = (equals(member.key, "at"), equals(member.key, "after"))
        guard isAt || isAfter || equals(member.key, "every") || equals(member.key, "calendar") else { return nil }
        guard !member.isNull else { return Form.none }
        if isAt {
            guard let date = member.instant else {
                throw Rejection(.malformed, field: "trigger.at", "expected \(WireDate.expected)")
            }
            return .at(date)
        }
        if equals(member.key, "calendar") { return .calendar(try CalendarFields(member)) }
        guard let seconds = member.number else {
            let name = isAfter ? "after" : "every"
            throw Rejection(.malformed, field: "trigger.\(name)", "expected seconds, found \(member.kindName)")
        }
        return isAfter ? .after(seconds) : .every(seconds)
    }

    /// The trigger; its dates are checked by the core, which knows the batch's instant.
    /// - Parameters:
    ///   - zones: those that it may name.
    ///   - bytes: gets the zone's name, when nothing is refused.
    func trigger(_ zones: any ZoneChecking, into bytes: inout ByteArena) throws(Rejection) -> Trigger {
        switch form {
        case .at(let date): return .at(date)
        case .after(let seconds): return .after(seconds: seconds)
        case .every(let seconds): return .every(seconds: seconds)
        case .calendar(let calendar):
            if let timeZone { try zones.check(timeZone, field: "trigger.timeZone") }
            let pattern = try calendar.checked()
            let name = timeZone.map { bytes.append($0) } ?? .empty
            return .calendar(CalendarTrigger(pattern: pattern, repeats: repeats, timeZone: name))
        case .none:
            throw Rejection(.triggerEmpty, field: "trigger", "expected one of at, after, every, calendar, found none")
        }
    }
}
