import Foundation
import RationModel
import RationPluginKit
import RationSQLite
import RationWire

/// Made-up users with habits, in a facts file and as the lines that they lead to.
struct SchedulerFacts {
    static let app = "com.example.habits"
    let folder: URL
    let users: Int
    let habitsEach: Int
    /// In the future, whenever that is.
    private let start = Int64(Date().timeIntervalSince1970) * 1_000 + 86_400_000

    var file: String { folder.appendingPathComponent("facts.db").path }
    var lines: String { folder.appendingPathComponent("lines.ndjson").path }

    init(in folder: URL, users: Int, habitsEach: Int) throws {
        (self.folder, self.users, self.habitsEach) = (folder, users, habitsEach)
        try fill()
        try writeLines()
    }

    private func fill() throws {
        let database = try SQLiteDatabase(file: file, .shared)
        try database.run(
            """
            CREATE TABLE habits (app TEXT, device TEXT, habit TEXT, title TEXT, body TEXT, weekdays TEXT, times TEXT,
                next INTEGER, paused INTEGER, PRIMARY KEY (app, device, habit)) WITHOUT ROWID
            """)
        let insert = try database.prepare(
            "INSERT INTO habits VALUES (?, ?, ?, ?, ?, 'mon,wed,fri', '08:00,20:30', ?, 0)")
        try database.transaction {
            for user in 0..<users {
                for habit in 0..<habitsEach {
                    let (device, title, body, next) = values(user, habit)
                    try insert.run([
                        .text(Self.app), .text(device), .text("habit-\(habit)"), .text(title), .text(body),
                        .integer(next),
                    ])
                }
            }
        }
    }

    private func values(_ user: Int, _ habit: Int) -> (device: String, title: String, body: String, next: Int64) {
        (
            String(format: "device-%07d", user), "Habit number \(habit)",
            "It is time for habit \(habit) of user \(user)",
            start + Int64(user % 86_400) * 1_000 + Int64(habit) * 3_600_000
        )
    }

    /// What a scheduler publishes for them, for a publisher that only has to send it.
    private func writeLines() throws {
        var writer = IntentWriter()
        for user in 0..<users {
            let device = values(user, 0).device
            writer.cancel(prefix: "benchmark.", app: Self.app, device: device)
            for habit in 0..<habitsEach {
                let (_, title, body, next) = values(user, habit)
                var content = IntentWriter.Content()
                (content.title, content.body) = (title, body)
                var schedule = IntentWriter.Schedule(
                    id: "benchmark.habit-\(habit)", content: content, date: .at(Instant(milliseconds: next)))
                (schedule.type, schedule.expires) = ("habit", Instant(milliseconds: next + 4 * 3_600_000))
                writer.schedule(schedule, app: Self.app, device: device)
            }
        }
        try Data(writer.bytes).write(to: URL(fileURLWithPath: lines))
    }

    /// Reads what the scheduler's query returns, each column's bytes, and does nothing with it.
    /// - Returns: the bytes, so that nobody can leave them out.
    func select() throws -> Int {
        let database = try SQLiteDatabase(file: file, .reading)
        return try database.reading {
            let statement = try database.prepare(BenchmarkScheduler.query)
            let columns = Int32(statement.columns.count)
            var bytes = 0
            while let row = try statement.next() {
                for column in 0..<columns {
                    switch row.view(column) {
                    case .null: break
                    case .integer, .real: bytes += 8
                    case .text(let text): bytes += text.count
                    case .blob(let blob): bytes += blob.count
                    }
                }
            }
            return bytes
        }
    }
}
