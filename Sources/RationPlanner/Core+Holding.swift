public import RationModel

/// One notification that has a slot, with all that a phone needs to show it by itself.
public struct HeldNotification: Hashable, Sendable {
    /// When it comes again.
    public enum Repetition: Hashable, Sendable {
        case never
        /// At this distance, from its fire date on.
        case interval(milliseconds: Int64)
        /// Whenever the clocks of a zone match; an empty name is that of the recipient's zone.
        case calendar(CalendarPattern, timeZone: String)
    }

    /// Its content: canonical JSON, or where a store keeps it.
    public enum Content: Hashable, Sendable {
        case bytes([UInt8])
        case stored(position: ContentPosition, count: Int, hash: UInt64)
    }

    public var id: String
    public var fireDate: Instant
    /// When it must no longer be shown; `distantFuture` if it always may.
    public var expires: Instant
    public var repetition: Repetition
    public var content: Content

    public init(id: String, fireDate: Instant, expires: Instant, repetition: Repetition, content: Content) {
        (self.id, self.fireDate, self.expires) = (id, fireDate, expires)
        (self.repetition, self.content) = (repetition, content)
    }
}

/// What a recipient holds, as its phone needs it.
public struct Holding: Hashable, Sendable {
    public var delivery: Delivery
    /// The recipient's zone by its name in the tz database.
    public var timeZone: String
    /// By (fire date, priority, id).
    public var held: [HeldNotification]

    public init(delivery: Delivery, timeZone: String, held: [HeldNotification]) {
        (self.delivery, self.timeZone, self.held) = (delivery, timeZone, held)
    }
}

extension Core {
    /// What a recipient holds after the last batch.
    /// - Parameter limit: no more than the first so many are given.
    /// - Returns: nil for one that no accepted `device` or `schedule` has named.
    public func holding(app: String, device: String, atMost limit: Int) -> Holding? {
        let key = Array(app.utf8) + [0] + Array(device.utf8)
        let row = key.withUnsafeBytes { table.row($0, hash: table.hash($0)) }
        guard let row, table.recipient(row).pointee.isNamed else { return nil }
        let recipient = table.recipient(row)
        var holding = Holding(
            delivery: recipient.pointee.delivery, timeZone: planner.zones[recipient.pointee.zone].name, held: [])
        for notification in recipient.pointee.pending.elements where notification.isHeld {
            guard holding.held.count < limit else { break }
            holding.held.append(recipient.pointee.held(notification))
        }
        return holding
    }
}

extension Recipient {
    fileprivate func held(_ notification: PendingNotification) -> HeldNotification {
        let record = record(notification)
        return HeldNotification(
            id: String(decoding: bytes.view(record.id), as: UTF8.self), fireDate: notification.fireDate,
            expires: record.expires, repetition: repetition(notification, record),
            content: heldContent(bytes.view(record.content)))
    }

    private func repetition(_ notification: PendingNotification, _ record: Record) -> HeldNotification.Repetition {
        guard notification.has(.repeating) else { return .never }
        guard !record.calendar.isEmpty else { return .interval(milliseconds: record.number) }
        let calendar = StoredCalendar(UnsafeRawBufferPointer(bytes.elements), at: record.calendar)
        return .calendar(
            calendar.pattern, timeZone: String(decoding: bytes.view(calendar.timeZone), as: UTF8.self))
    }

    private func heldContent(_ content: UnsafeRawBufferPointer) -> HeldNotification.Content {
        guard hasStoredContents, !content.isEmpty else { return .bytes(Array(content)) }
        let stored = StoredContent(content)
        return .stored(position: stored.position, count: stored.count, hash: stored.hash)
    }
}
