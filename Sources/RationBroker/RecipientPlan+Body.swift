import RationJSON
import RationModel
import RationPlanner

extension RecipientPlan {
    /// The answer to `plan` (wire.md, "Other queries").
    /// - Parameter sequence: of the last event that the plan has seen.
    func body(sequence: UInt64) -> [UInt8] {
        var writer = JSONWriter(capacity: 256 + (held.count + queued.count) * 192)
        writer.raw(#"{"app":"#)
        writer.string(app)
        writer.raw(#","device":"#)
        writer.string(device)
        writer.raw(#","sequence":"#)
        writer.integer(Int64(truncatingIfNeeded: sequence))
        for (name, list) in [("held", held), ("queued", queued)] as [(StaticString, [PlannedNotification])] {
            writer.raw(",")
            writer.key(name)
            writer.raw("[")
            for (index, notification) in list.enumerated() {
                if index > 0 { writer.raw(",") }
                Self.write(notification, to: &writer)
            }
            writer.raw("]")
        }
        writer.raw("}")
        return writer.bytes
    }

    private static func write(_ notification: PlannedNotification, to writer: inout JSONWriter) {
        writer.raw(#"{"id":"#)
        writer.string(notification.id)
        writer.raw(#","type":"#)
        writer.string(notification.type)
        writer.raw(#","priority":"#)
        writer.integer(Int64(notification.priority))
        writer.raw(#","fireDate":"#)
        writer.string(notification.fireDate.rfc3339)
        writer.raw(#","requestedDate":"#)
        writer.string(notification.requestedDate.rfc3339)
        writer.raw(#","repeats":"#)
        writer.bool(notification.isRepeating)
        writer.raw("}")
    }
}
