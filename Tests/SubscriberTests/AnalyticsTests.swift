import AnalyticsSubscriber
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import TestSupport
import Testing

/// A file's tables in the lines of a ``Recount``.
enum RecountedTables {
    static func lines(_ database: SQLiteDatabase, log: String) throws -> [String] {
        var number: Int64 = 0
        try database.run("SELECT number FROM logs WHERE name = ?1", [.text(log)]) { number = $0.integer(0) }
        let queries = [
            "SELECT 'count', hour, kind, cause, reason, final, type, app, count FROM counts",
            "SELECT 'duration', hour, measure, type, bucket, count, sum, most FROM durations",
            "SELECT 'sample', hour, held, queued, recipients, over FROM samples",
            "SELECT 'type', number, name FROM types", "SELECT 'app', number, name FROM apps",
            "SELECT 'open', hour, type, hour_of_day, priority, due, failed, opened FROM opens",
            "SELECT 'recipient', app || '/' || device, held, queued FROM (SELECT * FROM recipients WHERE held + queued > 0)",
        ]
        var lines = try queries.flatMap { try self.lines("\($0) WHERE log = \(number)", database) }
        lines += try self.lines(
            "SELECT 'sums', held, queued, recipients, over, events, first_time, last_time FROM logs WHERE number = \(number)",
            database)
        return lines.sorted()
    }

    private static func lines(_ sql: String, _ database: SQLiteDatabase) throws -> [String] {
        let statement = try database.prepare(sql)
        let columns = Int32(statement.columns.count)
        var lines: [String] = []
        try statement.read { row in
            lines.append((0..<columns).map { row.text($0) ?? "" }.joined(separator: " "))
        }
        return lines
    }
}

