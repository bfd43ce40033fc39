import RationModel
import RationSQLite
import Testing

@testable import RationScheduling

private let hour = Scene.hour
private func at(_ milliseconds: Int64) -> Int64 { Scene.at(milliseconds) }

@Suite("Facts")
struct FactsTests {
    @Test(
        "a row with a wrong value is left out and told by query, row, recipient and column; the others count",
        arguments: [
            ("'com.x','d1',NULL,5,NULL,9,NULL,0,0,NULL,NULL", "(com.x/d1): column 'id' expected text, found NULL"),
            (
                "'com.x','d1','t.1','soon',NULL,9,NULL,0,0,NULL,NULL",
                "(com.x/d1): column 'at' expected an instant (RFC 3339 text, or whole milliseconds since 1970) or NULL, found text 'soon'"
            ),
            (
                "'com.x','d1','t.1',5.5,NULL,9,NULL,0,0,NULL,NULL",
                "(com.x/d1): column 'at' expected an instant (RFC 3339 text, or whole milliseconds since 1970) or NULL, found real 5.5"
            ),
            ("'com.x','d1',5,5,NULL,9,NULL,0,0,NULL,NULL", "(com.x/d1): column 'id' expected text, found integer 5"),
            (
                "'com.x','d1',x'00',5,NULL,9,NULL,0,0,NULL,NULL",
                "(com.x/d1): column 'id' expected text, found a blob of 1 bytes"
            ),
            (
                "'com.x','d1',CAST(x'ff' AS TEXT),5,NULL,9,NULL,0,0,NULL,NULL",
                "(com.x/d1): column 'id' expected text, found text that is not UTF-8"
            ),
            (
                "'com.x','d1','t.1',5,NULL,9,NULL,2,0,NULL,NULL",
                "(com.x/d1): column 'deliver' expected 0 or 1 or NULL, found integer 2"
            ),
            (
                "'com.x','d1','t.1',5,NULL,9,NULL,0,0,NULL,9e999",
                "(com.x/d1): column 'score' expected a finite number or NULL, found real inf"
            ),
            ("'com.x','d1','t.1',NULL,NULL,9,NULL,0,0,NULL,NULL", "(com.x/d1): column 'at' expected a date"),
            ("NULL,'d1','t.1',5,NULL,9,NULL,0,0,NULL,NULL", ": column 'app' expected text, found NULL"),
            (
                "'com/x','d1','t.1',5,NULL,9,NULL,0,0,NULL,NULL",
                ": column 'app' expected 1 to 128 letters, digits, '.', '-' or '_', found text 'com/x'"
            ),
            (
                "'com.x','a/b','t.1',5,NULL,9,NULL,0,0,NULL,NULL",
                ": column 'device' expected 1 to 128 bytes of UTF-8 without control characters, '/' and spaces at the ends, found text 'a/b'"
            ),
        ])
    func rowFaults(values: String, told: String) throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.good", at: at(hour))])
        try scene.facts.database.run("INSERT INTO wanted VALUES (\(values))")
        try scene.run(.once)
        #expect(scene.broker.pending.keys.map(\.id) == ["t.good"])
        let complaint = try #require(scene.complaints.first)
        #expect(
            scene.complaints.count == 1 && complaint.hasPrefix("wanted row ") && complaint.hasSuffix(told),
            "\(complaint)")
        #expect(scene.lines[0].contains(" 1 left out"))
        try scene.run(.once)
        #expect(scene.complaints.count == 1, "the same fault is told once")
        #expect(scene.lines[1].contains(" 1 left out"), "and counted each time")
    }

    @Test("of many faults the first few are told, and how many more there are")
    func manyFaults() throws {
        let scene = try Scene()
        try scene.facts.set((0..<20).map { Wish("t.\($0)", at: nil, expires: at(hour)) })
        try scene.run(.once)
        #expect(scene.complaints.count == SchedulerLimits.toldPerRun + 1)
        #expect(scene.complaints.last == "and 8 more")
    }

    @Test(
        "facts that cannot be read fail the run, and nothing is published or cancelled",
        arguments: [
            ("SELECT * FROM nowhere", "query 'wanted': no such table: nowhere (SQLite 1)"),
            (
                "SELECT app, device, id, at FROM wanted ORDER BY app, device",
                "query 'wanted' returns no column 'expires', it returns 'app', 'device', 'id', 'at'"
            ),
            ("SELECT *, id FROM wanted ORDER BY app, device", "query 'wanted' returns 2 columns 'id'"),
            (
                "SELECT id, at, expires FROM wanted",
                "query 'wanted' returns no column 'app', it returns 'id', 'at', 'expires'"
            ),
            (
                "SELECT * FROM wanted ORDER BY app, device DESC",
                "query 'wanted' is not in order: row 2 (com.x/d1) comes behind com.x/d2; end it with ORDER BY app, device"
            ),
            ("DELETE FROM wanted RETURNING app, device, id, expires", "query 'wanted' would change the file"),
        ])
    func queryFaults(sql: String, message: String) throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour)), Wish("t.2", at: at(hour), device: "d2")])
        try scene.run()
        _ = scene.received()
        try scene.facts.set([Wish("t.3", at: at(hour)), Wish("t.4", at: at(hour), device: "d2")])
        scene.options.queries["wanted"] = sql
        scene.kill()
        let error = #expect(throws: FactsError.self) { try scene.run() }
        #expect(error?.message == message)
        #expect(scene.received().isEmpty && scene.broker.pending.count == 2)
    }

    @Test("a facts file that is not there, or is no database, fails the run")
    func noFile() throws {
        let scene = try Scene()
        scene.options.facts = scene.folder.path + "/none.db"
        #expect(throws: SQLiteError.self) { try scene.run() }
        #expect(scene.received().isEmpty)
    }

    @Test("a query that is not given counts as empty where it is optional; two tables make one recipient")
    func tables() throws {
        let scene = try Scene()
        scene.options.queries = [
            "wanted": "SELECT * FROM wanted WHERE id < 't.5' ORDER BY app, device",
            "extra": "SELECT * FROM wanted WHERE id >= 't.5' ORDER BY app, device",
        ]
        let devices = ["d1", "d2", "é", "z"]
        try scene.facts.set([
            Wish("t.1", at: at(hour), device: "d1"), Wish("t.7", at: at(hour), device: "d1"),
            Wish("t.7", at: at(hour), device: "é"), Wish("t.2", at: at(hour), device: "z"),
            Wish("t.7", at: at(hour), device: "d2"),
        ])
        try scene.run(.once)
        #expect(Set(scene.broker.pending.keys.map(\.device)) == Set(devices))
        #expect(scene.broker.pending.count == 5)
        #expect(scene.lines[0].contains("4 recipients, 4 changed"))
    }

    @Test("the order of a recipient's rows does not matter, and neither do columns that nobody asked for")
    func rowOrder() throws {
        let scene = try Scene()
        let wishes = (1...5).map { Wish("t.\($0)", at: at(hour)) }
        try scene.facts.set(wishes)
        try scene.run()
        _ = scene.received()
        try scene.facts.set(wishes.reversed())
        try scene.run(.once)
        #expect(scene.lines.last?.contains("1 recipients, 0 changed") == true)
        #expect(scene.received().isEmpty)
    }

    @Test("a run whose time for reading is over opens the facts anew and goes on")
    func slices() throws {
        let scene = try Scene()
        scene.options.readingMilliseconds = 0
        try scene.facts.set((0..<500).map { Wish("t.1", at: at(hour), device: "d\($0)") })
        try scene.run(.once)
        #expect(scene.broker.pending.count == 500)
        #expect(scene.lines[0].contains("500 recipients, 500 changed; 500 scheduled"))
    }
}
