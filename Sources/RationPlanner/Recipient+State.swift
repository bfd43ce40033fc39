import RationModel

/// Making a recipient of what a journal has told.
extension RecipientPlanner {
    /// Reads a recipient's part behind its name, and applies it.
    /// - Throws: `StateFault`; the recipient is then unusable.
    mutating func apply(
        _ reader: inout StateReader, to recipient: inout Recipient
    ) throws(StateFault) {
        let form = try reader.number(UInt8.self, below: 2, "a form")
        if form == Journal.Form.image.rawValue { recipient.forgetAll() }
        recipient.isNamed = try reader.number(UInt8.self, below: 2, "a flag") == 1
        recipient.revision = try reader.number()
        recipient.wake = try reader.instant()
        if try reader.number(UInt8.self, below: 2, "a flag") == 1 {
            let settings = try reader.optional { (reader) throws(StateFault) in try DeviceSettings(&reader) }
            recipient.settings = settings.map { StoredSettings($0, rules: nil) }
            recipient.reserved = settings?.reserved ?? 0
            recipient.delivery = settings?.delivery ?? .push
        }
        try applyPending(&reader, &recipient)
        try applyHistory(&reader, &recipient)
        try applyRemembered(&reader, &recipient)
        compact(&recipient)
    }

    /// Goes on with a state that was made again.
    mutating func restore(earlier: [UInt32: CompiledPolicy]) {
        earlierPolicies = earlier
        // Which zones have changed since an earlier revision is not known any more: all count as changed.
        if !earlier.isEmpty { zones.markChanged(revision: revision) }
    }

    /// Finds what a recipient's settings lead to.
    mutating func restore(_ recipient: inout Recipient) {
        guard let settings = recipient.settings?.value else { return }
        recipient.settings = StoredSettings(settings, rules: rules(for: settings))
        recipient.zone = settings.timeZone.flatMap { zones.place(of: $0) } ?? PlannerZones.policyPlace
    }

    private mutating func applyPending(
        _ reader: inout StateReader, _ recipient: inout Recipient
    ) throws(StateFault) {
        let count = Int(try reader.number(UInt16.self))
        before.assign(recipient.pending)
        recipient.pending.removeAll()
        recipient.pending.reserve(count)
        // Of a whole recipient nearly all that is left is its records.
        if before.isEmpty { recipient.bytes.reserve(max(0, reader.left - count * Journal.entryBytes)) }
        while recipient.pending.count < count {
            switch Journal.Operation(rawValue: try reader.number()) {
            case .copy:
                let from = Int(try reader.number(UInt16.self))
                for place in from..<from + Int(try reader.number(UInt16.self)) {
                    recipient.pending.append(try takeBefore(place, reader))
                }
            case .change: try applyChange(&reader, &recipient)
            case .put: try applyPut(&reader, &recipient)
            case nil: throw reader.fault("expected an operation, found another number")
            }
        }
        guard recipient.pending.count == count else {
            throw reader.fault("expected \(count) notifications, found \(recipient.pending.count)")
        }
        for old in before.elements where !old.has(.ended) {
            recipient.unusedBytes += UInt32(recipient.record(old).byteCount)
        }
    }

    /// One as it was before; each can be taken once.
    private mutating func takeBefore(_ place: Int, _ reader: StateReader) throws(StateFault) -> PendingNotification {
        guard before.indices.contains(place), !before[place].has(.ended) else {
            throw reader.fault("there is no notification \(place) of \(before.count) to go on from")
        }
        let notification = before[place]
        before[place].flags.insert(.ended)
        return notification
    }

