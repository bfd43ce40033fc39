import RationModel

/// Calendar triggers without a zone of their own follow the device (semantics.md section 2).
extension RecipientPlanner {
    /// Matches what floats again in the recipient's zone, where its requested date is still ahead: strictly after the later
    /// of now − `grace` and its own beginning.
    mutating func matchFloating(_ recipient: inout Recipient, events: inout EventBuffer) {
        let zone = zones[recipient.zone]
        for index in recipient.pending.indices {
            let notification = recipient.pending[index]
            guard notification.has(.floats), !notification.has(.ended), notification.requestedDate > now else {
                continue
            }
            let record = recipient.record(notification)
            let calendar = StoredCalendar(UnsafeRawBufferPointer(recipient.bytes.elements), at: record.calendar)
            let start = max(now.advanced(by: -policy.policy.graceMilliseconds), calendar.begin)
            guard let date = calendar.pattern.next(after: start, in: zone, until: horizon), date < record.expires else {
                endUnmatched(at: index, &recipient, events: &events)
                continue
            }
            recipient.pending[index].requestedDate = date
        }
    }

    private mutating func endUnmatched(at index: Int, _ recipient: inout Recipient, events: inout EventBuffer) {
        var event = Event(kind: .expired)
        event.reason = .never
        if isRevised { event.cause = .policy }
        event.isFinal = true
        emit(event, about: recipient.pending[index], recipient, to: &events)
        recipient.pending[index].flags.insert(.ended)
        drop(recipient.pending[index], of: &recipient)
    }

    /// The zone in which a calendar trigger is read.
    func zone(of calendar: StoredCalendar, _ bytes: UnsafeRawBufferPointer, _ recipient: borrowing Recipient)
        -> ZoneTable
    {
        guard !calendar.timeZone.isEmpty else { return zones[recipient.zone] }
        // It was known when it was scheduled; a zone that a newer database has dropped is read as the recipient's.
        return zones.source.zone(named: bytes.view(calendar.timeZone)) ?? zones[recipient.zone]
    }
}
