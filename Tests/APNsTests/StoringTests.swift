import Foundation
import RationBus
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import RationWire
import Testing

@testable import APNsSubscriber

/// Answers each push as a test says, in the order in which they are sent.
final class FakeTransport: PushSending {
    var answer: (Push) -> PushOutcome = { _ in .answered(PushAnswer(status: 200)) }
    private(set) var sent: [Push] = []
    private var waiting: [(Int, Push)] = []
    /// Thrown instead of the next start.
    var fault: (any Error)?

    func start(_ order: PushSender.Order, _ push: Push, issued: Instant) throws {
        if let fault { throw fault }
        sent.append(push)
        waiting.append((order.ticket, push))
    }

    func wait(milliseconds: Int) {}

    func advance(_ ended: (Int, PushOutcome) -> Void) {
        let answered = waiting
        waiting = []
        for (ticket, push) in answered { ended(ticket, answer(push)) }
    }

    func tend() -> Int? { nil }
    func close(_ lane: PushLane) {}
    func cancelAll() { waiting = [] }
}

final class FakeDirectory: DeviceDirectory {
    var addresses: [DevicesRequest.Recipient: DeviceAddress] = [:]
    var isAway = false

    func addresses(_ recipients: [DevicesRequest.Recipient]) throws -> [DeviceAddress?] {
        if isAway { throw SubscriberUnavailable("away") }
        return recipients.map {
            addresses[$0] ?? DeviceAddress(token: "aa", isSandbox: false, delivery: .push, registered: nil)
        }
    }
}

