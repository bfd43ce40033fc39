internal import RationModel
internal import RationSQLite

/// Folds one page of events in memory, and stores what remains of it: one row for each count and each recipient that the
/// page has touched, however many events that took.
struct PageFold {
    /// What counts are kept by.
    struct CountKey: Hashable {
        var hour: Int64
        var kind: EventKind
        var cause: EventCause
        var reason: EventReason
        /// -1: the kind never ends a notification.
        var final: Int8
        var type: Int64
        var app: Int64
    }

    struct DurationKey: Hashable {
        var hour: Int64
        var measure: DurationMeasure
        var type: Int64
        var bucket: Int
    }

    struct Durations: Hashable {
        var count: Int64 = 0
        var sum: Int64 = 0
        var most: Int64 = 0
    }

    /// A recipient that the page has touched.
    struct Touched {
        var name: RecipientName
        /// The number of its row; nil: it has none.
        var row: Int64?
        var state = RecipientState()
        var shown = ShownNotifications()
    }

    /// What is told apart, and how long.
    struct Limits {
        /// Types, and as well apps.
        var names = 1_000
        /// How long feedback about what came due is waited for.
        var openMilliseconds: Int64 = 7 * 86_400_000
    }

    static let hourMilliseconds: Int64 = 3_600_000

    private var log: LogState
    let limits: Limits
    let idSeed: UInt64
    private var counts = Tally<CountKey, Int64>()
    private var durations = Tally<DurationKey, Durations>()
    var opens = Tally<OpenKey, Opens>()
    /// The sums at the end of each hour that has an event, in the order of time.
    private var samples: [(hour: Int64, sums: LogState.Sums)] = []
    var touched: [Touched] = []
    private var places: [RecipientName: Int] = [:]
    private var lastPlace = -1

    init(_ log: LogState, _ limits: Limits) {
        (self.log, self.limits) = (log, limits)
        idSeed = log.name.byteHash(seed: 0)
    }

    /// Folds one event.
    mutating func add(_ event: ReceivedEvent, _ tables: AnalyticsTables) throws(SQLiteError) {
        let hour = Self.hour(event.time)
        let place = try place(of: event, tables)
        // With every event, so that it does not depend on pages what a row holds.
        touched[place].shown.forget(before: forgottenBefore(event.time.milliseconds))
        let type = event.kind.isFeedback ? tell(event, in: place) : log.types.number(event.type, most: limits.names)
        count(event, hour, type ?? log.types.number(Self.unknownType, most: limits.names))
        if let type, !event.kind.isFeedback { fold(event, in: place, hour, type) }
        log.sums.events += 1
        if log.sums.firstTime == 0 { log.sums.firstTime = event.time.milliseconds }
        log.sums.lastTime = event.time.milliseconds
        if samples.last?.hour == hour { samples.removeLast() }
        samples.append((hour, log.sums))
    }

    /// Feedback about what is not remembered is of the type that notifications without a known one have.
    private static let unknownType = "unknown"

    private mutating func count(_ event: ReceivedEvent, _ hour: Int64, _ type: Int64) {
        let app = log.apps.number(event.app, most: limits.names)
        let final: Int8 = event.isFinal.map { $0 ? 1 : 0 } ?? -1
        let key = CountKey(
            hour: hour, kind: event.kind, cause: event.cause, reason: event.reason, final: final, type: type, app: app)
        counts.change(key, new: 0) { $0 += 1 }
    }

    private mutating func fold(_ event: ReceivedEvent, in place: Int, _ hour: Int64, _ type: Int64) {
        if event.kind == .due {
            let latency = event.fireDate.milliseconds.subtractingReportingOverflow(event.requestedDate.milliseconds)
            if !latency.overflow { add(latency.partialValue, .latency, hour, type) }
            show(event, in: place, type)
        }
        move(event, in: place, hour, type)
    }

    /// The hour that an instant lies in, counted from 1970.
    static func hour(_ time: Instant) -> Int64 {
        let (hours, rest) = time.milliseconds.quotientAndRemainder(dividingBy: hourMilliseconds)
        return rest < 0 ? hours - 1 : hours
    }

