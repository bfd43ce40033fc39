internal import RationModel
internal import RationSQLite

/// The tables of analytics in its file, and the statements that it runs on them.
struct AnalyticsTables {
    /// Raised when a later version reads the tables otherwise.
    static let version: Int64 = 1

    private static let definitions = [
        "CREATE TABLE IF NOT EXISTS analytics(version INTEGER NOT NULL)",
        """
        CREATE TABLE IF NOT EXISTS logs(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, held INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0, recipients INTEGER NOT NULL DEFAULT 0, over INTEGER NOT NULL DEFAULT 0,
            events INTEGER NOT NULL DEFAULT 0, first_time INTEGER NOT NULL DEFAULT 0,
            last_time INTEGER NOT NULL DEFAULT 0)
        """,
        """
        CREATE TABLE IF NOT EXISTS types(
            log INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(log, number)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS apps(
            log INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(log, number)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS counts(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, kind INTEGER NOT NULL, cause INTEGER NOT NULL,
            reason INTEGER NOT NULL, final INTEGER NOT NULL, type INTEGER NOT NULL, app INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY(log, hour, kind, cause, reason, final, type, app)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS durations(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, measure INTEGER NOT NULL, type INTEGER NOT NULL,
            bucket INTEGER NOT NULL, count INTEGER NOT NULL, sum INTEGER NOT NULL, most INTEGER NOT NULL,
            PRIMARY KEY(log, hour, measure, type, bucket)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS samples(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, held INTEGER NOT NULL, queued INTEGER NOT NULL,
            recipients INTEGER NOT NULL, over INTEGER NOT NULL, PRIMARY KEY(log, hour)) WITHOUT ROWID
        """,
        // Rows stand in the order in which recipients come, so that neighbours of a batch are neighbours on disk.
        """
        CREATE TABLE IF NOT EXISTS recipients(
            number INTEGER PRIMARY KEY, log INTEGER NOT NULL, hash INTEGER NOT NULL, app TEXT NOT NULL,
            device TEXT NOT NULL, held INTEGER NOT NULL, queued INTEGER NOT NULL, pending BLOB NOT NULL)
        """,
        "CREATE INDEX IF NOT EXISTS recipients_by_hash ON recipients(hash)",
    ]

    private let file: String
    private let findLog: SQLiteStatement
    private let addLog: SQLiteStatement
    private let findTypes: SQLiteStatement
    private let findApps: SQLiteStatement
    private let addType: SQLiteStatement
    private let addApp: SQLiteStatement
    private let addCount: SQLiteStatement
    private let addDurations: SQLiteStatement
    private let setSample: SQLiteStatement
    private let setSums: SQLiteStatement
    private let findRecipient: SQLiteStatement
    private let addRecipient: SQLiteStatement
    private let changeRecipient: SQLiteStatement
    private let removeRecipient: SQLiteStatement

    /// Makes the tables where they are missing.
    /// - Throws: ``SQLiteError``; `foreign` for tables of another version.
    static func make(in database: SQLiteDatabase) throws(SQLiteError) {
        for definition in definitions { try database.run(definition) }
        var found: Int64?
        try database.run("SELECT version FROM analytics") { found = $0.integer(0) }
        if let found {
            guard found == version else {
                throw SQLiteError(
                    .foreign, file: database.file, "analytics tables of version \(found), expected \(version)")
            }
        } else {
            try database.run("INSERT INTO analytics(version) VALUES(?1)", [.integer(version)])
        }
    }

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
        setSample = try database.prepare(
            "INSERT OR REPLACE INTO samples(log, hour, held, queued, recipients, over) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        setSums = try database.prepare(
            """
            UPDATE logs SET held = ?2, queued = ?3, recipients = ?4, over = ?5, events = ?6, first_time = ?7,
            last_time = ?8 WHERE number = ?1
            """)
        findRecipient = try database.prepare(
            """
            SELECT number, held, queued, pending FROM recipients
            WHERE hash = ?1 AND log = ?2 AND app = ?3 AND device = ?4
            """)
        addRecipient = try database.prepare(
            """
            INSERT INTO recipients(log, hash, app, device, held, queued, pending) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        changeRecipient = try database.prepare(
            "UPDATE recipients SET held = ?2, queued = ?3, pending = ?4 WHERE number = ?1")
        removeRecipient = try database.prepare("DELETE FROM recipients WHERE number = ?1")
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
            touched.state = state ?? RecipientState()
            isBroken = state == nil
        }
        guard !isBroken else {
            throw SQLiteError(
                .foreign, file: file, "the row of '\(name.app)', '\(name.device)' does not fit its counts")
        }
        return touched
    }

    func store(_ recipient: PageFold.Touched, log: Int64) throws(SQLiteError) {
        let state = recipient.state
        let (held, queued) = (
            SQLiteValue.integer(Int64(state.held.count)), SQLiteValue.integer(Int64(state.queued.count))
        )
        switch (recipient.row, state.isEmpty) {
        case (nil, true): return
        case (.some(let row), true): try removeRecipient.run([.integer(row)])
        case (.some(let row), false): try changeRecipient.run([.integer(row), held, queued, .blob(state.bytes)])
        case (nil, false):
            try addRecipient.run([
                .integer(log), .integer(Int64(bitPattern: recipient.name.hash)), .text(recipient.name.app),
                .text(recipient.name.device), held, queued, .blob(state.bytes),
            ])
        }
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
