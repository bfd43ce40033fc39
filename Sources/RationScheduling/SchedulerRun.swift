internal import RationBus
internal import RationModel
internal import RationPluginKit
internal import RationSQLite

/// One run: the facts are read, the scheduler is asked about each recipient whose facts have changed or whose time has come,
/// and the difference is published.
///
/// The facts are open for reading for a limited time, since their writers may have to wait meanwhile. What was not looked at
/// by then is looked at in a next ``pass()``, which finds the others unchanged.
final class SchedulerRun {
    /// How a pass ended.
    enum Pass {
        case finished
        /// Time was up, or there was no room for more requests: there is more to do.
        case cut
    }

    private struct Cut: Error {}

    private let scheduler: any Scheduler
    private let options: SchedulerOptions
    private let zones: any ZoneSource
    private let state: SchedulerState
    private let link: any BrokerLink
    private let clock: any MonotonicClock
    private let now: Instant
    private let tables: [FactTable]
    private let prefixes: [String]
    /// Whether recipients with faulty rows are looked at although nothing has changed, so that the faults are told.
    private var tellsOldFaults: Bool
    private var answers: [PublishingAnswer] = []
    private var epoch = 0
    private var passStart: Int64 = 0
    private var passEnd: Int64 = 0
    /// When the first recipient of this pass was planned.
    private var workStart: Int64 = 0
    /// Recipients that this pass has planned.
    private var planned = 0

    private(set) var report: RunReport
    /// Faults of rows that name no recipient: told by whoever knows whether they were told before.
    private(set) var strayFaults: [FactFault] = []
    private(set) var strayCount = 0
    /// What is worth a line of its own.
    private(set) var told = ToldLines()
    /// The first instant at which a recipient has to be looked at again.
    private(set) var nextChange = Instant.distantFuture

    private static let timeCheckRecipients = 64

    init(
        _ report: RunReport, scheduler: any Scheduler, options: SchedulerOptions, zones: any ZoneSource,
        state: SchedulerState, link: any BrokerLink, clock: any MonotonicClock, now: Instant, tellsOldFaults: Bool
    ) {
        self.report = report
        (self.scheduler, self.options, self.zones) = (scheduler, options, zones)
        (self.state, self.link, self.clock, self.now) = (state, link, clock, now)
        self.tellsOldFaults = tellsOldFaults
        (tables, prefixes) = (type(of: scheduler).tables, scheduler.prefixes)
    }

    /// Reads the facts as they are now, and publishes what differs.
    /// - Throws: ``FactsError``, `SQLiteError` of either file, what the link throws; what was published by then stays so.
    func pass() throws -> Pass {
        (report.recipients, report.leftOut, nextChange) = (0, 0, .distantFuture)
        (strayFaults, strayCount, planned) = ([], 0, 0)
        passStart = clock.milliseconds
        epoch = state.epoch
        defer { tellsOldFaults = false }
        do {
            let database = try SQLiteDatabase(file: options.facts, .reading)
            passEnd = passStart + (try readingMilliseconds(database))
            try database.reading { try walk(database) }
            try takeAnswers()
            return .finished
        } catch is Cut {
            try takeAnswers()
            return .cut
        }
    }

    /// How long the facts may stay open: in a write-ahead log nobody waits for a reader.
    private func readingMilliseconds(_ database: SQLiteDatabase) throws -> Int64 {
        var mode = ""
        try database.run("PRAGMA journal_mode") { mode = $0.text(0) ?? "" }
        return mode == "wal" ? options.readingMilliseconds * 30 : options.readingMilliseconds
    }

    /// Takes note of answers; not while a recipient's lines are under way, which would overwrite it.
    func take(_ more: [PublishingAnswer]) throws {
        answers += more
        try takeAnswers()
    }

    private func takeAnswers() throws {
        guard !answers.isEmpty else { return }
        try state.take(answers, retryMilliseconds: options.retryMilliseconds, &report.answers)
        answers = []
    }

    /// Goes through the facts and what is known, side by side.
    private func walk(_ database: SQLiteDatabase) throws {
        let reader = try FactReader(tables, queries: options.queries, in: database) { self.takeStray($0) }
        defer { reader.close() }
        var known = KnownWalk(state)
        var packer = RequestPacker { body, staged in try self.submit(body, staged) }
        while try reader.next() {
            var recipient: KnownRecipient?
            while let head = try known.head(), recipient == nil {
                let order = reader.key.compare(to: head)
                if order < 0 { break }
                known.advance()
                if order == 0 { recipient = head } else { try leave(head, &packer) }
            }
            report.recipients += 1
            try look(at: recipient, reader, &packer)
            try mindTheTime(&packer)
        }
        while let head = try known.head() {
            known.advance()
            try leave(head, &packer)
            try mindTheTime(&packer)
        }
        try packer.flush()
        report.leftOut += strayCount
    }

    private func mindTheTime(_ packer: inout RequestPacker) throws {
        try takeAnswers()
        guard planned >= Self.timeCheckRecipients else { return }
        let now = clock.milliseconds
        // The next pass has to come by those that this one has seen to: a pass ends only when it has planned for as long as it
        // has skipped, so that half of all time is work, however many recipients there are.
        guard now >= passEnd, now - workStart >= workStart - passStart else { return }
        try packer.flush()
        throw Cut()
    }

