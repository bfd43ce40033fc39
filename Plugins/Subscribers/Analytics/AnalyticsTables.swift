internal import RationModel
internal import RationSQLite

/// The statements that analytics runs on its tables.
struct AnalyticsTables {
    private let file: String
    private let findLog: SQLiteStatement
    private let addLog: SQLiteStatement
    private let findTypes: SQLiteStatement
    private let findApps: SQLiteStatement
    private let addType: SQLiteStatement
    private let addApp: SQLiteStatement
    private let addCount: SQLiteStatement
    private let addDurations: SQLiteStatement
    private let addOpens: SQLiteStatement
    private let setSample: SQLiteStatement
    private let setSums: SQLiteStatement
    private let findRecipient: SQLiteStatement
    private let addRecipient: SQLiteStatement
    private let changeRecipient: SQLiteStatement
    private let removeRecipient: SQLiteStatement
    private let forgetIdleRecipients: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        file = database.file
        findLog = try database.prepare(
            "SELECT number, held, queued, recipients, over, events, first_time, last_time FROM logs WHERE name = ?1")
        addLog = try database.prepare("INSERT INTO logs(name) VALUES(?1)")
        findTypes = try database.prepare("SELECT number, name FROM types WHERE log = ?1")
        findApps = try database.prepare("SELECT number, name FROM apps WHERE log = ?1")
        addType = try database.prepare("INSERT INTO types(log, number, name) VALUES(?1, ?2, ?3)")
        addApp = try database.prepare("INSERT INTO apps(log, number, name) VALUES(?1, ?2, ?3)")
        addCount = try database.prepare(
            """
            INSERT INTO counts(log, hour, kind, cause, reason, final, type, app, count)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT(log, hour, kind, cause, reason, final, type, app) DO UPDATE SET count = count + ?9
            """)
        addDurations = try database.prepare(
            """
            INSERT INTO durations(log, hour, measure, type, bucket, count, sum, most)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT(log, hour, measure, type, bucket)
            DO UPDATE SET count = count + ?6, sum = sum + ?7, most = max(most, ?8)
            """)
        addOpens = try database.prepare(
            """
            INSERT INTO opens(log, hour, type, hour_of_day, priority, due, failed, opened)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT(log, hour, type, hour_of_day, priority)
            DO UPDATE SET due = due + ?6, failed = failed + ?7, opened = opened + ?8
            """)
        setSample = try database.prepare(
            "INSERT OR REPLACE INTO samples(log, hour, held, queued, recipients, over) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        setSums = try database.prepare(
            """
            UPDATE logs SET held = ?2, queued = ?3, recipients = ?4, over = ?5, events = ?6, first_time = ?7,
            last_time = ?8 WHERE number = ?1
            """)
        findRecipient = try database.prepare(
            """
            SELECT number, held, queued, pending, shown FROM recipients
            WHERE hash = ?1 AND log = ?2 AND app = ?3 AND device = ?4
            """)
        addRecipient = try database.prepare(
            """
            INSERT INTO recipients(log, hash, app, device, held, queued, pending, shown, shown_time)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        changeRecipient = try database.prepare(
            """
            UPDATE recipients SET held = ?2, queued = ?3, pending = ?4, shown = ?5, shown_time = ?6 WHERE number = ?1
            """)
        removeRecipient = try database.prepare("DELETE FROM recipients WHERE number = ?1")
        forgetIdleRecipients = try database.prepare(
            "DELETE FROM recipients WHERE log = ?1 AND held = 0 AND queued = 0 AND shown_time < ?2")
    }

    /// The log of this name, which gets a number if it is new.
    func log(_ name: String) throws(SQLiteError) -> LogState {
        if let log = try find(name) { return log }
        try addLog.run([.text(name)])
        guard let log = try find(name) else { throw SQLiteError(.foreign, file: file, "the log '\(name)' is not kept") }
        return log
    }

    private func find(_ name: String) throws(SQLiteError) -> LogState? {
        var found: LogState?
        try findLog.read([.text(name)]) { row in
            var log = LogState(number: row.integer(0), name: name)
            log.sums = LogState.Sums(
                held: row.integer(1), queued: row.integer(2), recipients: row.integer(3), over: row.integer(4),
                events: row.integer(5), firstTime: row.integer(6), lastTime: row.integer(7))
            found = log
        }
        guard var log = found else { return nil }
        try findTypes.read([.integer(log.number)]) { log.types.load($0.text(1) ?? "", $0.integer(0)) }
        try findApps.read([.integer(log.number)]) { log.apps.load($0.text(1) ?? "", $0.integer(0)) }
        return log
    }

    func recipient(_ name: RecipientName, log: Int64) throws(SQLiteError) -> PageFold.Touched {
        var touched = PageFold.Touched(name: name)
        var isBroken = false
        try findRecipient.read([
            .integer(Int64(bitPattern: name.hash)), .integer(log), .text(name.app), .text(name.device),
        ]) { row in
            touched.row = row.integer(0)
            let (held, queued) = (Int(row.integer(1)), Int(row.integer(2)))
            let state = row.blob(3).withUnsafeBytes { RecipientState($0, held: held, queued: queued) }
            let shown = ShownNotifications(row.blob(4))
            (touched.state, touched.shown) = (state ?? RecipientState(), shown ?? ShownNotifications())
            isBroken = state == nil || shown == nil
        }
        guard !isBroken else {
            throw SQLiteError(
                .foreign, file: file, "the row of '\(name.app)', '\(name.device)' is not what was stored")
        }
        return touched
    }

    /// - Parameter begin: a recipient with nothing pending that was shown nothing since then has no row.
    func store(
        _ recipient: PageFold.Touched, log: Int64, forgettingBefore begin: Int64
    ) throws(SQLiteError) {
        let (state, shown) = (recipient.state, recipient.shown)
        let isIdle = state.isEmpty && shown.lastTime.map { $0 < begin } ?? true
        let values: [SQLiteValue] = [
            .integer(Int64(state.held.count)), .integer(Int64(state.queued.count)), .blob(state.bytes),
            .blob(shown.bytes), .integer(shown.lastTime ?? 0),
        ]
        switch (recipient.row, isIdle) {
        case (nil, true): return
        case (.some(let row), true): try removeRecipient.run([.integer(row)])
        case (.some(let row), false): try changeRecipient.run([.integer(row)] + values)
        case (nil, false):
            try addRecipient.run(
                [
                    .integer(log), .integer(Int64(bitPattern: recipient.name.hash)), .text(recipient.name.app),
                    .text(recipient.name.device),
                ] + values)
        }
    }

    /// Lets go of recipients with nothing pending that were shown nothing since then.
    func forgetIdle(before begin: Int64, log: Int64) throws(SQLiteError) {
        try forgetIdleRecipients.run([.integer(log), .integer(begin)])
    }

    func add(type name: String, _ number: Int64, log: Int64) throws(SQLiteError) {
        try addType.run([.integer(log), .integer(number), .text(name)])
    }

    func add(app name: String, _ number: Int64, log: Int64) throws(SQLiteError) {
        try addApp.run([.integer(log), .integer(number), .text(name)])
    }

    func add(_ count: Int64, to key: PageFold.CountKey, log: Int64) throws(SQLiteError) {
        try addCount.run([
            .integer(log), .integer(key.hour), .integer(Int64(key.kind.rawValue)), .integer(Int64(key.cause.rawValue)),
            .integer(Int64(key.reason.rawValue)), .integer(Int64(key.final)), .integer(key.type), .integer(key.app),
            .integer(count),
        ])
    }

    func add(_ durations: PageFold.Durations, to key: PageFold.DurationKey, log: Int64) throws(SQLiteError) {
        try addDurations.run([
            .integer(log), .integer(key.hour), .integer(key.measure.rawValue), .integer(key.type),
            .integer(Int64(key.bucket)), .integer(durations.count), .integer(durations.sum), .integer(durations.most),
        ])
    }

    func add(_ opens: PageFold.Opens, to key: PageFold.OpenKey, log: Int64) throws(SQLiteError) {
        try addOpens.run([
            .integer(log), .integer(key.hour), .integer(key.type), .integer(Int64(key.hourOfDay)),
            .integer(Int64(key.priority)), .integer(opens.due), .integer(opens.failed), .integer(opens.opened),
        ])
    }

    func set(_ sums: LogState.Sums, atEndOf hour: Int64, log: Int64) throws(SQLiteError) {
        try setSample.run([
            .integer(log), .integer(hour), .integer(sums.held), .integer(sums.queued), .integer(sums.recipients),
            .integer(sums.over),
        ])
    }

    func set(_ sums: LogState.Sums, log: Int64) throws(SQLiteError) {
        try setSums.run([
            .integer(log), .integer(sums.held), .integer(sums.queued), .integer(sums.recipients), .integer(sums.over),
            .integer(sums.events), .integer(sums.firstTime), .integer(sums.lastTime),
        ])
    }
}
