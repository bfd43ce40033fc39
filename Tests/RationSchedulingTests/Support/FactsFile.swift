import Glibc
import RationModel
import RationSQLite
import Testing

/// A folder with a facts file and a place for a scheduler's state; it goes with everything in it.
final class Folder {
    let path: String
    var facts: String { path + "/facts.db" }
    var state: String { path + "/state.db" }

    init() throws {
        var template = Array("/tmp/ration-scheduling-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}

/// One row of the facts.
struct Wish: Hashable {
    var app = "com.x"
    var device = "d1"
    var id: String
    var at: Int64?
    var wall: Int64?
    var expires: Int64
    var title = "T"
    var deliver = false
    var margin: Int64 = 0
    var visible: Int64?

    init(_ id: String, at: Int64? = nil, wall: Int64? = nil, expires: Int64? = nil, device: String = "d1") {
        (self.id, self.at, self.wall, self.device) = (id, at, wall, device)
        self.expires = expires ?? (at ?? wall ?? 0) + 3_600_000
    }

    func with(_ change: (inout Wish) -> Void) -> Wish {
        var changed = self
        change(&changed)
        return changed
    }
}

/// A team's database, as the rows' scheduler reads it.
struct FactsFile {
    static let query = "SELECT * FROM wanted ORDER BY app, device"
    let database: SQLiteDatabase

    init(_ file: String) throws {
        database = try SQLiteDatabase(file: file, .shared)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS wanted (app, device, id, at, wall, expires, title, deliver, margin, visible, score)
            """)
    }

    /// These and no others, in one transaction.
    func set(_ wishes: [Wish]) throws {
        try database.transaction {
            try database.run("DELETE FROM wanted")
            for wish in wishes { try insert(wish) }
        }
    }

    private func insert(_ wish: Wish) throws {
        func number(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
        try database.run(
            "INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            [
                .text(wish.app), .text(wish.device), .text(wish.id), number(wish.at), number(wish.wall),
                .integer(wish.expires), .text(wish.title), .integer(wish.deliver ? 1 : 0), .integer(wish.margin),
                number(wish.visible),
            ])
    }
}