@Suite("Analytics")
struct AnalyticsTests {
    @Test("its tables are those of a recount of the whole log, after crashes at any point", arguments: UInt64(1)...12)
    func exact(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = EventGenerator.events(400, &random)
        let (most, hours) = (seed % 4 == 0 ? 2 : 1_000, seed % 3 == 0 ? 1 : 168 as Int64)
        let settings = [Setting("names", .wholeNumber(Int64(most))), Setting("openedWithin", .text("\(hours)h"))]
        let make = { try Analytics(settings: settings) as any Subscriber }
        var handing = try Handing(make)
        for page in SubscriberConformance.pages(events, &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try handing.restart(make)
            case 1: try handing.fail(page, log: "a")
            case 2:
                try handing.fail(page, log: "a")
                try handing.restart(make)
            default: break
            }
            try handing.hand(page, log: "a")
        }
        let (found, expected) = (
            try RecountedTables.lines(handing.database, log: "a"),
            Recount(events, mostNames: most, openMilliseconds: hours * Self.hour).lines
        )
        #expect(found == expected, "seed \(seed)")
    }

    @Test("two logs in one file are each as if alone")
    func twoLogs() throws {
        var random = SplitMix64(seed: 5)
        let (first, second) = (EventGenerator.events(200, &random), EventGenerator.events(150, &random))
        let handing = try Handing { try Analytics(settings: []) }
        try handing.hand(Array(first[..<100]), log: "a")
        try handing.hand(second, log: "b")
        try handing.hand(Array(first[100...]), log: "a")
        #expect(try RecountedTables.lines(handing.database, log: "a") == Recount(first).lines)
        #expect(try RecountedTables.lines(handing.database, log: "b") == Recount(second).lines)
    }

    static let hour: Int64 = 3_600_000

    private func event(
        _ kind: EventKind, _ id: String, at time: Int64, device: String = "d", final: Bool? = nil
    ) -> ReceivedEvent {
        var event = ReceivedEvent(
            sequence: UInt64(time) + 1, time: Instant(milliseconds: time), kind: kind, app: "app", device: device,
            id: id, type: "t", priority: 0, fireDate: Instant(milliseconds: time),
            requestedDate: Instant(milliseconds: time), batch: 1)
        event.isFinal = final
        return event
    }

    private func report(_ events: [ReceivedEvent], _ change: (inout AnalyticsReport.Request) -> Void = { _ in }) throws
        -> AnalyticsReport
    {
        let handing = try Handing { try Analytics(settings: []) }
        try handing.hand(events, log: "a")
        var request = AnalyticsReport.Request(now: Instant(milliseconds: 10 * Self.hour))
        change(&request)
        return try #require(try AnalyticsReport.read(handing.database, request))
    }

    @Test("a repeating notification holds no slot from its `due` to its next `accepted`")
    func recurring() throws {
        let accepted = event(.accepted, "n", at: 1)
        #expect(try report([accepted, event(.due, "n", at: 2, final: false)]).current.held == 0)
        #expect(
            try report([accepted, event(.due, "n", at: 2, final: false), event(.accepted, "n", at: 2)]).current.held
                == 1)
    }

    @Test("time in the queue runs from the event that queued it, through moves, to the slot or the end")
    func queueTimes() throws {
        let report = try report([
            event(.accepted, "evicted", at: 0), event(.evicted, "evicted", at: 1_000, final: false),
            event(.queued, "evicted", at: 2_000), event(.accepted, "evicted", at: 5_000),
            event(.queued, "gone", at: 0), event(.expired, "gone", at: 7_200_000, final: true),
        ])
        let measured = report.durations.filter { $0.measure != .latency }
        #expect(measured.map(\.measure) == [.queuedUntilHeld, .queuedUntilGone])
        #expect(measured.map(\.sumMilliseconds) == [4_000, 7_200_000])
        #expect(measured.map { $0.bucket(at: 0.5) } == ["10 s", "3 h"])
    }

    @Test("recipients over budget are those with something queued, of those with something pending")
    func over() throws {
        let report = try report([
            event(.accepted, "a", at: 1), event(.queued, "b", at: 1), event(.accepted, "a", at: 2, device: "e"),
            event(.accepted, "a", at: 2, device: "f"), event(.cancelled, "a", at: 3, device: "f", final: true),
        ])
        #expect(report.current == .init(held: 2, queued: 1, recipients: 2, over: 1))
        #expect(report.current.overPercent == 50)
    }

    @Test("samples are what is pending at the end of each hour; hours without events keep the last")
    func samples() throws {
        let report = try report([
            event(.accepted, "a", at: 1), event(.accepted, "b", at: Self.hour - 1),
            event(.accepted, "c", at: Self.hour),
            event(.cancelled, "a", at: 4 * Self.hour, final: true),
        ])
        #expect(report.bins == .init(firstHour: 0, hoursEach: 1, count: 5))
        #expect(report.samples.map { $0?.held } == [2, 3, 3, 3, 2])
    }

    @Test("the last hours alone: from the beginning of the hour in which they begin")
    func last() throws {
        let events = (0..<10).map { event(.accepted, "n\($0)", at: Int64($0) * Self.hour + 5) }
        let report = try report(events) { $0.lastMilliseconds = 3 * Self.hour }
        #expect(report.events == 3)
        #expect(report.hours == 7...9)
        #expect(report.current.held == 10)
    }

    @Test("many hours are put into few bins that begin at whole days")
    func bins() throws {
        let report = try report([event(.accepted, "a", at: 30 * Self.hour), event(.accepted, "b", at: 900 * Self.hour)])
        #expect(report.bins == .init(firstHour: 24, hoursEach: 24, count: 37))
    }

    @Test("types and apps above the limit count as other")
    func names() throws {
        let handing = try Handing { try Analytics(settings: [Setting("names", .wholeNumber(2))]) }
        try handing.hand(
            ["a", "b", "c", "d", "a"].enumerated().map { index, type in
                var event = event(.accepted, "n\(index)", at: Int64(index))
                event.type = type
                return event
            }, log: "a")
        let report = try #require(
            try AnalyticsReport.read(handing.database, .init(now: Instant(milliseconds: Self.hour))))
        #expect(report.types.map(\.name) == ["a", "other", "b"])
        #expect(report.types.map(\.total) == [2, 2, 1])
    }

    @Test("a setting out of range is told")
    func settings() throws {
        func paths(_ settings: [Setting]) -> [String] {
            let faults = #expect(throws: SettingFaults.self) { try Analytics(settings: settings) }
            return faults?.faults.map(\.path) ?? []
        }
        for value in [SettingValue.wholeNumber(0), .wholeNumber(100_001), .text("many")] {
            #expect(paths([Setting("names", value)]) == ["names"])
        }
        for value in [SettingValue.text("59m"), .text("32d"), .wholeNumber(7)] {
            #expect(paths([Setting("openedWithin", value)]) == ["openedWithin"])
        }
        #expect(paths([Setting("names", .text("")), Setting("openedWithin", .text(""))]) == ["names", "openedWithin"])
    }

    @Test("a file without a log gives no report, and one without tables an error")
    func empty() throws {
        let handing = try Handing { try Analytics(settings: []) }
        let request = AnalyticsReport.Request(now: Instant(milliseconds: 0))
        #expect(try AnalyticsReport.read(handing.database, request) == nil)
        let other = try SQLiteDatabase(file: "", .reading)
        #expect(throws: SQLiteError.self) { try AnalyticsReport.read(other, request) }
    }
}
