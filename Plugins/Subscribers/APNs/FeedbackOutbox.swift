internal import RationBus
internal import RationSQLite

/// The outbox of feedback, in the subscriber's own file: a request is stored in the same transaction that takes its lines out of
/// the table `feedback`, so that each line is published once.
final class FeedbackOutbox: Outbox {
    private(set) var log: String?
    private(set) var nextNumber: UInt64 = 1
    /// The last line of `feedback` that the next request holds.
    var through: Int64 = 0
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        self.database = database
        var state: (log: String?, next: Int64) = (nil, 1)
        try database.run("SELECT log, next FROM outbox") { state = ($0.text(0), $0.integer(1)) }
        (log, nextNumber) = (state.log, UInt64(bitPattern: state.next))
    }

    static func makeTables(in database: SQLiteDatabase) throws(SQLiteError) {
        try database.run("CREATE TABLE IF NOT EXISTS outbox(log TEXT, next INTEGER NOT NULL)")
        try database.run("INSERT INTO outbox SELECT NULL, 1 WHERE NOT EXISTS (SELECT 1 FROM outbox)")
        try database.run("CREATE TABLE IF NOT EXISTS requests(number INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    }

    func unacknowledged() throws -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try database.run("SELECT number, body FROM requests ORDER BY number") { row in
            entries.append(OutboxEntry(number: UInt64(bitPattern: row.integer(0)), body: row.blob(1)))
        }
        return entries
    }

    func store(number: UInt64, body: [UInt8]) throws {
        try database.transaction {
            try database.run("INSERT INTO requests VALUES(?1, ?2)", [.integer(Int64(number)), .blob(body)])
            try database.run("DELETE FROM feedback WHERE number <= ?1", [.integer(through)])
            try database.run("UPDATE outbox SET next = ?1", [.integer(Int64(number) + 1)])
        }
        nextNumber = number + 1
    }

    func remove(through number: UInt64) throws {
        try database.run("DELETE FROM requests WHERE number <= ?1", [.integer(Int64(number))])
    }

    func agree(on log: String, renumberingFrom firstNumber: UInt64?) throws {
        let stored = try unacknowledged()
        let first = firstNumber ?? nextNumber - UInt64(stored.count)
        try database.transaction {
            try database.run("DELETE FROM requests")
            for (place, entry) in stored.enumerated() {
                try database.run(
                    "INSERT INTO requests VALUES(?1, ?2)", [.integer(Int64(first) + Int64(place)), .blob(entry.body)])
            }
            try database.run(
                "UPDATE outbox SET log = ?1, next = ?2", [.text(log), .integer(Int64(first) + Int64(stored.count))])
        }
        self.log = log
        nextNumber = first + UInt64(stored.count)
    }
}
