import AnalyticsSubscriber
import RationModel
import RationPluginKit
import RationSQLite
import Testing

@Suite("Open rates")
struct OpenRateTests {
    private static let hour: Int64 = 3_600_000

    private func due(
        _ id: String, at time: Int64, type: String = "t", priority: Int32 = 0, fire: Int64? = nil, device: String = "d"
    ) -> ReceivedEvent {
        ReceivedEvent(
            sequence: 1, time: Instant(milliseconds: time), kind: .due, app: "app", device: device, id: id, type: type,
            priority: priority, fireDate: Instant(milliseconds: fire ?? time),
            requestedDate: Instant(milliseconds: time), batch: 1)
    }

    private func told(_ kind: EventKind, _ id: String, at time: Int64, device: String = "d") -> ReceivedEvent {
        ReceivedEvent(
            sequence: 1, time: Instant(milliseconds: time), feedback: kind, app: "app", device: device, id: id, batch: 1
        )
    }

    private func report(_ events: [ReceivedEvent], _ change: (inout AnalyticsReport.Request) -> Void = { _ in }) throws
        -> AnalyticsReport
    {
        let handing = try Handing { try Analytics(settings: [Setting("openedWithin", .text("2h"))]) }
        try handing.hand(events, log: "a")
        var request = AnalyticsReport.Request(now: Instant(milliseconds: 10 * Self.hour))
        change(&request)
        return try #require(try AnalyticsReport.read(handing.database, request))
    }

    /// `name due failed opened`.
    private func lines(_ rates: [AnalyticsReport.OpenRate]) -> [String] {
        rates.map { "\($0.name) \($0.due) \($0.failed) \($0.opened)" }
    }

    @Test(
        "What is told of one notification counts once, in whatever order it comes",
        arguments: [
            ([.opened], "t 1 0 1"), ([.action], "t 1 0 1"), ([.opened, .action, .opened], "t 1 0 1"),
            ([.failed], "t 1 1 0"), ([.failed, .failed], "t 1 1 0"), ([.delivered], "t 1 0 0"),
            ([.dismissed], "t 1 0 0"), ([.failed, .delivered], "t 1 0 0"), ([.delivered, .failed], "t 1 0 0"),
            ([.failed, .opened], "t 1 0 1"), ([.opened, .failed, .dismissed], "t 1 0 1"), ([], "t 1 0 0"),
        ] as [([EventKind], String)])
    func fates(told kinds: [EventKind], line: String) throws {
        let report = try report([due("n", at: 0)] + kinds.map { told($0, "n", at: 5) })
        #expect(lines(report.opens.types) == [line])
        #expect(EventKind.feedback.map { report.types[0][$0] }.reduce(0, +) == Int64(kinds.count))
        #expect(report.events == Int64(kinds.count) + 1 && report.hasFeedback == !kinds.isEmpty)
    }

    @Test("It is counted by type, by hour of the fire date in UTC and by priority, in the hour of the due")
    func groups() throws {
        let events = [
            due("a", at: 25 * Self.hour, type: "x", priority: 1, fire: 24 * Self.hour),
            due("b", at: 25 * Self.hour, type: "y", priority: 0), told(.opened, "a", at: 26 * Self.hour),
        ]
        let report = try report(events)
        #expect(lines(report.opens.types) == ["x 1 0 1", "y 1 0 0"])
        #expect(lines(report.opens.hoursOfDay) == ["00:00 1 0 1", "01:00 1 0 0"])
        #expect(lines(report.opens.priorities) == ["0 1 0 0", "1 1 0 1"])
        #expect(report.opens.types[0].percent == 100)
        let later = try self.report(events) {
            $0.now = Instant(milliseconds: 27 * Self.hour)
            $0.lastMilliseconds = Self.hour
        }
        #expect(later.events == 1 && later.opens.types.isEmpty)
    }

