internal import Glibc
public import RationSQLite

/// A subscriber's file as others see it, while its process may be writing it.
public struct SubscriberSnapshot: Hashable, Sendable {
    public var name: String
    /// The log that is followed; nil before the first page.
    public var cursor: SubscriberFile.Cursor?
    public var isPaused: Bool
    public var setAside: UInt64

    /// Opens a subscriber's file to read it, also one that a crash has left in the middle of a transaction.
    /// - Throws: ``SubscriberError`` if there is none yet; ``SQLiteError``.
    public static func open(_ path: String) throws -> SQLiteDatabase {
        guard access(path, F_OK) == 0 else {
            throw SubscriberError(.file, "there is no file '\(path)' yet: the subscriber has not run")
        }
        let look = "SELECT count(*) FROM sqlite_master"
        let database = try SQLiteDatabase(file: path, .reading)
        do {
            try database.run(look)
            return database
        } catch let error {
            // READONLY (sqlite.org/rescode.html): a transaction has to be rolled back first, which takes a writer.
            guard case .result(let result) = error.code, result & 0xFF == 8 else { throw error }
            let writer = try SQLiteDatabase(file: path, .shared)
            try writer.run(look)
            return writer
        }
    }

    /// - Throws: ``SQLiteError``, also for a file that is not a subscriber's.
    public static func read(_ database: SQLiteDatabase) throws -> SubscriberSnapshot {
        try database.reading {
            var snapshot = SubscriberSnapshot(name: "", cursor: nil, isPaused: false, setAside: 0)
            var log: String?
            try database.run("SELECT name, log, paused FROM ration_subscriber") {
                (snapshot.name, log, snapshot.isPaused) = ($0.text(0) ?? "", $0.text(1), $0.integer(2) != 0)
            }
            try database.run("SELECT count(*) FROM set_aside") { snapshot.setAside = UInt64($0.integer(0)) }
            if let log { snapshot.cursor = try SubscriberFile.cursor(of: log, in: database) }
            return snapshot
        }
    }
}
