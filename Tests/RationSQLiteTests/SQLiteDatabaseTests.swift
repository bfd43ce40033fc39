import Glibc
import RationSQLite
import Testing

/// A path in a new folder, which goes with everything in it.
private func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/ration-sqlite-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
        for name in ["file.db", "file.db-wal", "file.db-shm", "file.db-journal"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
    return try body("\(folder)/file.db")
}

@Suite("A SQLite file")
struct SQLiteDatabaseTests {
    @Test(
        "a value comes back as it was bound",
        arguments: [
            .null, .integer(.min), .integer(.max), .integer(0), .real(-0.5), .text(""), .text("ä\u{0}b"), .blob([]),
            .blob([0, 255]),
        ] as [SQLiteValue])
    func values(value: SQLiteValue) throws {
        try withFile { file in
            let database = try SQLiteDatabase(file: file, .alone)
            try database.run("CREATE TABLE t (v)")
            try database.run("INSERT INTO t VALUES (?)", [value])
            var (found, viewed): ([SQLiteValue], [SQLiteValue]) = ([], [])
            try database.run("SELECT v FROM t") { row in
                found.append(row.value(0))
                viewed.append(row.view(0).copied)
            }
            #expect(found == [value] && viewed == [value])
        }
    }

    @Test("a transaction that throws leaves the file as it was")
    func rollback() throws {
        try withFile { file in
            struct Stop: Error {}
            let database = try SQLiteDatabase(file: file, .alone)
            try database.run("CREATE TABLE t (v)")
            #expect(throws: Stop.self) {
                try database.transaction {
                    try database.run("INSERT INTO t VALUES (1)")
                    throw Stop()
                }
            }
            var count: Int64 = -1
            try database.run("SELECT count(*) FROM t") { count = $0.integer(0) }
            #expect(count == 0)
        }
    }

    @Test("a file that one has alone is locked for the others, and told by name")
    func locked() throws {
        try withFile { file in
            let first = try SQLiteDatabase(file: file, .alone)
            try first.run("CREATE TABLE t (v)")
            let error = #expect(throws: SQLiteError.self) {
                try SQLiteDatabase(file: file, .alone).run("INSERT INTO t VALUES (1)")
            }
            #expect(error?.code == .locked && error?.isRetryable == true)
            #expect("\(try #require(error))".hasPrefix(file))
        }
    }

    @Test("a file that is only read is not made, and cannot be changed")
    func reading() throws {
        try withFile { file in
            #expect(throws: SQLiteError.self) { try SQLiteDatabase(file: file, .reading) }
            try SQLiteDatabase(file: file, .shared).run("CREATE TABLE t (v)")
            let reader = try SQLiteDatabase(file: file, .reading)
            #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t VALUES (1)") }
        }
    }

    @Test("what reads in one transaction sees one state of the file")
    func snapshot() throws {
        try withFile { file in
            try SQLiteDatabase(file: file, .shared).run("CREATE TABLE t (v)")
            let writer = try SQLiteDatabase(file: file, .shared)
            try writer.run("PRAGMA journal_mode=WAL") { _ in }
            let reader = try SQLiteDatabase(file: file, .reading)
            func count() throws -> Int64 {
                var count: Int64 = -1
                try reader.run("SELECT count(*) FROM t") { count = $0.integer(0) }
                return count
            }
            try reader.reading {
                #expect(try count() == 0)
                try writer.run("INSERT INTO t VALUES (1)")
                #expect(try count() == 0)
            }
            #expect(try count() == 1)
        }
    }

    @Test("a result that is read row by row ends with nil and begins anew")
    func rows() throws {
        try withFile { file in
            let database = try SQLiteDatabase(file: file, .alone)
            let statement = try database.prepare("SELECT column1 AS n FROM (VALUES (1), (2))")
            #expect(statement.readsOnly)
            for _ in 0..<2 {
                #expect(try statement.next()?.integer(0) == 1)
                #expect(try statement.next()?.integer(0) == 2)
                #expect(try statement.next() == nil)
            }
        }
    }

    @Test(
        "SQL that SQLite does not take is told with the file and SQLite's words",
        arguments: [("SELECT * FROM nowhere", "no such table: nowhere"), ("", "the statement is empty")])
    func faults(sql: String, words: String) throws {
        try withFile { file in
            let database = try SQLiteDatabase(file: file, .alone)
            let error = #expect(throws: SQLiteError.self) { try database.prepare(sql) }
            #expect(error?.file == file && error?.message.contains(words) == true)
        }
    }

    @Test("a file that is no database is foreign")
    func foreign() throws {
        try withFile { file in
            let handle = try #require(fopen(file, "w"))
            fputs(String(repeating: "this is no database. ", count: 100), handle)
            fclose(handle)
            let error = #expect(throws: SQLiteError.self) {
                try SQLiteDatabase(file: file, .reading).run("SELECT * FROM sqlite_schema") { _ in }
            }
            #expect(error?.code == .foreign)
        }
    }
}

extension SQLiteView {
    fileprivate var copied: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .blob(Array(bytes))
        }
    }
}
