/// The tables of a made-up team: what it knows of its users. Instants are milliseconds since 1970. `deploy/ration.yaml` has the
/// queries that make the schedulers' facts of them.
enum FactsSchema {
    /// `PRAGMA application_id`, "RaDe": a file without it is somebody else's.
    static let application: Int64 = 0x5261_4465

    static let statements = [
        """
        CREATE TABLE users (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, time_zone TEXT NOT NULL, signed_up_at INTEGER NOT NULL)
        """,
        """
        CREATE TABLE devices (
            app TEXT NOT NULL, device TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users, token TEXT NOT NULL,
            holds_plan INTEGER NOT NULL, reserved INTEGER NOT NULL, PRIMARY KEY (app, device)) WITHOUT ROWID
        """,
        "CREATE INDEX devices_of_user ON devices (user_id)",
        """
        CREATE TABLE habits (
            id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, slug TEXT NOT NULL, title TEXT NOT NULL,
            body TEXT, times TEXT NOT NULL, weekdays TEXT, time_zone TEXT, starts TEXT, ends TEXT,
            paused INTEGER NOT NULL DEFAULT 0)
        """,
        "CREATE INDEX habits_of_user ON habits (user_id)",
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, title TEXT NOT NULL, body TEXT,
            at INTEGER, times TEXT, weekdays TEXT)
        """,
        "CREATE INDEX entries_of_user ON entries (user_id)",
        """
        CREATE TABLE steps (
            user_id INTEGER NOT NULL REFERENCES users, step TEXT NOT NULL, done_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, step)) WITHOUT ROWID
        """,
        """
        CREATE TABLE supplies (
            id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, name TEXT NOT NULL, use_per_day REAL)
        """,
        "CREATE INDEX supplies_of_user ON supplies (user_id)",
        """
        CREATE TABLE measurements (
            supply_id INTEGER NOT NULL REFERENCES supplies, measured_at INTEGER NOT NULL, quantity REAL NOT NULL,
            PRIMARY KEY (supply_id, measured_at)) WITHOUT ROWID
        """,
        """
        CREATE TABLE visits (
            user_id INTEGER NOT NULL REFERENCES users, visited_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, visited_at)) WITHOUT ROWID
        """,
        "PRAGMA application_id = \(application)",
    ]
}
