internal import RationModel
public import RationSQLite

extension AnalyticsReport {
    /// Reads a file while analytics may be writing it.
    /// - Returns: nil for a file that holds no log, or not the one that is asked for.
    /// - Throws: ``SQLiteError``, also for a file without analytics' tables.
    public static func read(_ database: SQLiteDatabase, _ request: Request) throws -> AnalyticsReport? {
        try database.reading { try ReportReader(database, request)?.report() }
    }
}

/// Reads what a report tells of one log.
struct ReportReader {
    let database: SQLiteDatabase
    private let request: AnalyticsReport.Request
    private let log: (number: Int64, name: String)
    private let logs: [String]
    private let firstHour: Int64

    private static let binSizes: [Int64] = [1, 2, 3, 6, 12, 24, 48, 168, 336, 720, 2_160, 8_760]
    private static let mostBins: Int64 = 60

    init?(_ database: SQLiteDatabase, _ request: AnalyticsReport.Request) throws(SQLiteError) {
        (self.database, self.request) = (database, request)
        var logs: [(number: Int64, name: String, lastTime: Int64)] = []
        try database.run("SELECT number, name, last_time FROM logs ORDER BY number") {
            logs.append(($0.integer(0), $0.text(1) ?? "", $0.integer(2)))
        }
        self.logs = logs.map(\.name)
        let newest = logs.max { ($0.lastTime, $0.number) < ($1.lastTime, $1.number) }
        let wanted = request.log.map { name in logs.first { $0.name.isSame(as: name) } } ?? newest
        guard let wanted else { return nil }
        log = (wanted.number, wanted.name)
        let begin = request.lastMilliseconds.map { request.now.advanced(by: -$0) }
        firstHour = begin.map(PageFold.hour) ?? .min
    }

    func report() throws(SQLiteError) -> AnalyticsReport {
        let (current, lastTime) = try state()
        let hours = try hourRange()
        let bins = hours.map(bins)
        return AnalyticsReport(
            log: log.name, logs: logs, now: request.now, hours: hours, events: try total(), lastTime: lastTime,
            current: current, types: try groups("types", "c.type"), apps: try groups("apps", "c.app"),
            hourly: try hourGroups(), whys: try whys(), durations: try durations(), opens: try opens(), bins: bins,
            evictionsByType: try series(bins, "kind = \(EventKind.evicted.rawValue)", "type", try names("types")),
            evictionsByReason: try series(bins, "kind = \(EventKind.evicted.rawValue)", "reason") {
                EventReason(rawValue: UInt8($0)).map { "\($0.name)" } ?? ""
            },
            changesByCause: try series(bins, "cause NOT IN (0, \(EventCause.new.rawValue))", "cause") {
                EventCause(rawValue: UInt8($0)).map { "\($0.name)" } ?? ""
            },
            samples: try samples(bins))
    }

    var window: [SQLiteValue] { [.integer(log.number), .integer(firstHour)] }

    private func state() throws(SQLiteError) -> (AnalyticsReport.Sample, Instant?) {
        var sample = AnalyticsReport.Sample(held: 0, queued: 0, recipients: 0, over: 0)
        var lastTime: Instant?
        try database.run(
            "SELECT held, queued, recipients, over, last_time, events FROM logs WHERE number = ?1",
            [.integer(log.number)]
        ) {
            sample = Self.sample($0, from: 0)
            if $0.integer(5) > 0 { lastTime = Instant(milliseconds: $0.integer(4)) }
        }
        return (sample, lastTime)
    }

    private static func sample(_ row: SQLiteRow, from column: Int32) -> AnalyticsReport.Sample {
        AnalyticsReport.Sample(
            held: row.integer(column), queued: row.integer(column + 1), recipients: row.integer(column + 2),
            over: row.integer(column + 3))
    }

    private func hourRange() throws(SQLiteError) -> ClosedRange<Int64>? {
        var range: ClosedRange<Int64>?
        try database.run(
            "SELECT min(hour), max(hour), count(*) FROM samples WHERE log = ?1 AND hour >= ?2", window
        ) { if $0.integer(2) > 0 { range = $0.integer(0)...$0.integer(1) } }
        return range
    }

    private func total() throws(SQLiteError) -> Int64 {
        var total: Int64 = 0
        try database.run("SELECT sum(count) FROM counts WHERE log = ?1 AND hour >= ?2", window) {
            total = $0.integer(0)
        }
        return total
    }

    private func groups(_ table: String, _ column: String) throws(SQLiteError) -> [AnalyticsReport.Group] {
        let groups = try groups(
            """
            SELECT coalesce(n.name, 'other'), c.kind, sum(c.count), sum(c.count * (c.final = 1)) FROM counts c
            LEFT JOIN \(table) n ON n.log = c.log AND n.number = \(column)
            WHERE c.log = ?1 AND c.hour >= ?2 GROUP BY \(column), c.kind ORDER BY \(column)
            """
        ) { $0.text(0) ?? "" }
        return groups.sorted { ($0.total, $1.name) > ($1.total, $0.name) }
    }

    private func hourGroups() throws(SQLiteError) -> [AnalyticsReport.Group] {
        try groups(
            """
            SELECT hour, kind, sum(count), sum(count * (final = 1)) FROM counts
            WHERE log = ?1 AND hour >= ?2 GROUP BY hour, kind ORDER BY hour
            """
        ) { Instant(milliseconds: $0.integer(0) * PageFold.hourMilliseconds).rfc3339 }
    }