    private func takeStray(_ fault: FactFault) {
        strayCount += 1
        if strayFaults.count < SchedulerLimits.toldPerRun { strayFaults.append(fault) }
    }

    private func look(at known: KnownRecipient?, _ reader: FactReader, _ packer: inout RequestPacker) throws {
        if let known, known.digest == reader.digest, known.next > now, known.doubt == .none,
            known.faults == 0 || !tellsOldFaults
        {
            report.leftOut += known.faults
            nextChange = min(nextChange, known.next)
            return
        }
        let tells = tellsOldFaults || known?.digest != reader.digest
        var faults: [FactFault] = []
        let facts = reader.facts { faults.append($0) }
        let wanted = scheduler.wanted(facts, now: now, zones: zones)
        faults += wanted.faults
        var choice = WantedChoice(wanted.notifications)
        let recipient = "\(facts.app)/\(facts.device)"
        if reader.rowsOmitted > 0 {
            choice.faults.append(
                "\(recipient) has \(reader.rowsOmitted) rows more than the \(SchedulerLimits.rowsPerRecipient) that count"
            )
        }
        let leftOut = faults.count + reader.rowsOmitted + choice.leftOut
        if tells {
            for fault in faults { told.tell(fault.line(of: recipient)) }
            for fault in choice.faults { told.tell("\(recipient): \(fault)") }
        }
        report.leftOut += leftOut
        let difference = try difference(choice.notifications, order: choice.order, known)
        let next = [wanted.nextChange, choice.nextChange, difference.nextRetry].compactMap(\.self).min()
        let staged = StagedRecipient(
            app: facts.app, device: facts.device, key: known?.key ?? state.newKey(), digest: reader.digest,
            // What is due again at once would be looked at for ever.
            next: max(next ?? .distantFuture, now.advanced(by: 1)), doubt: .none, faults: leftOut, published: [])
        try publish(difference, choice.notifications, staged, &packer)
    }

    /// A recipient without facts: nothing of it stays. It is remembered for a time, as a broker that is restored from an older
    /// copy may have it.
    private func leave(_ known: KnownRecipient, _ packer: inout RequestPacker) throws {
        if known.digest == nil, known.doubt == .none {
            if known.next <= now { try state.remove(known) }
            return
        }
        let staged = StagedRecipient(
            app: String(decoding: known.app, as: UTF8.self), device: String(decoding: known.device, as: UTF8.self),
            key: known.key, digest: nil,
            next: known.digest == nil ? known.next : now.advanced(by: SchedulerLimits.departedMilliseconds),
            doubt: .none, faults: 0, published: [])
        try publish(try difference([], order: [], known), [], staged, &packer)
    }

    private func difference(
        _ wanted: [WantedNotification], order: [Int], _ known: KnownRecipient?
    ) throws -> RecipientDifference {
        RecipientDifference(
            wanted, order: order, known: try known.map { try state.published($0.key) } ?? [],
            doubt: known?.doubt ?? .anew, now: now)
    }

    private func publish(
        _ difference: RecipientDifference, _ wanted: [WantedNotification], _ staged: StagedRecipient,
        _ packer: inout RequestPacker
    ) throws {
        if !difference.isEmpty { report.changed += 1 }
        nextChange = min(nextChange, staged.next)
        if planned == 0 { workStart = clock.milliseconds }
        planned += 1
        try packer.add(difference, wanted, staged, prefixes: prefixes) { state.nextRequest }
    }

    /// Stores a request with what it changes, and sends it.
    private func submit(_ body: [UInt8], _ staged: [StagedRecipient]) throws {
        let end = clock.milliseconds + options.roomMilliseconds
        while !body.isEmpty, !link.hasRoom {
            let left = end - clock.milliseconds
            guard left > 0 else { throw Cut() }
            answers += try link.answers(waiting: Int(left))
        }
        // What is staged was made from what was known before the doubt.
        guard state.epoch == epoch else { throw Cut() }
        state.staged = staged
        defer { state.staged = [] }
        guard !body.isEmpty else { return try state.storeStaged() }
        try link.submit(body)
        answers += try link.answers(waiting: 0)
    }
}

/// What is known, recipient by recipient in order.
private struct KnownWalk {
    private let state: SchedulerState
    private var page: [KnownRecipient] = []
    private var index = 0
    private var isFirst = true

    init(_ state: SchedulerState) {
        self.state = state
    }

    mutating func head() throws -> KnownRecipient? {
        if index == page.count, isFirst || page.count == SchedulerState.pageRecipients {
            page = try state.recipients(after: page.last)
            (index, isFirst) = (0, false)
        }
        return index < page.count ? page[index] : nil
    }

    mutating func advance() {
        index += 1
    }
}

extension OwnedKey {
    fileprivate func compare(to known: KnownRecipient) -> Int {
        known.app.withUnsafeBytes { app in
            known.device.withUnsafeBytes { device in compare(to: FactKey(app: app, device: device)) }
        }
    }
}
