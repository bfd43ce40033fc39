internal import RationSQLite

/// The tables of analytics in its file.
extension AnalyticsTables {
    /// Raised when a later version reads the tables otherwise.
    static let version: Int64 = 2

    private static let definitions = [
        """
        CREATE TABLE IF NOT EXISTS logs(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, held INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0, recipients INTEGER NOT NULL DEFAULT 0, over INTEGER NOT NULL DEFAULT 0,
            events INTEGER NOT NULL DEFAULT 0, first_time INTEGER NOT NULL DEFAULT 0,
            last_time INTEGER NOT NULL DEFAULT 0)
        """,
        """
        CREATE TABLE IF NOT EXISTS types(
            log INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(log, number)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS apps(
            log INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(log, number)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS counts(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, kind INTEGER NOT NULL, cause INTEGER NOT NULL,
            reason INTEGER NOT NULL, final INTEGER NOT NULL, type INTEGER NOT NULL, app INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY(log, hour, kind, cause, reason, final, type, app)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS durations(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, measure INTEGER NOT NULL, type INTEGER NOT NULL,
            bucket INTEGER NOT NULL, count INTEGER NOT NULL, sum INTEGER NOT NULL, most INTEGER NOT NULL,
            PRIMARY KEY(log, hour, measure, type, bucket)) WITHOUT ROWID
        """,
        """
        CREATE TABLE IF NOT EXISTS samples(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, held INTEGER NOT NULL, queued INTEGER NOT NULL,
            recipients INTEGER NOT NULL, over INTEGER NOT NULL, PRIMARY KEY(log, hour)) WITHOUT ROWID
        """,
        // Rows stand in the order in which recipients come, so that neighbours of a batch are neighbours on disk.
        """
        CREATE TABLE IF NOT EXISTS recipients(
            number INTEGER PRIMARY KEY, log INTEGER NOT NULL, hash INTEGER NOT NULL, app TEXT NOT NULL,
            device TEXT NOT NULL, held INTEGER NOT NULL, queued INTEGER NOT NULL, pending BLOB NOT NULL,
            shown BLOB NOT NULL DEFAULT x'', shown_time INTEGER NOT NULL DEFAULT 0)
        """,
        "CREATE INDEX IF NOT EXISTS recipients_by_hash ON recipients(hash)",
        """
        CREATE INDEX IF NOT EXISTS recipients_idle ON recipients(log, shown_time) WHERE held = 0 AND queued = 0
        """,
        """
        CREATE TABLE IF NOT EXISTS opens(
            log INTEGER NOT NULL, hour INTEGER NOT NULL, type INTEGER NOT NULL, hour_of_day INTEGER NOT NULL,
            priority INTEGER NOT NULL, due INTEGER NOT NULL, failed INTEGER NOT NULL, opened INTEGER NOT NULL,
            PRIMARY KEY(log, hour, type, hour_of_day, priority)) WITHOUT ROWID
        """,
    ]

    /// Makes tables of version 1, which knew no feedback, ones of version 2.
    private static let changesFromFirst = [
        "ALTER TABLE recipients ADD COLUMN shown BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE recipients ADD COLUMN shown_time INTEGER NOT NULL DEFAULT 0",
    ]

    /// Makes the tables where they are missing.
    /// - Throws: ``SQLiteError``; `foreign` for tables of another version.
    static func make(in database: SQLiteDatabase) throws(SQLiteError) {
        try database.run("CREATE TABLE IF NOT EXISTS analytics(version INTEGER NOT NULL)")
        var found: Int64?
        try database.run("SELECT version FROM analytics") { found = $0.integer(0) }
        if found == 1 {
            for change in changesFromFirst { try database.run(change) }
            try database.run("UPDATE analytics SET version = ?1", [.integer(version)])
        } else if let found, found != version {
            throw SQLiteError(
                .foreign, file: database.file, "analytics tables of version \(found), expected \(version)")
        } else if found == nil {
            try database.run("INSERT INTO analytics(version) VALUES(?1)", [.integer(version)])
        }
        for definition in definitions { try database.run(definition) }
    }
}
