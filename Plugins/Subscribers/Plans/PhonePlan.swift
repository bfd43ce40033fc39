public import RationModel

/// What the subscriber keeps of one device: the plan that its phone should have, and what it takes to tell a phone that has an
/// earlier one what is different.
public struct PhonePlan: Hashable, Sendable {
    /// A notification of the plan, or the trace of one that went.
    public struct Entry: Hashable, Sendable {
        public var id: String
        /// With which revision it last became different for the phone.
        public var revision: UInt64
        /// The earliest instant at which a phone that has not heard of that shows something at a wrong date, or nothing at a
        /// right one; `distantFuture` if its dates are the same.
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
    /// What the phone has, as it has said itself.
    public private(set) var given: UInt64
    /// What the phone was told of last: it was answered, or has got a push.
    public private(set) var told: UInt64
    /// When the phone was last told so by a push.
    public private(set) var pushed: Instant
    /// A push that could not be sent is tried again from then on.
    public private(set) var notBefore: Instant
    /// By the bytes of their ids.
    public private(set) var entries: [Entry]

    /// What a phone did not hear of in time it shows for so long after its date: as long as the policy's `grace` is unless it
    /// says otherwise.
    public static let lateMilliseconds: Int64 = 3_600_000

    /// Traces that are kept of notifications that went.
    public static let traceLimit = 256

    /// The plan of a device of which nothing was known.
    /// - Parameter birth: the wall clock.
    public init(log: String, sequence: UInt64, birth: Instant) {
        self.init(
            log: log, birth: birth.milliseconds, revision: sequence, floor: sequence, seen: sequence, given: sequence,
            told: sequence, pushed: .distantPast, notBefore: .distantPast, entries: [])
    }

    /// A plan as it was stored.
    /// - Parameter entries: by the bytes of their ids, each once.
    public init(
        log: String, birth: Int64, revision: UInt64, floor: UInt64, seen: UInt64, given: UInt64, told: UInt64,
        pushed: Instant, notBefore: Instant, entries: [Entry]
    ) {
        (self.log, self.birth, self.revision, self.floor, self.seen) = (log, birth, revision, floor, seen)
        (self.given, self.told, self.pushed) = (given, told, pushed)
        (self.notBefore, self.entries) = (notBefore, entries)
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

    /// The phone has asked with a revision: it has that.
    public mutating func give(_ number: UInt64) {
        given = max(given, number)
        tell(number)
    }

    /// The phone was answered with a revision.
    public mutating func tell(_ number: UInt64) {
        told = max(told, number)
    }

    /// The phone was told by a push of the revision that there is.
    public mutating func push(_ now: Instant) {
        (told, pushed, notBefore) = (revision, now, .distantPast)
    }

    /// A push could not be sent.
    public mutating func postpone(until instant: Instant) {
        notBefore = instant
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
        given = told
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
            if held == nil, let date = entry.date, date <= now {
                // The phone has shown it by itself. One that had not heard of it shows it when it asks, if that is soon.
                if entry.revision > given, entry.isStillShown(now) {
                    merged.append(entry)
                } else {
                    changes.forgotten.append(entry.id)
                }
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
    /// When it is shown once; nil for what comes again, and for a trace.
    var date: Instant? {
        guard case .at(let date)? = notification?.trigger else { return nil }
        return date
    }

    /// Whether a phone that first hears of it now shows it although its date has passed.
    func isStillShown(_ now: Instant) -> Bool {
        date.map { $0 > now.advanced(by: -PhonePlan.lateMilliseconds) } ?? true
    }
}
