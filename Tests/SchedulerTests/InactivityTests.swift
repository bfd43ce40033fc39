import RationModel
import RationPluginKit
import TestSupport
import Testing

@testable import InactivityScheduler

@Suite("Inactivity: nudges after the last visit, at the usual hour")
struct InactivityTests {
    typealias Row = [String: FactValue]

    private let scheduler: InactivityScheduler

    init() throws {
        scheduler = try InactivityScheduler(settings: [])
    }

    private func visits(_ times: [String], zone: String? = "Europe/Madrid") -> [Row] {
        times.map { ["visitedAt": .at($0), "timeZone": zone.map { .text($0) } ?? .null] }
    }

    private func lines(_ rows: [Row], now: String) throws -> [String] {
        try scheduler.lines(["visits": rows], now: now).map {
            $0.replacing("com.myapp.inactivityReminder.", with: "")
        }
    }

    @Test("3, 7, 14 and 30 days after the last visit's day, at the hour at which the user usually comes")
    func usual() throws {
        // 08:10, 08:30 and 20:00 in Madrid.
        let rows = visits(["2026-06-12T06:10:00Z", "2026-06-13T06:30:00Z", "2026-06-15T18:00:00Z"])
        #expect(
            try lines(rows, now: "2026-06-15T18:00:00Z") == [
                "14 2026-06-29T06:30:00Z", "3 2026-06-18T06:30:00Z", "30 2026-07-15T06:30:00Z",
                "7 2026-06-22T06:30:00Z",
            ])
        let first = try #require(try scheduler.answer(["visits": rows], now: "2026-06-15T18:00:00Z").sorted.first)
        #expect(first.type == "inactivity" && first.content.body == "It has been 14 days")
        #expect(first.expires == .at("2026-06-30T06:30:00Z") && first.content.userInfo == ["days": "14"])
        #expect(first.marginMilliseconds == 30 * 60_000)
    }

    @Test("with fewer than three visits it is the setting's hour")
    func few() throws {
        #expect(
            try lines(visits(["2026-06-12T06:10:00Z", "2026-06-15T06:30:00Z"]), now: "2026-06-15T08:00:00Z").first
                == "14 2026-06-29T16:00:00Z")
    }

    @Test("a new visit pushes all of them away, under the same ids")
    func pushed() throws {
        let rows = visits(["2026-06-12T06:10:00Z", "2026-06-13T06:30:00Z", "2026-06-15T18:00:00Z"])
        let more = rows + visits(["2026-06-18T06:20:00Z"])
        #expect(
            try lines(more, now: "2026-06-18T06:20:00Z") == [
                "14 2026-07-02T06:20:00Z", "3 2026-06-21T06:20:00Z", "30 2026-07-18T06:20:00Z",
                "7 2026-06-25T06:20:00Z",
            ])
    }

    @Test("nudges that have expired are over, the others stay")
    func expired() throws {
        let rows = visits(["2026-06-15T06:30:00Z"])
        #expect(try lines(rows, now: "2026-06-19T15:59:59.999Z").count == 4)
        #expect(try lines(rows, now: "2026-06-19T16:00:00Z").count == 3)
        #expect(try lines(rows, now: "2026-07-16T16:00:00Z") == [])
        #expect(try lines([], now: "2026-07-16T16:00:00Z") == [])
    }

    @Test("a visit ahead is left out until it has come")
    func ahead() throws {
        let rows = visits(["2026-06-15T06:30:00Z", "2026-06-16T06:30:00Z"])
        let answer = try scheduler.answer(["visits": rows], now: "2026-06-15T12:00:00Z")
        #expect(answer.faults.map { "\($0.row) \($0.column)" } == ["2 visitedAt"])
        #expect(answer.nextChange == .at("2026-06-16T06:30:00Z"))
        #expect(try lines(rows, now: "2026-06-15T12:00:00Z").contains("3 2026-06-18T16:00:00Z"))
        #expect(try lines(rows, now: "2026-06-16T06:30:00Z").contains("3 2026-06-19T16:00:00Z"))
    }

    @Test("a traveller's hour is the one of each visit's own clock; the nudge comes on the clock of the last")
    func traveller() throws {
        // Three times at 08:30, in Madrid and in Kathmandu (UTC+5:45).
        let rows =
            visits(["2026-06-12T06:30:00Z", "2026-06-13T06:30:00Z"])
            + visits(["2026-06-15T02:45:00Z"], zone: "Asia/Kathmandu")
        #expect(try lines(rows, now: "2026-06-15T12:00:00Z").contains("3 2026-06-18T02:45:00Z"))
        // A visit that does not say where it was was where the latest was that does.
        let silent = rows + visits(["2026-06-16T02:45:00Z"], zone: nil)
        #expect(try lines(silent, now: "2026-06-16T12:00:00Z").contains("3 2026-06-19T02:45:00Z"))
    }

    @Test(
        "clocks that change in between do not move the hour; the last visit's day is its local one",
        arguments: [
            ("Europe/Madrid", "2026-03-26T12:00:00Z", "2026-03-29T16:00:00Z"),
            ("Europe/Madrid", "2026-03-26T23:30:00Z", "2026-03-30T16:00:00Z"),
            ("America/Sao_Paulo", "2018-11-02T12:00:00Z", "2018-11-05T20:00:00Z"),
            ("Australia/Lord_Howe", "2026-04-03T12:00:00Z", "2026-04-06T07:30:00Z"),
            ("UTC", "2028-02-27T12:00:00Z", "2028-03-01T18:00:00Z"),
        ])
    func clocks(zone: String, visit: String, expected: String) throws {
        #expect(try lines(visits([visit], zone: zone), now: visit).contains("3 \(expected)"))
    }

    @Test("only the latest twenty visits tell the hour, in any order of the rows")
    func latest() throws {
        let old = (1...30).map { "2026-05-\($0 < 10 ? "0" : "")\($0)T20:00:00Z" }
        let new = (1...20).map { "2026-06-\($0 < 10 ? "0" : "")\($0)T06:00:00Z" }
        let rows = visits(old + new, zone: "UTC")
        for rows in [rows, rows.reversed()] {
            #expect(try lines(rows, now: "2026-06-20T12:00:00Z").contains("3 2026-06-23T06:00:00Z"))
        }
    }

    @Test("two visits of one instant on two clocks: the order of the rows does not matter")
    func sameInstant() throws {
        let rows =
            visits(["2026-06-15T22:30:00Z"]) + visits(["2026-06-15T22:30:00Z"], zone: "Asia/Kathmandu")
            + visits(["2026-06-15T22:30:00Z"], zone: "UTC")
        let lines = try lines(rows, now: "2026-06-16T12:00:00Z")
        #expect(try self.lines(rows.reversed(), now: "2026-06-16T12:00:00Z") == lines)
    }

    @Test("a zone that is not known is a fault of its row, or of the setting")
    func zones() throws {
        let now = "2026-06-20T12:00:00Z"
        let rows = visits(["2026-06-12T06:30:00Z"], zone: "Europe/Atlantis")
        #expect(try scheduler.faults(["visits": rows], now: now) == ["visits 1 timeZone"])
        let scheduler = try InactivityScheduler(settings: [Setting("timeZone", .text("Europe/Atlantis"))])
        let silent = visits(["2026-06-12T06:30:00Z"], zone: nil)
        #expect(try scheduler.faults(["visits": silent], now: now) == ["visits 1 timeZone"])
        let known = visits(["2026-06-19T06:30:00Z"], zone: "UTC")
        #expect(try scheduler.answer(["visits": known], now: now).notifications.count == 4)
    }

    @Test("distances have messages of their own")
    func messages() throws {
        let scheduler = try InactivityScheduler(settings: [
            Setting("after", .list([.text("48h"), .text("1d")])), Setting("title", .text("Hello")),
            Setting("messages", .mapping([Setting("2d", .mapping([Setting("body", .text("Two ({days})"))]))])),
        ])
        let answer = try scheduler.answer(["visits": visits(["2026-06-15T06:30:00Z"])], now: "2026-06-15T12:00:00Z")
        #expect(answer.sorted.map(\.content.body) == ["It has been 1 days", "Two (2)"])
        #expect(answer.sorted.map(\.content.title) == ["Hello", "Hello"])
    }

    @Test(
        "the circular median: no minute of the day lies nearer to all, and of several it is the earliest that was given"
    )
    func circularMedian() {
        #expect(CircularMedian.minute(of: []) == nil)
        #expect(CircularMedian.minute(of: [1439, 1, 3]) == 1)
        #expect(CircularMedian.minute(of: [1400, 1430, 20]) == 1430)
        #expect(CircularMedian.minute(of: [480, 1200]) == 480)
        for seed in UInt64(1)...60 {
            var random = SplitMix64(seed: seed)
            let center = Int.random(in: 0..<1440, using: &random)
            let minutes = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                (center + Int.random(in: 0...(seed % 2 == 0 ? 200 : 1439), using: &random)) % 1440
            }
            let sums = (0..<1440).map { minute in
                minutes.reduce(0) { $0 + min((minute + 1440 - $1) % 1440, ($1 + 1440 - minute) % 1440) }
            }
            let least = sums.min()
            #expect(
                CircularMedian.minute(of: minutes) == minutes.sorted().first { sums[$0] == least },
                "seed \(seed), \(minutes)")
        }
    }
}