    /// - Parameter sql: gives a group's column, kind, count, and how many of these are final; a group's rows together.
    private func groups(
        _ sql: String, name: (SQLiteRow) -> String
    ) throws(SQLiteError) -> [AnalyticsReport.Group] {
        var groups: [AnalyticsReport.Group] = []
        try database.run(sql, window) { row in
            let name = name(row)
            if groups.last?.name.isSame(as: name) != true { groups.append(AnalyticsReport.Group(name: name)) }
            guard let kind = EventKind(rawValue: UInt8(clamping: row.integer(1))) else { return }
            groups[groups.count - 1].kinds[Int(kind.rawValue)] += row.integer(2)
            if kind == .evicted { groups[groups.count - 1].evictedForGood += row.integer(3) }
        }
        return groups
    }

    private func whys() throws(SQLiteError) -> [AnalyticsReport.Why] {
        var whys: [AnalyticsReport.Why] = []
        try database.run(
            """
            SELECT kind, cause, reason, final, sum(count) FROM counts WHERE log = ?1 AND hour >= ?2
            GROUP BY kind, cause, reason, final ORDER BY kind, 5 DESC, cause, reason, final
            """, window
        ) { row in
            guard let kind = EventKind(rawValue: UInt8(clamping: row.integer(0))),
                let cause = EventCause(rawValue: UInt8(clamping: row.integer(1))),
                let reason = EventReason(rawValue: UInt8(clamping: row.integer(2)))
            else { return }
            let isFinal = row.integer(3) < 0 ? nil : row.integer(3) == 1
            whys.append(
                AnalyticsReport.Why(kind: kind, cause: cause, reason: reason, isFinal: isFinal, count: row.integer(4)))
        }
        return whys
    }

    private func durations() throws(SQLiteError) -> [AnalyticsReport.Durations] {
        var all: [AnalyticsReport.Durations] = []
        try database.run(
            """
            SELECT d.measure, coalesce(n.name, 'other'), d.bucket, sum(d.count), sum(d.sum), max(d.most) FROM durations d
            LEFT JOIN types n ON n.log = d.log AND n.number = d.type
            WHERE d.log = ?1 AND d.hour >= ?2 GROUP BY d.measure, d.type, d.bucket ORDER BY d.measure, d.type, d.bucket
            """, window
        ) { row in
            guard let measure = DurationMeasure(rawValue: row.integer(0)) else { return }
            let type = row.text(1) ?? ""
            if all.last?.measure != measure || all.last?.type.isSame(as: type) != true {
                all.append(AnalyticsReport.Durations(measure: measure, type: type))
            }
            let index = all.count - 1
            all[index].count += row.integer(3)
            all[index].sumMilliseconds += row.integer(4)
            all[index].mostMilliseconds = max(all[index].mostMilliseconds, row.integer(5))
            let bucket = Int(row.integer(2))
            if all[index].buckets.indices.contains(bucket) { all[index].buckets[bucket] += row.integer(3) }
        }
        return all
    }

    /// As many hours in a bin as it takes to have few enough of them.
    private func bins(_ hours: ClosedRange<Int64>) -> AnalyticsReport.Bins {
        let count = hours.upperBound - hours.lowerBound + 1
        let each = Self.binSizes.first { count <= $0 * (Self.mostBins - 1) } ?? count
        // Bins begin where the clock's hours and days in UTC do.
        let first = hours.lowerBound - (hours.lowerBound % each + each) % each
        return AnalyticsReport.Bins(
            firstHour: first, hoursEach: each, count: Int((hours.upperBound - first) / each) + 1)
    }

    private func names(_ table: String) throws(SQLiteError) -> (Int64) -> String {
        var names: [Int64: String] = [:]
        try database.run("SELECT number, name FROM \(table) WHERE log = ?1", [.integer(log.number)]) {
            names[$0.integer(0)] = $0.text(1)
        }
        return { names[$0] ?? "other" }
    }

    private func series(
        _ bins: AnalyticsReport.Bins?, _ condition: String, _ column: String, _ name: (Int64) -> String
    ) throws(SQLiteError) -> [AnalyticsReport.Series] {
        guard let bins else { return [] }
        var series: [AnalyticsReport.Series] = []
        var last: Int64?
        try database.run(
            """
            SELECT \(column), hour, sum(count) FROM counts WHERE log = ?1 AND hour >= ?2 AND \(condition)
            GROUP BY \(column), hour ORDER BY \(column), hour
            """, window
        ) { row in
            if last != row.integer(0) {
                last = row.integer(0)
                let values = [Int64](repeating: 0, count: bins.count)
                series.append(AnalyticsReport.Series(name: name(row.integer(0)), values: values))
            }
            series[series.count - 1].values[Int((row.integer(1) - bins.firstHour) / bins.hoursEach)] += row.integer(2)
        }
        return series.sorted { ($0.total, $1.name) > ($1.total, $0.name) }
    }

    /// The last sample of each bin; a bin without an event keeps the one before.
    private func samples(_ bins: AnalyticsReport.Bins?) throws(SQLiteError) -> [AnalyticsReport.Sample?] {
        guard let bins else { return [] }
        var samples = [AnalyticsReport.Sample?](repeating: nil, count: bins.count)
        try database.run(
            """
            SELECT hour, held, queued, recipients, over FROM samples WHERE log = ?1 AND hour >= ?2 ORDER BY hour
            """, window
        ) { row in
            samples[Int((row.integer(0) - bins.firstHour) / bins.hoursEach)] = Self.sample(row, from: 1)
        }
        for index in samples.indices.dropFirst() where samples[index] == nil { samples[index] = samples[index - 1] }
        return samples
    }
}