    private mutating func add(_ milliseconds: Int64, _ measure: DurationMeasure, _ hour: Int64, _ type: Int64) {
        // Nothing is planned further ahead; so sums stay far from overflowing.
        let length = min(max(0, milliseconds), RationModel.Limits.horizonMilliseconds)
        let key = DurationKey(hour: hour, measure: measure, type: type, bucket: DurationBuckets.index(length))
        durations.change(key, new: Durations()) {
            $0.count += 1
            $0.sum += length
            $0.most = max($0.most, length)
        }
    }

    private mutating func place(of event: ReceivedEvent, _ tables: AnalyticsTables) throws(SQLiteError) -> Int {
        if lastPlace >= 0, touched[lastPlace].name.device.isSame(as: event.device),
            touched[lastPlace].name.app.isSame(as: event.app)
        {
            return lastPlace
        }
        let name = RecipientName(app: event.app, device: event.device)
        if let place = places[name] {
            lastPlace = place
        } else {
            lastPlace = touched.count
            places[name] = lastPlace
            touched.append(try tables.recipient(name, log: log.number))
        }
        return lastPlace
    }

    /// Moves the notification to where the event says that it is (semantics.md section 5: `due` and `expired` take it away
    /// until its next event).
    private mutating func move(_ event: ReceivedEvent, in place: Int, _ hour: Int64, _ type: Int64) {
        let id = event.id.byteHash(seed: idSeed)
        let (held, queued) = (touched[place].state.held.count, touched[place].state.queued.count)
        let was: RecipientState.Was
        var isHeld = false
        switch event.kind {
        case .accepted:
            was = touched[place].state.hold(id)
            isHeld = true
        case .evicted where event.isFinal == false, .queued:
            _ = touched[place].state.queue(id, at: event.time.milliseconds)
            was = .absent
        case .due, .expired, .cancelled, .evicted: was = touched[place].state.remove(id)
        case .delivered, .opened, .dismissed, .action, .failed: return
        }
        if case .queued(let since) = was {
            add(event.time.milliseconds - since, isHeld ? .queuedUntilHeld : .queuedUntilGone, hour, type)
        }
        addSums(before: (held, queued), touched[place].state)
    }

    private mutating func addSums(before: (held: Int, queued: Int), _ state: RecipientState) {
        log.sums.held += Int64(state.held.count - before.held)
        log.sums.queued += Int64(state.queued.count - before.queued)
        let wasEmpty = before.held + before.queued == 0
        if wasEmpty != state.isEmpty { log.sums.recipients += wasEmpty ? 1 : -1 }
        if (before.queued > 0) != !state.queued.isEmpty { log.sums.over += before.queued > 0 ? -1 : 1 }
    }

    /// Stores what the page has changed.
    /// - Returns: the log as it is then.
    func store(in tables: AnalyticsTables) throws(SQLiteError) -> LogState {
        for name in log.types.new { try tables.add(type: name.text, name.number, log: log.number) }
        for name in log.apps.new { try tables.add(app: name.text, name.number, log: log.number) }
        for entry in counts.entries { try tables.add(entry.value, to: entry.key, log: log.number) }
        for entry in durations.entries { try tables.add(entry.value, to: entry.key, log: log.number) }
        for entry in opens.entries { try tables.add(entry.value, to: entry.key, log: log.number) }
        for sample in samples { try tables.set(sample.sums, atEndOf: sample.hour, log: log.number) }
        let begin = forgottenBefore(log.sums.lastTime)
        for recipient in touched { try tables.store(recipient, log: log.number, forgettingBefore: begin) }
        try tables.forgetIdle(before: begin, log: log.number)
        try tables.set(log.sums, log: log.number)
        var log = log
        log.types.forgetNew()
        log.apps.forgetNew()
        return log
    }
}

/// Values by key, in the order in which the keys came.
struct Tally<Key: Hashable, Value> {
    private(set) var entries: [(key: Key, value: Value)] = []
    private var places: [Key: Int] = [:]
    private var lastPlace = -1

    mutating func change(_ key: Key, new: Value, _ change: (inout Value) -> Void) {
        if lastPlace < 0 || entries[lastPlace].key != key {
            if let place = places[key] {
                lastPlace = place
            } else {
                lastPlace = entries.count
                places[key] = lastPlace
                entries.append((key, new))
            }
        }
        change(&entries[lastPlace].value)
    }
}
