import Foundation
import RationBus
import RationHTTP
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import RationWire
import Testing

@testable import PlansSubscriber

@Suite("What the subscriber stores, and what phones are answered")
final class StoringTests {
    private final class Time: @unchecked Sendable {
        // Unchecked: one thread uses it.
        var now = Instant(milliseconds: 1_800_000_000_000)
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-plans-\(UUID())")
    private let holdings = FakeHoldings()
    private let waker = FakeWaker()
    private let time = Time()
    private let secret = TokenSecret(bytes: Array(0..<32))
    private let file: SubscriberFile
    private let plans: Plans
    private let desk: PlanDesk

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("plans.db").path
        file = try SubscriberFile(path, of: "plans")
        plans = try Plans(settings: [Setting("secret", .text("/secret"))])
        plans.waker = waker
        let (plans, database, time) = (plans, file.database, time)
        try database.transaction { try plans.prepare(database) }
        desk = PlanDesk(secret, data: path, requests: plans.requests, meter: plans.counters, clock: { time.now })
        plans.start(Plans.Parts(directory: holdings, clock: { time.now }, tell: { _ in }))
        follow("log")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// As the runner notes it.
    private func follow(_ log: String) {
        do {
            try file.database.run("UPDATE ration_subscriber SET log = ?1", [.text(log)])
        } catch {
            Issue.record(error)
        }
    }

    private func at(_ minutes: Int64) -> Instant { Instant(milliseconds: 1_800_000_000_000 + minutes * 60_000) }

    private func hand(_ sequences: ClosedRange<UInt64>, of device: String, log: String = "log") throws {
        let events = sequences.map { sequence in
            ReceivedEvent(
                sequence: sequence, time: time.now, kind: .accepted, app: "com.example", device: device, id: "n",
                type: "habit", priority: 0, fireDate: at(100), requestedDate: at(100), batch: sequence)
        }
        holdings.sequence = max(holdings.sequence, sequences.upperBound)
        try file.database.transaction {
            try plans.store(EventPage(log: log, events: events[...]), in: file.database)
        }
    }

    @discardableResult
    private func work() throws -> Int64? {
        var wait = try plans.work(in: file.database)
        while wait == 0 { wait = try plans.work(in: file.database) }
        return wait
    }

    private func ask(_ device: String, since: String? = nil, token: String? = nil) -> HTTPResponse {
        let token = token ?? secret.token(app: "com.example", device: device)
        return desk.answer(
            HTTPRequest(
                method: "GET", path: "/v1/plans/com.example/\(device)", query: since.map { ["since": $0] } ?? [:],
                authorization: "Bearer \(token)"))
    }

    private func body(_ response: HTTPResponse) throws -> (
        revision: String, whole: Bool, remove: [String], add: [String]
    ) {
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        let value = try #require(
            try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
        let add = value["add"] as? [[String: Any]]
        return (
            value["revision"] as? String ?? "", value["whole"] as? Bool ?? false, value["remove"] as? [String] ?? [],
            add?.map { "\($0["id"] ?? "") \($0["at"] ?? "")" } ?? []
        )
    }

    @Test("an event has its device looked at once, and later events that this has seen do not")
    func looks() throws {
        holdings.set("d1", ["a": at(10)])
        try hand(1...5, of: "d1")
        #expect(holdings.takeAsked() == ["d1"])
        holdings.sequence = 9
        try hand(6...7, of: "d1")
        #expect(holdings.takeAsked() == ["d1"])
        try hand(8...9, of: "d1")
        #expect(holdings.takeAsked() == [])
        try hand(10...10, of: "d1")
        #expect(holdings.takeAsked() == ["d1"])
    }

