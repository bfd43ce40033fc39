internal import RationJSON
internal import RationModel

/// What phones are answered, in JSON.
extension PlanDifference {
    /// `{"revision":…,"whole":…,"remove":[…],"add":[…]}`.
    public var body: [UInt8] {
        var writer = JSONWriter(capacity: 128 + remove.count * 48 + add.count * 384)
        writer.raw(#"{"revision":"#)
        writer.string(revision.text)
        writer.raw(#","whole":"#)
        writer.bool(isWhole)
        writer.raw(#","remove":["#)
        for (index, id) in remove.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(id)
        }
        writer.raw(#"],"add":["#)
        for (index, notification) in add.enumerated() {
            if index > 0 { writer.raw(",") }
            notification.write(to: &writer)
        }
        writer.raw("]}\n")
        return writer.bytes
    }
}

extension PhoneNotification {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.raw(#"{"id":"#)
        writer.string(id)
        switch trigger {
        case .at(let date):
            writer.raw(#","at":"#)
            writer.string(date.rfc3339)
        case .calendar(let pattern, let timeZone):
            writer.raw(#","calendar":{"#)
            let named = CalendarPattern.Component.allCases.filter { pattern[$0] >= 0 }
            for (index, component) in named.enumerated() {
                if index > 0 { writer.raw(",") }
                writer.key(component.name)
                writer.integer(Int64(pattern[component]))
            }
            writer.raw(#"},"repeats":true"#)
            if let timeZone {
                writer.raw(#","timeZone":"#)
                writer.string(timeZone)
            }
        }
        writer.raw(#","content":"#)
        content.withUnsafeBytes { writer.raw($0) }
        writer.raw("}")
    }
}
