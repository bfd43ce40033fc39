internal import RationModel
internal import RationSQLite
internal import RationWire

/// The plans as the subscriber's file keeps them, for the one thread that writes them.
final class PlansTables {
    private let database: SQLiteDatabase
    private let reading: PlanStatements
    private let putPlan: SQLiteStatement
    private let putEntry: SQLiteStatement
    private let removeEntry: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        self.database = database
        reading = try PlanStatements(database)
        putPlan = try database.prepare(
            """
            INSERT INTO plans(app, device, log, birth, revision, floor, seen, given, told, pushed, not_before, push_at,
                shape)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            ON CONFLICT(app, device) DO UPDATE SET log = ?3, birth = ?4, revision = ?5, floor = ?6, seen = ?7,
                given = ?8, told = ?9, pushed = ?10, not_before = ?11, push_at = ?12, shape = ?13
            """)
        putEntry = try database.prepare("INSERT OR REPLACE INTO entries VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
        removeEntry = try database.prepare("DELETE FROM entries WHERE plan = ?1 AND id = ?2")
    }

    static func make(in database: SQLiteDatabase) throws(SQLiteError) {
        // What a device is forgotten with does not stay in free pages.
        try database.run("PRAGMA secure_delete = ON") { _ in }
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS plans(
                number INTEGER PRIMARY KEY, app TEXT NOT NULL, device TEXT NOT NULL, log TEXT NOT NULL,
                birth INTEGER NOT NULL, revision INTEGER NOT NULL, floor INTEGER NOT NULL, seen INTEGER NOT NULL,
                given INTEGER NOT NULL, told INTEGER NOT NULL, pushed INTEGER NOT NULL,
                not_before INTEGER NOT NULL, push_at INTEGER, shape INTEGER NOT NULL,
                UNIQUE(app, device))
            """)
        try database.run("CREATE INDEX IF NOT EXISTS plans_push ON plans(push_at) WHERE push_at IS NOT NULL")
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS entries(
                plan INTEGER NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, wrong_from INTEGER NOT NULL,
                fire INTEGER, calendar TEXT, zone TEXT, content BLOB, PRIMARY KEY(plan, id)) WITHOUT ROWID
            """)
        try database.run("CREATE TABLE IF NOT EXISTS survey(log TEXT NOT NULL, gone INTEGER NOT NULL)")
    }

    /// A device's plan, and a hash of what the broker held for it; nil for an unknown one.
    func plan(_ recipient: DevicesRequest.Recipient) throws(SQLiteError) -> StoredPlan? {
        try reading.plan(app: recipient.app, device: recipient.device)
    }

    /// Stores what has become different of a plan.
    /// - Parameter pushDate: when its phone is to be told; nil: it knows.
    func put(
        _ plan: PhonePlan, of recipient: DevicesRequest.Recipient, shape: UInt64, pushDate: Instant?,
        _ changes: PhonePlan.Changes = PhonePlan.Changes()
    ) throws {
        try putPlan.run([
            .text(recipient.app), .text(recipient.device), .text(plan.log), .integer(plan.birth),
            .number(plan.revision),
            .number(plan.floor), .number(plan.seen), .number(plan.given), .number(plan.told),
            .integer(plan.pushed.milliseconds),
            .integer(plan.notBefore.milliseconds), pushDate.map { .integer($0.milliseconds) } ?? .null, .number(shape),
        ])
        guard !changes.entries.isEmpty || !changes.forgotten.isEmpty,
            let number = try reading.number(app: recipient.app, device: recipient.device)
        else { return }
        for id in changes.forgotten { try removeEntry.run([.integer(number), .text(id)]) }
        for entry in changes.entries { try put(entry, ofPlan: number) }
    }

    private func put(_ entry: PhonePlan.Entry, ofPlan number: Int64) throws(SQLiteError) {
        var calendar: (text: SQLiteValue, zone: SQLiteValue) = (.null, .null)
        if case .calendar(let pattern, let zone)? = entry.notification?.trigger {
            calendar = (.text(pattern.stored), zone.map { .text($0) } ?? .null)
        }
        try putEntry.run([
            .integer(number), .text(entry.id), .number(entry.revision), .integer(entry.wrongFrom.milliseconds),
            entry.notification.map { .integer($0.fireDate.milliseconds) } ?? .null, calendar.text, calendar.zone,
            entry.notification.map { .blob($0.content) } ?? .null,
        ])
    }

    /// Forgets a device.
    func remove(_ recipient: DevicesRequest.Recipient) throws {
        guard let number = try reading.number(app: recipient.app, device: recipient.device) else { return }
        try database.run("DELETE FROM entries WHERE plan = ?1", [.integer(number)])
        try database.run("DELETE FROM plans WHERE number = ?1", [.integer(number)])
    }

    func count() throws(SQLiteError) -> Int {
        var count: Int64 = 0
        try database.run("SELECT count(*) FROM plans") { count = $0.integer(0) }
        return Int(count)
    }

    // MARK: - Phones that are to be told

    /// Those whose time has come, the longest overdue first.
    func toPush(_ now: Instant, most: Int) throws(SQLiteError) -> [DevicesRequest.Recipient] {
        try recipients(
            "SELECT app, device FROM plans WHERE push_at <= ?1 ORDER BY push_at, number LIMIT ?2",
            [.integer(now.milliseconds), .integer(Int64(most))])
    }

    func nextPush() throws(SQLiteError) -> Instant? {
        var next: Instant?
        try database.run("SELECT min(push_at) FROM plans WHERE push_at IS NOT NULL") { row in
            if row.value(0) != .null { next = Instant(milliseconds: row.integer(0)) }
        }
        return next
    }

    private func recipients(
        _ query: String, _ values: [SQLiteValue]
    ) throws(SQLiteError) -> [DevicesRequest.Recipient] {
        var recipients: [DevicesRequest.Recipient] = []
        try database.run(query, values) { row in
            recipients.append(DevicesRequest.Recipient(app: row.text(0) ?? "", device: row.text(1) ?? ""))
        }
        return recipients
    }

    // MARK: - The survey

    /// A plan's number in this file; nil for an unknown device.
    func number(_ recipient: DevicesRequest.Recipient) throws(SQLiteError) -> Int64? {
        try reading.number(app: recipient.app, device: recipient.device)
    }

    /// Devices whose plans have other numbers.
    func others(than numbers: Set<Int64>) throws(SQLiteError) -> [DevicesRequest.Recipient] {
        var others: [DevicesRequest.Recipient] = []
        try database.run("SELECT number, app, device FROM plans ORDER BY number") { row in
            guard !numbers.contains(row.integer(0)) else { return }
            others.append(DevicesRequest.Recipient(app: row.text(1) ?? "", device: row.text(2) ?? ""))
        }
        return others
    }

    /// What the last survey that came to its end had looked at: the log, and how many of its events were lost before.
    func survey() throws(SQLiteError) -> (log: String, gone: Int64)? {
        var survey: (log: String, gone: Int64)?
        try database.run("SELECT log, gone FROM survey") { survey = ($0.text(0) ?? "", $0.integer(1)) }
        return survey
    }

    func putSurvey(log: String, gone: Int64) throws(SQLiteError) {
        try database.run("DELETE FROM survey")
        try database.run("INSERT INTO survey VALUES(?1, ?2)", [.text(log), .integer(gone)])
    }

    /// How many events of a log this subscriber has never seen, as its runner notes it.
    func gone(log: String) throws(SQLiteError) -> Int64 {
        var gone: Int64 = 0
        try database.run("SELECT gone FROM ration_cursors WHERE log = ?1", [.text(log)]) { gone = $0.integer(0) }
        return gone
    }
}

extension SQLiteValue {
    static func number(_ number: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: number)) }
}