    @Test("a phone gets its plan, then what is different, then nothing")
    func answers() throws {
        holdings.set("d1", ["a": at(10), "b": at(20)])
        try hand(1...2, of: "d1")
        let first = try body(ask("d1"))
        #expect(first.whole)
        #expect(first.add == ["a 2027-01-15T08:10:00.000Z", "b 2027-01-15T08:20:00.000Z"])
        #expect(ask("d1", since: first.revision).status == 204)
        holdings.set("d1", ["b": at(25)])
        try hand(3...3, of: "d1")
        let second = try body(ask("d1", since: first.revision))
        #expect(!second.whole && second.remove == ["a"] && second.add == ["b 2027-01-15T08:25:00.000Z"])
        #expect(try body(ask("d1", since: "other.1.1")).whole)
    }

    @Test("who has no token of the device, or asks for something else, learns nothing")
    func refusals() throws {
        holdings.set("d1", ["a": at(10)])
        try hand(1...1, of: "d1")
        let right = secret.token(app: "com.example", device: "d1")
        for authorization in [
            nil, "", "Bearer", "Bearer ", right, "Basic \(right)", "Bearer \(right)x", "Bearer \(right.dropLast())",
            "Bearer \(right.uppercased())", "Bearer \(secret.token(app: "com.example", device: "d2"))",
            "Bearer \(secret.token(app: "com.other", device: "d1"))",
        ] {
            let response = desk.answer(
                HTTPRequest(method: "GET", path: "/v1/plans/com.example/d1", authorization: authorization))
            #expect(response.status == 401, "\(authorization ?? "none")")
            #expect(response.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        }
        // A known and an unknown device are the same to who has no token.
        #expect(ask("nobody", token: right).status == 401)
        #expect(ask("nobody").status == 404)
        for path in [
            "/", "/v1/plans", "/v1/plans/com.example", "/v1/plans/com.example/", "/v1/plans/com.example/d1/",
            "/v1/plans//d1",
            "/v2/plans/com.example/d1", "/v1/plans/com.example/d1/x", "v1/plans/com.example/d1",
            "//v1/plans/com.example/d1",
        ] {
            let response = desk.answer(HTTPRequest(method: "GET", path: path, authorization: "Bearer \(right)"))
            #expect([401, 404].contains(response.status), "\(path)")
        }
        #expect(ask("d1", since: "nonsense").status == 400)
        #expect(ask("d1", since: "").status == 200)
    }

    @Test("a token is HMAC-SHA256 of app and device")
    func token() {
        // Python's hmac, of bytes(range(32)) and b"ration plans 1\0com.example.habits\0phone-1".
        #expect(
            secret.token(app: "com.example.habits", device: "phone-1")
                == "c7d0093fa6aaf72e22b363da2334cb807b227cdeda307daee556ed44353936fe")
        #expect(
            secret.isAuthorized(
                "bEARER c7d0093fa6aaf72e22b363da2334cb807b227cdeda307daee556ed44353936fe", app: "com.example.habits",
                device: "phone-1"))
    }

