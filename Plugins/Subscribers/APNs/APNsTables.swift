internal import RationModel
internal import RationSQLite
internal import RationWire

/// What the subscriber keeps: pushes that are to be tried again, what is known of tokens, and feedback that the broker has
/// not got. No token stands there: a hash tells whether a fact is about the token that the device has now.
final class APNsTables {
    /// A push that is to be tried again.
    struct Waiting: Hashable {
        var source: Push.Source
        var app: String
        var device: String
        var id: String
        var content: [UInt8]
        var validUntil: Instant
        var attempts: Int
        var notBefore: Instant
        var reason: String
    }

    /// What is known of a device's token.
    struct TokenFact: Hashable {
        var hash: UInt64
        var hasWorked: Bool
        var deadSince: Instant?
    }

    private let insertWaiting: SQLiteStatement
    private let removeWaiting: SQLiteStatement
    private let insertFeedback: SQLiteStatement
    private let readFact: SQLiteStatement
    private let writeFact: SQLiteStatement
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        self.database = database
        insertWaiting = try database.prepare(
            "INSERT OR REPLACE INTO waiting VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        removeWaiting = try database.prepare("DELETE FROM waiting WHERE log = ?1 AND sequence = ?2")
        insertFeedback = try database.prepare(
            "INSERT INTO feedback(app, device, id, failure) VALUES(?1, ?2, ?3, ?4)")
        readFact = try database.prepare("SELECT hash, worked, dead_since FROM tokens WHERE app = ?1 AND device = ?2")
        writeFact = try database.prepare("INSERT OR REPLACE INTO tokens VALUES(?1, ?2, ?3, ?4, ?5)")
    }

    static func make(in database: SQLiteDatabase) throws(SQLiteError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS waiting(
                log TEXT NOT NULL, sequence INTEGER NOT NULL, app TEXT NOT NULL, device TEXT NOT NULL, id TEXT NOT NULL,
                content BLOB NOT NULL, valid_until INTEGER NOT NULL, attempts INTEGER NOT NULL,
                not_before INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY(log, sequence)) WITHOUT ROWID
            """)
        try database.run("CREATE INDEX IF NOT EXISTS waiting_time ON waiting(not_before)")
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS tokens(
                app TEXT NOT NULL, device TEXT NOT NULL, hash INTEGER NOT NULL, worked INTEGER NOT NULL,
                dead_since INTEGER, PRIMARY KEY(app, device)) WITHOUT ROWID
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS feedback(
                number INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT NOT NULL, device TEXT NOT NULL, id TEXT NOT NULL,
                failure TEXT)
            """)
        try FeedbackOutbox.makeTables(in: database)
    }

    // MARK: - Pushes that wait

    func put(_ waiting: Waiting) throws(SQLiteError) {
        try insertWaiting.run([
            .text(waiting.source.log), .integer(Int64(bitPattern: waiting.source.sequence)), .text(waiting.app),
            .text(waiting.device), .text(waiting.id), .blob(waiting.content), .integer(waiting.validUntil.milliseconds),
            .integer(Int64(waiting.attempts)), .integer(waiting.notBefore.milliseconds), .text(waiting.reason),
        ])
    }

    func removeWaiting(_ source: Push.Source) throws(SQLiteError) {
        try removeWaiting.run([.text(source.log), .integer(Int64(bitPattern: source.sequence))])
    }

    /// Those whose time has come, the longest overdue first.
    func due(_ now: Instant, most: Int) throws(SQLiteError) -> [Waiting] {
        var due: [Waiting] = []
        try database.run(
            """
            SELECT log, sequence, app, device, id, content, valid_until, attempts, not_before, reason FROM waiting
            WHERE not_before <= ?1 ORDER BY not_before, log, sequence LIMIT ?2
            """, [.integer(now.milliseconds), .integer(Int64(most))]
        ) { row in
            due.append(
                Waiting(
                    source: Push.Source(log: row.text(0) ?? "", sequence: UInt64(bitPattern: row.integer(1))),
                    app: row.text(2) ?? "", device: row.text(3) ?? "", id: row.text(4) ?? "", content: row.blob(5),
                    validUntil: Instant(milliseconds: row.integer(6)), attempts: Int(row.integer(7)),
                    notBefore: Instant(milliseconds: row.integer(8)), reason: row.text(9) ?? ""))
        }
        return due
    }

    /// How many wait, and when the first one's time comes.
    func waiting() throws(SQLiteError) -> (count: Int, first: Instant?) {
        var found: (count: Int, first: Instant?) = (0, nil)
        try database.run("SELECT count(*), min(not_before) FROM waiting") { row in
            found.count = Int(row.integer(0))
            if found.count > 0 { found.first = Instant(milliseconds: row.integer(1)) }
        }
        return found
    }

    // MARK: - Tokens

    static func hash(_ token: String) -> UInt64 {
        var token = token
        return token.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0), seed: 0x746F_6B65_6E) }
    }

    /// What is known of the token that a device has now; nil: nothing.
    func fact(app: String, device: String, token: String) throws(SQLiteError) -> TokenFact? {
        var fact: TokenFact?
        try readFact.read([.text(app), .text(device)]) { row in
            fact = TokenFact(
                hash: UInt64(bitPattern: row.integer(0)), hasWorked: row.integer(1) != 0,
                deadSince: row.value(2) == .null ? nil : Instant(milliseconds: row.integer(2)))
        }
        return fact?.hash == Self.hash(token) ? fact : nil
    }

    func put(_ fact: TokenFact, app: String, device: String) throws(SQLiteError) {
        try writeFact.run([
            .text(app), .text(device), .integer(Int64(bitPattern: fact.hash)), .integer(fact.hasWorked ? 1 : 0),
            fact.deadSince.map { .integer($0.milliseconds) } ?? .null,
        ])
    }

    // MARK: - Feedback

    /// - Parameter failure: why it failed; nil: it was delivered.
    func putFeedback(app: String, device: String, id: String, failure: String?) throws(SQLiteError) {
        try insertFeedback.run([.text(app), .text(device), .text(id), failure.map { .text($0) } ?? .null])
    }

    /// The next lines of feedback, and the number of the last of them; nil: there is none.
    func feedback(most: Int) throws(SQLiteError) -> (body: [UInt8], count: Int, through: Int64)? {
        var writer = IntentWriter()
        var count = 0
        var through: Int64?
        try database.run(
            "SELECT number, app, device, id, failure FROM feedback ORDER BY number LIMIT ?1", [.integer(Int64(most))]
        ) { row in
            guard writer.bytes.count < Limits.requestBytes - 4_096 else { return }
            through = row.integer(0)
            count += 1
            writer.feedback(
                id: row.text(3) ?? "", failure: row.text(4), app: row.text(1) ?? "", device: row.text(2) ?? "")
        }
        return through.map { (writer.bytes, count, $0) }
    }
}
