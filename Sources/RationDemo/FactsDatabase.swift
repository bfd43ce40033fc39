public import RationModel
internal import RationSQLite

/// A SQLite file with the facts of a made-up team, as schedulers read them; and what its users do.
///
/// All that it knows is in the file, so that one that is opened again goes on where it stood. The same seed and instants lead to
/// the same facts. One thread uses it.
public final class FactsDatabase {
    public let file: String
    let database: SQLiteDatabase
    let clocks: [ZoneClock]
    let seed: UInt64
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens the file; makes it and its tables if it is not there.
    /// - Throws: `SQLiteError`; ``DemoError`` for a file that is somebody else's, or a zone that the tz database lacks.
    public init(file: String, seed: UInt64, zones: any ZoneSource) throws {
        self.file = file
        self.seed = seed
        clocks = try Places.clocks(in: zones)
        database = try SQLiteDatabase(file: file, .shared)
        guard try integer("PRAGMA application_id") != FactsSchema.application else { return }
        guard try integer("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw DemoError(code: .foreignFile, value: file)
        }
        try database.transaction { for statement in FactsSchema.statements { try database.run(statement) } }
    }

    /// How many users it has.
    public var users: Int {
        get throws { Int(try integer("SELECT count(*) FROM users")) }
    }

    /// Appends the registrations of all phones.
    public func appendRegistrations(to lines: inout IntentLines) throws {
        let query = "SELECT \(Self.phoneColumns) FROM devices d JOIN users u ON u.id = d.user_id ORDER BY app, device"
        try database.run(query) { row in lines.register(Self.phone(row)) }
    }

    static let phoneColumns = "d.app, d.device, u.time_zone, d.token, d.holds_plan, d.reserved"

    static func phone(_ row: SQLiteRow) -> Phone {
        Phone(
            app: row.text(0) ?? "", device: row.text(1) ?? "", zone: row.text(2) ?? "", token: row.text(3) ?? "",
            holdsPlan: row.integer(4) != 0, reserved: Int(row.integer(5)))
    }

    /// Runs a statement that may be run often.
    func run(_ sql: String, _ values: [SQLiteValue] = [], row: (SQLiteRow) -> Void = { _ in }) throws {
        let statement = try statements[sql] ?? database.prepare(sql)
        statements[sql] = statement
        try statement.read(values, row: row)
    }

    /// The first number of a result; 0 without one.
    func integer(_ sql: String, _ values: [SQLiteValue] = []) throws -> Int64 {
        var result: Int64 = 0
        try run(sql, values) { result = $0.integer(0) }
        return result
    }
}

extension Instant {
    var sqlite: SQLiteValue { .integer(milliseconds) }
}

extension Int {
    var sqlite: SQLiteValue { .integer(Int64(self)) }
}