@Suite("What the subscriber stores")
final class StoringTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-apns-\(UUID())")
    let transport = FakeTransport()
    let directory = FakeDirectory()
    let database: SQLiteDatabase
    private let time = Time()

    final class Time { var now = Instant(milliseconds: 1_000_000_000_000) }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = try SQLiteDatabase(file: folder.appendingPathComponent("data.db").path, .shared)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var settings: [Setting] {
        [
            Setting(
                "keys",
                .mapping([
                    Setting(
                        "main",
                        .mapping([
                            Setting("file", .text("/k.p8")), Setting("id", .text("ABC123DEFG")),
                            Setting("team", .text("TEAM123456")),
                            Setting("apps", .list([.text(TestPushes.app)])),
                        ]))
                ]))
        ]
    }

    /// A process: what it knows it finds in the files.
    private func subscriber() throws -> APNs {
        let subscriber = try APNs(settings: settings)
        try database.transaction { try subscriber.prepare(database) }
        let time = time
        try subscriber.start(
            APNs.Parts(directory: directory, transport: transport, clock: { time.now }, tell: { _ in }),
            data: folder.appendingPathComponent("data.db").path)
        return subscriber
    }

    private func due(_ sequence: UInt64, app: String = TestPushes.app, content: String = #"{"title":"T"}"#)
        -> ReceivedEvent
    {
        var event = ReceivedEvent(
            sequence: sequence, time: time.now, kind: .due, app: app, device: "d\(sequence)", id: "n\(sequence)",
            type: "t",
            priority: 1, fireDate: time.now, requestedDate: time.now, batch: 1)
        event.content = Array(content.utf8)
        event.validUntil = time.now.advanced(by: 3_600_000)
        return event
    }

    private func store(_ events: [ReceivedEvent], _ subscriber: APNs) throws {
        try database.transaction { try subscriber.store(EventPage(log: "log", events: events[...]), in: database) }
    }

    private func rows(_ sql: String) throws -> [String] {
        var rows: [String] = []
        try database.run(sql) { row in rows.append((0..<2).map { row.text($0) ?? "-" }.joined(separator: " ")) }
        return rows
    }

    private func feedback() throws -> [String] { try rows("SELECT id, failure FROM feedback ORDER BY number") }
    private func waiting() throws -> [String] { try rows("SELECT id, reason FROM waiting ORDER BY sequence") }

    @Test("Each end is one line of feedback; what the phone fires itself is not pushed")
    func ends() throws {
        transport.answer = {
            .answered(PushAnswer(status: $0.id == "n2" ? 400 : 200, reason: $0.id == "n2" ? "BadTopic" : ""))
        }
        var local = due(3)
        local.delivery = .local
        try store([due(1), due(2), local, due(4, app: "other"), due(5, content: #"{"title":""}"#)], subscriber())
        #expect(Set(try feedback()) == ["n1 -", "n2 BadTopic", "n4 noKey", "n5 content"])
        #expect(try waiting().isEmpty && transport.sent.map(\.id) == ["n1", "n2"])
    }

    @Test("What is put off is stored with the page, and tried again when its time has come, by a later process too")
    func retry() throws {
        transport.answer = { _ in .answered(PushAnswer(status: 429, reason: "TooManyRequests", retryAfterSeconds: 30)) }
        let first = try subscriber()
        try store([due(1)], first)
        #expect(try waiting() == ["n1 TooManyRequests"] && feedback().isEmpty)
        #expect(try first.work(in: database) == 30_000)
        transport.answer = { _ in .answered(PushAnswer(status: 200)) }
        let second = try subscriber()
        time.now = time.now.advanced(by: 29_999)
        _ = try second.work(in: database)
        #expect(transport.sent.count == 1)
        time.now = time.now.advanced(by: 1)
        _ = try second.work(in: database)
        #expect(try waiting().isEmpty && feedback() == ["n1 -"])
        #expect(transport.sent.map(\.identifier) == [transport.sent[0].identifier, transport.sent[0].identifier])
    }

    @Test("What ended before a page failed is not sent again, and its end is told once")
    func journal() throws {
        struct Full: Error {}
        let first = try subscriber()
        #expect(throws: Full.self) {
            try database.transaction {
                try first.store(EventPage(log: "log", events: [due(1), due(2)][...]), in: database)
                throw Full()
            }
        }
        #expect(transport.sent.count == 2)
        #expect(try feedback().isEmpty)
        for process in 1...2 {
            let next = process == 1 ? first : try subscriber()
            #expect(next.hasAdvanced == (process == 2))
            try store([due(1), due(2), due(3)], next)
            #expect(Set(try feedback()) == ["n1 -", "n2 -", "n3 -"])
            try database.run("DELETE FROM feedback")
        }
        #expect(transport.sent.map(\.id) == ["n1", "n2", "n3"])
        // A later page: what the journal has is committed.
        let third = try subscriber()
        #expect(!third.hasAdvanced)
        try store([due(4)], third)
        #expect(try feedback() == ["n4 -"] && third.pageJournal?.records.count == 1)
    }

    @Test("A dead token is left alone until the device tells one again; the file holds no token")
    func deadToken() throws {
        let recipient = DevicesRequest.Recipient(app: TestPushes.app, device: "d1")
        directory.addresses[recipient] = DeviceAddress(
            token: "abcdef0123456789", isSandbox: false, delivery: .push, registered: Instant(milliseconds: 500))
        transport.answer = { _ in
            .answered(PushAnswer(status: 410, reason: "Unregistered", timestamp: Instant(milliseconds: 1_000)))
        }
        let subscriber = try subscriber()
        try store([due(1)], subscriber)
        #expect(try feedback() == ["n1 Unregistered"])
        var again = due(2)
        again.device = "d1"
        try store([again], subscriber)
        #expect(try feedback().last == "n2 noToken" && transport.sent.count == 1)
        directory.addresses[recipient]?.registered = Instant(milliseconds: 1_001)
        again.sequence = 3
        try store([again], subscriber)
        #expect(transport.sent.count == 2)
        let file = try Data(contentsOf: folder.appendingPathComponent("data.db"))
        #expect(file.range(of: Data("abcdef0123456789".utf8)) == nil)
    }

    @Test("A token that has worked is remembered, so that BadDeviceToken raises an alarm")
    func worked() throws {
        let subscriber = try subscriber()
        var event = due(1)
        try store([event], subscriber)
        transport.answer = { _ in .answered(PushAnswer(status: 400, reason: "BadDeviceToken")) }
        event.sequence = 2
        try store([event], subscriber)
        #expect(subscriber.counters.metrics.contains(#"ration_apns_alarms_total{alarm="wrongEnvironment"} 1"#))
        transport.answer = { _ in .answered(PushAnswer(status: 200)) }
        event.sequence = 3
        try store([event], subscriber)
        #expect(transport.sent.count == 3)
    }

    @Test("While nobody knows where devices are, no event is blamed and nothing is sent")
    func directoryAway() throws {
        directory.isAway = true
        let subscriber = try subscriber()
        #expect(throws: SubscriberUnavailable.self) { try store([due(1)], subscriber) }
        directory.isAway = false
        try store([due(1)], subscriber)
        #expect(transport.sent.count == 1)
    }

    @Test("A journal comes back as it was noted; a record that is cut was not noted, wherever it is cut")
    func journalFile() throws {
        let file = folder.appendingPathComponent("journal").path
        let journal = try EndedJournal(file)
        for number in 1...20 {
            journal.note(
                Push.Source(log: "log-\(number % 3)", sequence: UInt64(number)),
                failure: number % 2 == 0 ? "Reason\(number)" : nil)
        }
        try journal.flush()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try EndedJournal(file).records == journal.records)
        for count in 0..<bytes.count {
            try bytes.prefix(count).write(to: URL(fileURLWithPath: file))
            let read = try EndedJournal(file).records
            #expect(read.allSatisfy { journal.records[$0.key] == $0.value })
        }
        let again = try EndedJournal(file)
        try again.clear()
        #expect(try EndedJournal(file).records.isEmpty)
    }

    @Test("Feedback leaves its table in the step that stores its request")
    func outbox() throws {
        let subscriber = try subscriber()
        let tables = try #require(subscriber.tables)
        for number in 1...5 {
            try tables.putFeedback(app: "a", device: "d", id: "n\(number)", failure: number == 3 ? "x" : nil)
        }
        let outbox = try FeedbackOutbox(database)
        let first = try #require(try tables.feedback(most: 3))
        outbox.through = first.through
        try outbox.store(number: outbox.nextNumber, body: first.body)
        #expect(try feedback() == ["n4 -", "n5 -"])
        let again = try FeedbackOutbox(database)
        #expect(try again.nextNumber == 2 && again.unacknowledged().map(\.body) == [first.body])
        try again.agree(on: "log", renumberingFrom: 40)
        #expect(try FeedbackOutbox(database).unacknowledged().map(\.number) == [40])
        try again.remove(through: 40)
        #expect(try FeedbackOutbox(database).nextNumber == 41 && FeedbackOutbox(database).log == "log")
    }
}