    @Test("Feedback is of the newest due of its id, on its device, and of no other")
    func newest() throws {
        let report = try report([
            due("n", at: 0, type: "x"), due("n", at: 1, type: "y"), due("n", at: 2, type: "z", device: "e"),
            due("m", at: 3, type: "z"), told(.opened, "n", at: 4),
        ])
        #expect(lines(report.opens.types).sorted() == ["x 1 0 0", "y 1 0 1", "z 2 0 0"])
        #expect(report.types.filter { $0[.opened] > 0 }.map(\.name) == ["y"])
    }

    @Test("It is waited for as long as the setting says, to the millisecond; what comes later is counted as unknown")
    func window() throws {
        let end = 2 * Self.hour
        #expect(lines(try report([due("n", at: 0), told(.opened, "n", at: end)]).opens.types) == ["t 1 0 1"])
        let late = try report([due("n", at: 0), told(.opened, "n", at: end + 1)])
        #expect(lines(late.opens.types) == ["t 1 0 0"])
        #expect(late.types.map(\.name).sorted() == ["t", "unknown"] && late.apps[0][.opened] == 1)
    }

    @Test("Of one recipient the 256 that came due last are remembered")
    func limit() throws {
        let dues = (0...256).map { due("n\($0)", at: Int64($0)) }
        let report = try report(dues + [told(.opened, "n0", at: 300), told(.opened, "n1", at: 300)])
        #expect(lines(report.opens.types) == ["t 257 0 1"])
    }

    @Test("A recipient leaves the file when nothing is pending and its last due is too long ago")
    func forgetting() throws {
        let handing = try Handing { try Analytics(settings: [Setting("openedWithin", .text("2h"))]) }
        func devices() throws -> [String] {
            var devices: [String] = []
            try handing.database.run("SELECT device FROM recipients ORDER BY device") {
                devices.append($0.text(0) ?? "")
            }
            return devices
        }
        var pending = due("p", at: 0, device: "pending")
        pending.kind = .accepted
        try handing.hand([due("a", at: 0, device: "a"), due("b", at: 1, device: "b"), pending], log: "a")
        #expect(try devices() == ["a", "b", "pending"])
        try handing.hand([told(.opened, "b", at: 2 * Self.hour + 1, device: "b")], log: "a")
        #expect(try devices() == ["b", "pending"])
        try handing.hand([told(.opened, "x", at: 2 * Self.hour + 2, device: "x")], log: "a")
        #expect(try devices() == ["pending"])
    }

    @Test("A file of version 1 goes on, and knows no feedback before")
    func migration() throws {
        let make = { try Analytics(settings: []) as any Subscriber }
        var handing = try Handing(make)
        try handing.hand([due("n", at: 0)], log: "a")
        for change in [
            "DROP TABLE opens", "DROP INDEX recipients_idle", "DELETE FROM recipients",
            "ALTER TABLE recipients DROP COLUMN shown", "ALTER TABLE recipients DROP COLUMN shown_time",
            "UPDATE analytics SET version = 1",
        ] { try handing.database.run(change) }
        let request = AnalyticsReport.Request(now: Instant(milliseconds: Self.hour))
        #expect(try AnalyticsReport.read(handing.database, request)?.opens == .init())
        try handing.restart(make)
        try handing.restart(make)
        try handing.hand([told(.opened, "n", at: 1), due("n", at: 2), told(.opened, "n", at: 3)], log: "a")
        let report = try #require(try AnalyticsReport.read(handing.database, request))
        #expect(lines(report.opens.types) == ["t 1 0 1"] && report.apps[0][.opened] == 2)
        #expect(report.types.map(\.total).reduce(0, +) == 4)
    }

    @Test("The page and the terminal show it only where feedback was told")
    func tables() throws {
        #expect(try report([due("n", at: 0)]).feedbackTables.isEmpty)
        let report = try report([
            due("n", at: 0), due("m", at: 0), told(.opened, "n", at: 1), told(.failed, "m", at: 1),
        ])
        #expect(report.feedbackTables.map(\.title).first == "Feedback")
        #expect(report.feedbackTables[0].rows == [["app", "0", "1", "0", "0", "1"]])
        #expect(report.feedbackTables[1].rows == [["t", "2", "1", "1", "100.0 %"]])
        #expect(AnalyticsPage(report).html.contains("Open rate by hour of the fire date"))
    }
}