    @Test("a secret that others can read, or that is short, is not taken")
    func secrets() throws {
        let path = folder.appendingPathComponent("secret").path
        func write(_ bytes: Int, mode: Int) {
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(repeating: 7, count: bytes), attributes: [.posixPermissions: mode])
        }
        write(32, mode: 0o600)
        #expect(throws: Never.self) { try TokenSecret(file: path) }
        write(32, mode: 0o640)
        #expect(throws: PrivateFileError.self) { try TokenSecret(file: path) }
        write(31, mode: 0o600)
        let error = #expect(throws: PrivateFileError.self) { try TokenSecret(file: path) }
        #expect(error?.message == "expected at least 32 bytes of randomness, found 31")
        write(4_097, mode: 0o600)
        #expect(throws: PrivateFileError.self) { try TokenSecret(file: path) }
        #expect(throws: PrivateFileError.self) { try TokenSecret(file: folder.path) }
    }

    @Test("while the broker is away nothing is stored, and the page comes again")
    func away() throws {
        holdings.set("d1", ["a": at(10)])
        holdings.isAway = true
        #expect(throws: SubscriberUnavailable.self) { try hand(1...1, of: "d1") }
        #expect(ask("d1").status == 404)
        holdings.isAway = false
        try hand(1...1, of: "d1")
        #expect(ask("d1").status == 200)
    }

    @Test("an answer without room for all is asked for again from there")
    func room() throws {
        holdings.room = 2
        for device in ["d1", "d2", "d3", "d4", "d5"] { holdings.set(device, ["a": at(10)]) }
        let recipients = ["d1", "d2", "d3", "d4", "d5"].map(holdings.recipient)
        try file.database.transaction { try plans.look(at: recipients) }
        #expect(holdings.takeAsked() == ["d1", "d2", "d3", "d4", "d5"])
        #expect(ask("d5").status == 200)
    }

    @Test("a device that the broker has forgotten is forgotten here, and is nothing but new when it comes again")
    func forgotten() throws {
        holdings.set("d1", ["a": at(10)])
        try hand(1...1, of: "d1")
        let first = try body(ask("d1"))
        holdings.held = [:]
        try hand(2...2, of: "d1")
        #expect(ask("d1", since: first.revision).status == 404)
        var rows: Int64 = 0
        try file.database.run("SELECT count(*) FROM entries") { rows = $0.integer(0) }
        #expect(rows == 0)
        time.now = at(1)
        holdings.set("d1", ["b": at(20)])
        holdings.sequence = 1
        _ = try file.database.transaction { try plans.look(at: [holdings.recipient("d1")]) }
        let second = try body(ask("d1", since: first.revision))
        #expect(second.whole && second.add == ["b 2027-01-15T08:20:00.000Z"])
    }

    @Test("at the start all devices are looked at of which something is different, and after a restore all of them")
    func survey() throws {
        for device in ["d1", "d2", "d3"] { holdings.set(device, ["a": at(10)]) }
        holdings.sequence = 5
        try work()
        #expect(holdings.takeAsked() == ["d1", "d2", "d3"])
        // As a process that starts again.
        holdings.set("d2", ["a": at(11)])
        plans.surveying = .beginning
        try work()
        #expect(holdings.takeAsked() == ["d2"])
        // One that the broker no longer knows, which no event has told.
        let d3 = holdings.held.removeValue(forKey: holdings.recipient("d3"))
        plans.surveying = .beginning
        try work()
        #expect(holdings.takeAsked() == ["d3"])
        #expect(ask("d3").status == 404)
        _ = plans.requests.take()
        holdings.held[holdings.recipient("d3")] = d3
        // Events that are gone may have been of any device.
        try file.database.run("INSERT INTO ration_cursors VALUES('log', 5, 5, 3, 0)")
        plans.surveying = .beginning
        try work()
        #expect(holdings.takeAsked() == ["d1", "d2", "d3"])
        let before = try body(ask("d1"))
        // The broker was restored to a state that does not have d3.
        holdings.log = "restored"
        holdings.sequence = 2
        holdings.held[holdings.recipient("d3")] = nil
        follow("restored")
        try work()
        #expect(Set(holdings.takeAsked()) == ["d1", "d2", "d3"])
        #expect(ask("d3").status == 404)
        #expect(try body(ask("d1", since: before.revision)).whole)
    }

    @Test("a phone is told by a push, again not before 20 minutes, and not if it has asked by itself")
    func pushes() throws {
        holdings.set("d1", ["a": at(30), "b": at(60)])
        try hand(1...1, of: "d1")
        let wait = try #require(try work())
        #expect(wait > 0)
        #expect(waker.take() == ["d1 2"])
        // Not its next date.
        holdings.set("d1", ["a": at(30), "b": at(61)])
        try hand(3...3, of: "d1")
        try work()
        #expect(waker.take() == [])
        time.now = at(20)
        try work()
        #expect(waker.take() == ["d1 3"])
        // Its next date.
        holdings.set("d1", ["a": at(31), "b": at(61)])
        holdings.now = at(20)
        try hand(4...4, of: "d1")
        try work()
        #expect(waker.take() == ["d1 4"])
        holdings.set("d1", ["a": at(31), "b": at(62)])
        try hand(5...5, of: "d1")
        _ = ask("d1")
        try work()
        time.now = at(50)
        try work()
        #expect(waker.take() == [])
    }

    @Test("a push that could not be sent is tried again after a minute; one that never can is not")
    func failures() throws {
        holdings.set("d1", ["a": at(30)])
        try hand(1...1, of: "d1")
        waker.outcome = .later
        try work()
        #expect(waker.take() == ["d1 2"])
        try work()
        #expect(waker.take() == [])
        time.now = at(1)
        waker.outcome = .failed
        try work()
        #expect(waker.take() == ["d1 2"])
        time.now = at(100)
        try work()
        #expect(waker.take() == [])
        #expect(plans.meter.metrics.contains(#"ration_plans_wakes_total{outcome="failed"} 1"#))
    }

    @Test("what came due too early is given until the phone says that it has it")
    func late() throws {
        holdings.set("d1", ["b": at(600)])
        try hand(1...1, of: "d1")
        let first = try body(ask("d1"))
        holdings.set("d1", ["a": at(0), "b": at(600)])
        try hand(3...3, of: "d1")
        holdings.set("d1", ["b": at(600)])
        try hand(4...4, of: "d1")
        // Answers that are lost.
        for _ in 0..<2 {
            #expect(try body(ask("d1", since: first.revision)).add == ["a 2027-01-15T08:00:00.000Z"])
            try work()
            try hand(holdings.sequence + 1...holdings.sequence + 1, of: "d1")
        }
        let second = try body(ask("d1", since: first.revision))
        #expect(ask("d1", since: second.revision).status == 204)
        try work()
        try hand(holdings.sequence + 1...holdings.sequence + 1, of: "d1")
        #expect(try body(ask("d1", since: first.revision)).add == [])
    }

    @Test(
        "a device with nothing in its plan is looked at when its phone asks: that it shows things itself makes no event"
    )
    func changedDelivery() throws {
        holdings.set("d1", ["a": at(30)], delivery: .push)
        try hand(1...1, of: "d1")
        #expect(try body(ask("d1")).add == [])
        holdings.set("d1", ["a": at(30)])
        try work()
        #expect(try body(ask("d1")).add == ["a 2027-01-15T08:30:00.000Z"])
        // One that is not known, too.
        holdings.set("d2", ["a": at(30)])
        #expect(ask("d2").status == 404)
        try work()
        #expect(ask("d2").status == 200)
    }

    @Test("a plan that is stored is read back as it was")
    func roundTrip() throws {
        var pattern = CalendarPattern()
        (pattern.weekday, pattern.hour, pattern.minute, pattern.second) = (3, 8, 0, 0)
        var plan = PhonePlan(log: "log", sequence: 3, birth: at(0))
        let notifications = [
            PhoneNotification(id: "at", trigger: .at(at(5)), fireDate: at(5), content: Array(#"{"title":"é"}"#.utf8)),
            PhoneNotification(
                id: "c1", trigger: .calendar(pattern, timeZone: nil), fireDate: at(6), content: Array("{}".utf8)),
            PhoneNotification(
                id: "c2", trigger: .calendar(pattern, timeZone: "UTC"), fireDate: at(7), content: Array("{}".utf8)),
            PhoneNotification(id: "gone", trigger: .at(at(8)), fireDate: at(8), content: Array("{}".utf8)),
        ]
        let tables = try #require(plans.tables)
        let recipient = holdings.recipient("d1")
        for (sequence, held) in [(4, notifications), (5, Array(notifications.dropLast()))]
            as [(UInt64, [PhoneNotification])]
        {
            let changes = plan.update(
                PhonePlan.Held(held, log: "log", sequence: sequence, now: at(0)), clock: at(0))
            try file.database.transaction {
                try tables.put(plan, of: recipient, shape: .max - 1, pushDate: nil, changes)
            }
        }
        plan.push(at(1))
        plan.give(4)
        try file.database.transaction { try tables.put(plan, of: recipient, shape: .max - 1, pushDate: at(2)) }
        #expect(try tables.plan(recipient) == StoredPlan(plan: plan, shape: .max - 1))
        #expect(try tables.nextPush() == at(2))
    }
}
