public import RationModel

/// One pending notification as a plan shows it.
public struct PlannedNotification: Sendable {
    public var id: String
    /// As classified.
    public var type: String
    public var priority: Int
    public var fireDate: Instant
    public var requestedDate: Instant
    public var isRepeating: Bool
}

/// What is pending for one recipient, each list by (fire date, priority, id).
public struct RecipientPlan: Sendable {
    public var app: String
    public var device: String
    public var held: [PlannedNotification] = []
    public var queued: [PlannedNotification] = []
}

extension Core {
    /// How many recipients are known.
    public var recipientCount: Int { table.known }

    /// Where plans of recipients end (``forEachPlan(from:_:)``).
    public var rowCount: Int { table.count }

    /// The plan of a recipient that an accepted `device` or `schedule` has named; nil for any other.
    public func plan(app: String, device: String) -> RecipientPlan? {
        let key = Array(app.utf8) + [0] + Array(device.utf8)
        return key.withUnsafeBytes { key in
            table.row(key, hash: table.hash(key)).flatMap { plan(row: $0) }
        }
    }

    /// What a recipient's device has told; nil for one that has told nothing.
    public func settings(app: String, device: String) -> DeviceSettings? {
        let key = Array(app.utf8) + [0] + Array(device.utf8)
        return key.withUnsafeBytes { key in
            table.row(key, hash: table.hash(key)).flatMap { table.recipient($0).pointee.settings?.value }
        }
    }

    /// The plans of all recipients that an accepted `device` or `schedule` has ever named, by (app, device).
    public var plans: [RecipientPlan] {
        var rows = Array(0..<table.count)
        rows.sort { Name.compare(table.key($0), table.key($1)) < 0 }
        return rows.compactMap { plan(row: $0) }
    }

    /// The plans of recipients in the order of their rows: later ones come behind, or into the row of one that was idle for
    /// long and was removed.
    /// - Parameters:
    ///   - place: how many recipients to pass over; from 0 on.
    ///   - take: gets each plan; false: it was the last.
    /// - Returns: how many are passed over then; `rowCount` at the end.
    public func forEachPlan(from place: Int, _ take: (RecipientPlan) -> Bool) -> Int {
        var row = place
        while row < table.count {
            let plan = plan(row: row)
            row += 1
            if let plan, !take(plan) { break }
        }
        return row
    }

    private func plan(row: Int) -> RecipientPlan? {
        let recipient = table.recipient(row)
        guard recipient.pointee.isNamed else { return nil }
        func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
        var plan = RecipientPlan(
            app: text(recipient.pointee.app), device: text(recipient.pointee.device))
        let types = planner.policy(of: recipient.pointee).types
        for notification in recipient.pointee.pending.elements {
            let record = recipient.pointee.record(notification)
            let own = recipient.pointee.bytes.view(record.type)
            let shown = PlannedNotification(
                id: text(recipient.pointee.bytes.view(record.id)),
                type: types.withName(notification.typeIndex, own: own, text),
                priority: Int(notification.priority), fireDate: notification.fireDate,
                requestedDate: notification.requestedDate, isRepeating: notification.has(.repeating))
            if notification.isHeld { plan.held.append(shown) } else { plan.queued.append(shown) }
        }
        return plan
    }
}