    private mutating func applyChange(
        _ reader: inout StateReader, _ recipient: inout Recipient
    ) throws(StateFault) {
        let old = try takeBefore(Int(try reader.number(UInt16.self)), reader)
        let new = try PendingNotification(&reader)
        recipient.pending.append(old)
        let index = recipient.pending.count - 1
        if new.has(.hasPassedRoom) { recipient.setPassedDate(try reader.instant(), ofPending: index) }
        if new.has(.calendar) {
            let calendar = recipient.record(recipient.pending[index]).calendar
            let begin = try reader.instant()
            guard !calendar.isEmpty else { throw reader.fault("a record has no calendar trigger") }
            StoredCalendar.setBegin(
                begin, at: calendar, in: UnsafeMutableRawBufferPointer(recipient.bytes.elements))
        }
        let record = recipient.pending[index].record
        recipient.pending[index] = new
        recipient.pending[index].record = record
    }

    private mutating func applyPut(
        _ reader: inout StateReader, _ recipient: inout Recipient
    ) throws(StateFault) {
        var new = try PendingNotification(&reader)
        let record = try reader.countedView()
        let (contentCount, frontCount) = try Record.counts(record, of: new, reader)
        guard frontCount + contentCount == record.count else {
            throw reader.fault("expected a record of \(frontCount + contentCount) bytes, found \(record.count)")
        }
        guard !recipient.hasStoredContents || StoredContent.isWhole(byteCount: contentCount) else {
            throw reader.fault("a content of \(contentCount) bytes is not one that a store keeps")
        }
        new.record = recipient.bytes.append(record).offset
        recipient.pending.append(new)
    }

    private func applyHistory(_ reader: inout StateReader, _ recipient: inout Recipient) throws(StateFault) {
        let removed = Int(try reader.number(UInt16.self))
        guard removed <= recipient.history.count else { throw reader.fault("\(removed) fired ones are not there") }
        for entry in recipient.history.elements[..<removed] {
            recipient.unusedBytes += entry.id.count + entry.type.count
        }
        recipient.history.removeFirst(removed)
        for _ in 0..<(try reader.number(UInt16.self)) {
            let (date, thread) = (try reader.instant(), try reader.number(UInt64.self))
            let type = try reader.number(TypeIndex.self)
            let level = InterruptionLevel(rawValue: try reader.number(UInt8.self, below: 4, "a level")) ?? .active
            let id = recipient.bytes.append(try reader.countedView())
            let ownType = recipient.bytes.append(try reader.countedView())
            recipient.history.append(
                Fired(date: date, thread: thread, id: id, type: ownType, typeIndex: type, level: level))
        }
    }

    private func applyRemembered(_ reader: inout StateReader, _ recipient: inout Recipient) throws(StateFault) {
        let removed = Int(try reader.number(UInt16.self))
        guard removed <= recipient.remembered.count else {
            throw reader.fault("\(removed) remembered ones are not there")
        }
        for entry in recipient.remembered.elements[..<removed] { recipient.unusedBytes += entry.id.count }
        recipient.remembered.removeFirst(removed)
        for _ in 0..<(try reader.number(UInt16.self)) {
            let (trigger, endedAt) = (try reader.instant(), try reader.instant())
            let hash = try reader.number(UInt16.self)
            let id = recipient.bytes.append(try reader.countedView())
            recipient.remembered.append(Remembered(trigger: trigger, endedAt: endedAt, id: id, idHash: hash))
        }
    }
}

extension Recipient {
    /// As it was when it became known.
    fileprivate mutating func forgetAll() {
        pending.removeAll()
        remembered.removeAll()
        history.removeAll()
        bytes.removeLast(bytes.count - key.count)
        unusedBytes = 0
        settings = nil
        (reserved, delivery, zone) = (0, .push, PlannerZones.policyPlace)
    }
}

extension PendingNotification {
    /// Reads an entry; its record is found later.
    fileprivate init(_ reader: inout StateReader) throws(StateFault) {
        self.init(
            fireDate: try reader.instant(), requestedDate: try reader.instant(), record: 0,
            priority: try reader.number(), typeIndex: try reader.number(), idHash: try reader.number(),
            before: Self.absentBefore, flags: Flags(rawValue: try reader.number()))
    }
}
