import Foundation
import RationModel
import RationSQLite
import Testing

@testable import RationDemo

@Suite("The facts of a made-up team")
struct FactsDatabaseTests {
    private static let now = Instant(milliseconds: 1_796_000_000_000)
    /// Goes with the test.
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-facts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String = "facts.db") -> String { folder.appendingPathComponent(name).path }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Every row of every table.
    private func content(of facts: FactsDatabase) throws -> [String] {
        var rows: [String] = []
        for table in ["users", "devices", "habits", "entries", "steps", "supplies", "measurements", "visits"] {
            let statement = try facts.database.prepare("SELECT * FROM \(table)")
            try statement.read { row in
                rows.append(table + (0..<Int32(statement.columns.count)).map { " \(row.value($0))" }.joined())
            }
        }
        return rows
    }

    private func numbers(_ facts: FactsDatabase, _ sql: String) throws -> Int64 { try facts.integer(sql) }

    @Test("the same seed and instants give the same facts, another seed others")
    func deterministic() throws {
        defer { remove() }
        var contents: [[String]] = []
        for (name, seed) in [("a", 1), ("b", 1), ("c", 2)] as [(String, UInt64)] {
            let facts = try FactsDatabase(file: file(name), seed: seed, zones: tzDatabase())
            try facts.fill(users: 60, at: Self.now)
            var lines = IntentLines()
            for turn in 1...40 { try facts.happen(5, at: Self.now.advanced(by: Int64(turn) * 500), to: &lines) }
            contents.append(try content(of: facts))
        }
        #expect(contents[0] == contents[1])
        #expect(contents[0] != contents[2])
    }

    @Test("every user has a phone, habits and a visit at most in the past; many have supplies; few are new")
    func population() throws {
        defer { remove() }
        let facts = try FactsDatabase(file: file(), seed: 1, zones: tzDatabase())
        try facts.fill(users: 1_000, at: Self.now)
        #expect(try facts.users == 1_000)
        #expect(try numbers(facts, "SELECT count(*) FROM devices") == 1_000)
        #expect(try numbers(facts, "SELECT count(DISTINCT user_id) FROM habits") == 1_000)
        #expect(try numbers(facts, "SELECT count(*) FROM visits WHERE visited_at > \(Self.now.milliseconds)") == 0)
        #expect(try numbers(facts, "SELECT count(*) FROM measurements WHERE quantity < 0") == 0)
        #expect((300...700).contains(try numbers(facts, "SELECT count(DISTINCT user_id) FROM supplies")))
        let week = Self.now.milliseconds - 8 * 86_400_000
        #expect((50...250).contains(try numbers(facts, "SELECT count(*) FROM users WHERE signed_up_at > \(week)")))
        var lines = IntentLines()
        try facts.appendRegistrations(to: &lines)
        #expect(lines.count == 1_000)
    }

    @Test("a file that is opened again goes on: no user is made twice, and more only when asked for")
    func goesOn() throws {
        defer { remove() }
        try FactsDatabase(file: file(), seed: 1, zones: tzDatabase()).fill(users: 20, at: Self.now)
        let facts = try FactsDatabase(file: file(), seed: 1, zones: tzDatabase())
        let before = try content(of: facts)
        try facts.fill(users: 20, at: Self.now.advanced(by: 1_000))
        #expect(try content(of: facts) == before)
        try facts.fill(users: 25, at: Self.now)
        #expect(try facts.users == 25)
    }

    @Test("everything that can happen happens, and keeps references and instants sound")
    func lives() throws {
        defer { remove() }
        let facts = try FactsDatabase(file: file(), seed: 3, zones: tzDatabase())
        try facts.fill(users: 50, at: Self.now)
        let paused = "SELECT count(*) FROM habits WHERE paused = 1"
        let times = "SELECT count(DISTINCT times) FROM habits"
        let before = (try facts.users, try numbers(facts, paused), try numbers(facts, times))
        var lines = IntentLines()
        for turn in 1...100 { try facts.happen(20, at: Self.now.advanced(by: Int64(turn) * 500), to: &lines) }
        #expect(try facts.users > before.0)
        #expect(try numbers(facts, paused) > before.1)
        #expect(try numbers(facts, times) > before.2)
        #expect(lines.count > 0, "phones register and travel")
        for query in ["entries", "habits WHERE ends IS NOT NULL", "visits WHERE visited_at > \(Self.now.milliseconds)"]
        {
            #expect(try numbers(facts, "SELECT count(*) FROM \(query)") > 0, "\(query)")
        }
        for table in ["devices", "habits", "entries", "steps", "supplies", "visits"] {
            let orphans = "SELECT count(*) FROM \(table) WHERE user_id NOT IN (SELECT id FROM users)"
            #expect(try numbers(facts, orphans) == 0, "\(table)")
        }
    }

    @Test("nothing happens to nobody")
    func empty() throws {
        defer { remove() }
        let facts = try FactsDatabase(file: file(), seed: 1, zones: tzDatabase())
        var lines = IntentLines()
        try facts.happen(50, at: Self.now, to: &lines)
        #expect(try content(of: facts) == [])
    }

    @Test("a database of somebody else's is left as it is")
    func foreign() throws {
        defer { remove() }
        do {
            let other = try SQLiteDatabase(file: file(), .shared)
            try other.run("CREATE TABLE precious (id INTEGER)")
        }
        let error = #expect(throws: DemoError.self) { try FactsDatabase(file: file(), seed: 1, zones: tzDatabase()) }
        #expect(error == DemoError(code: .foreignFile, value: file()))
    }
}
