public import RationModel

/// What the subscriber keeps of one device: the plan that its phone should have, and what it takes to tell a phone that has an
/// earlier one what is different.
public struct PhonePlan: Hashable, Sendable {
    /// A notification of the plan, or the trace of one that went.
    public struct Entry: Hashable, Sendable {
        public var id: String
        /// With which revision it last became different for the phone.
        public var revision: UInt64
        /// The earliest instant at which a phone that has not heard of that shows something at a wrong date;
        /// `distantFuture` if it never does.
        public var wrongFrom: Instant
        /// nil: it went.
        public var notification: PhoneNotification?

        public init(id: String, revision: UInt64, wrongFrom: Instant, notification: PhoneNotification?) {
            (self.id, self.revision, self.wrongFrom) = (id, revision, wrongFrom)
            self.notification = notification
        }
    }

    /// The event log that it was last brought to. A broker that was restored has another.
    public private(set) var log: String
    /// When this history of revisions began, in milliseconds: with the device, and with each log.
    public private(set) var birth: Int64
    /// Rises whenever something is different for the phone: the sequence of the last event that it has seen, or one more than
    /// the revision before.
    public private(set) var revision: UInt64
    /// Revisions below cannot be told what went.
    public private(set) var floor: UInt64
    /// Up to this event the plan has seen the log.
    public private(set) var seen: UInt64
    /// What phones are told last: they have asked, or were told that there is something.
    public var told: UInt64
    /// When the phone was last told so by a push.
    public var pushed: Instant
    /// By the bytes of their ids.
    public private(set) var entries: [Entry]

    /// Traces that are kept of notifications that went.
    public static let traceLimit = 256

    /// The plan of a device of which nothing was known.
    /// - Parameter birth: the wall clock.
    public init(log: String, sequence: UInt64, birth: Instant) {
        self.init(
            log: log, birth: birth.milliseconds, revision: sequence, floor: sequence, seen: sequence, told: sequence,
            pushed: .distantPast, entries: [])
    }

    /// A plan as it was stored.
    /// - Parameter entries: by the bytes of their ids, each once.
    public init(
        log: String, birth: Int64, revision: UInt64, floor: UInt64, seen: UInt64, told: UInt64, pushed: Instant,
        entries: [Entry]
    ) {
        (self.log, self.birth, self.revision, self.floor, self.seen) = (log, birth, revision, floor, seen)
        (self.told, self.pushed, self.entries) = (told, pushed, entries)
    }

    /// What the broker holds for a device.
    public struct Held: Hashable, Sendable {
        /// Each id once.
        public var notifications: [PhoneNotification]
        public var log: String
        /// The last event that it has seen.
        public var sequence: UInt64
        /// When the last batch was decided.
        public var now: Instant

        public init(_ notifications: [PhoneNotification], log: String, sequence: UInt64, now: Instant) {
            (self.notifications, self.log) = (notifications, log)
            (self.sequence, self.now) = (sequence, now)
        }
    }

    /// What is to be stored of a plan: entries anew, and the ids of those that are forgotten.
    public struct Changes: Hashable, Sendable {
        public var entries: [Entry] = []
        public var forgotten: [String] = []
    }

    /// Brings the plan to what the broker holds.
    /// - Parameter clock: the wall clock, with which the history of another log begins.
    public mutating func update(_ held: Held, clock: Instant) -> Changes {
        var changes = Changes()
        let isOtherLog = !held.log.utf8.elementsEqual(log.utf8)
        if isOtherLog { changes.forgotten = beginAnew(held, clock) }
        let next = max(held.sequence, revision + 1)
        let notifications = held.notifications.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        merge(notifications[...], next, held.now, &changes)
        if entries.contains(where: { $0.revision == next }) { revision = next }
        seen = max(seen, held.sequence)
        changes.forgotten += forgetTraces(&changes)
        if isOtherLog { changes.entries = entries }
        return changes
    }

    /// Positions of another log mean nothing: whoever asks next gets the whole plan.
    /// - Returns: the traces that are forgotten.
    private mutating func beginAnew(_ held: Held, _ clock: Instant) -> [String] {
        let traces = entries.filter { $0.notification == nil }.map(\.id)
        entries.removeAll { $0.notification == nil }
        for index in entries.indices {
            if entries[index].revision <= told { entries[index].wrongFrom = .distantFuture }
            entries[index].revision = held.sequence
        }
        (log, birth) = (held.log, max(clock.milliseconds, birth + 1))
        (revision, floor, seen) = (held.sequence, held.sequence, held.sequence)
        // A phone that has a revision of the other log has to hear of it.
        told = entries.isEmpty ? revision : 0
        return traces
    }

    /// Merges two lists by the bytes of their ids.
    private mutating func merge(
        _ notifications: ArraySlice<PhoneNotification>, _ next: UInt64, _ now: Instant, _ changes: inout Changes
    ) {
        var merged: [Entry] = []
        merged.reserveCapacity(max(notifications.count, entries.count))
        var rest = notifications
        for entry in entries {
            while let new = rest.first, new.id.utf8.lexicographicallyPrecedes(entry.id.utf8) {
                rest.removeFirst()
                add(new, to: &merged, &changes, next)
            }
            var held: PhoneNotification?
            if let first = rest.first, first.id.utf8.elementsEqual(entry.id.utf8) { held = rest.removeFirst() }
            if held == nil, entry.hasFired(now) {
                changes.forgotten.append(entry.id)
                continue
            }
            let after = replaced(entry, by: held, next)
            if after != entry { changes.entries.append(after) }
            merged.append(after)
        }
        for new in rest { add(new, to: &merged, &changes, next) }
        entries = merged
    }

    private func add(
        _ notification: PhoneNotification, to merged: inout [Entry], _ changes: inout Changes, _ next: UInt64
    ) {
        let entry = Entry(
            id: notification.id, revision: next, wrongFrom: notification.fireDate, notification: notification)
        merged.append(entry)
        changes.entries.append(entry)
    }

    private func replaced(_ entry: Entry, by now: PhoneNotification?, _ next: UInt64) -> Entry {
        let before = entry.notification
        guard before != now else { return entry }
        var entry = entry
        entry.notification = now
        // A calendar that goes on with the same content is the same request of iOS.
        if let before, let now, before.trigger == now.trigger, before.content == now.content { return entry }
        // What the phone has not heard of since stays wrong from its first moment on.
        var wrongFrom = entry.revision > told ? entry.wrongFrom : .distantFuture
        if before?.trigger != now?.trigger {
            wrongFrom = min(wrongFrom, before?.fireDate ?? .distantFuture, now?.fireDate ?? .distantFuture)
        }
        (entry.revision, entry.wrongFrom) = (next, wrongFrom)
        return entry
    }

    /// Forgets the oldest traces beyond the limit.
    private mutating func forgetTraces(_ changes: inout Changes) -> [String] {
        let traces = entries.filter { $0.notification == nil }
        guard traces.count > Self.traceLimit else { return [] }
        let last = traces.map(\.revision).sorted()[traces.count - Self.traceLimit - 1]
        floor = max(floor, last)
        func isForgotten(_ entry: Entry) -> Bool { entry.notification == nil && entry.revision <= last }
        entries.removeAll(where: isForgotten)
        changes.entries.removeAll(where: isForgotten)
        return traces.filter(isForgotten).map(\.id)
    }
}

extension PhonePlan.Entry {
    /// Whether its date had come when it went: the phone has shown it by itself, and needs no word of it.
    fileprivate func hasFired(_ now: Instant) -> Bool {
        guard let notification, case .at(let date) = notification.trigger else { return false }
        return date <= now
    }
}
