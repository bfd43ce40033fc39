import Foundation
import RationBus
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import RationWire

@testable import APNsSubscriber

/// The APNs subscriber between a broker and a server that a test plays: each file has journals of its own.
final class SentPushes: StoringSubscriber {
    static let name = APNs.name
    static let summary = APNs.summary
    static let settings = APNs.settings
    static let kinds = APNs.kinds

    private let subscriber: APNs
    private let folders: JournalFolders

    init(_ folders: JournalFolders) throws {
        self.folders = folders
        let key: [Setting] = [
            Setting("file", .text("/key.p8")), Setting("id", .text("ABC123DEFG")), Setting("team", .text("TEAM123456")),
            Setting("apps", .list([.text("com.example")])),
        ]
        subscriber = try APNs(settings: [Setting("keys", .mapping([Setting("main", .mapping(key))]))])
    }

    init(settings: [Setting]) throws(SettingFaults) {
        (subscriber, folders) = (try APNs(settings: settings), JournalFolders())
    }

    func prepare(_ database: SQLiteDatabase) throws {
        try subscriber.prepare(database)
        let parts = APNs.Parts(
            directory: OneToken(), transport: AnsweringTransport(),
            clock: { Instant(milliseconds: 1_764_500_000_000) }, tell: { _ in })
        try subscriber.start(parts, data: try folders.path(of: database))
    }

    func store(_ page: EventPage, in database: SQLiteDatabase) throws { try subscriber.store(page, in: database) }
    func forget() { subscriber.forget() }

    /// What it has to tell, and what it knows of tokens: in whatever order the answers came.
    static func lines(_ database: SQLiteDatabase) throws -> [String] {
        try Tables.rows("SELECT app, device, id, failure FROM feedback", in: database, named: "feedback")
            + ["tokens", "waiting"].flatMap { try Tables.rows("SELECT * FROM \($0)", in: database, named: $0) }
    }
}

/// A folder for the journals beside each database, for as long as this lives.
final class JournalFolders {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("ration-pushes-\(UUID())")
    private var databases: [SQLiteDatabase] = []

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    func path(of database: SQLiteDatabase) throws -> String {
        if !databases.contains(where: { $0 === database }) { databases.append(database) }
        let place = databases.firstIndex { $0 === database } ?? 0
        let folder = root.appendingPathComponent("\(place)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent("data.db").path
    }
}

private final class OneToken: DeviceDirectory {
    func addresses(_ recipients: [DevicesRequest.Recipient]) throws -> [DeviceAddress?] {
        recipients.map { recipient in
            recipient.device == "d2"
                ? nil : DeviceAddress(token: "aa", isSandbox: false, delivery: .push, registered: nil)
        }
    }
}

/// Takes each push but those of some ids.
private final class AnsweringTransport: PushSending {
    private var waiting: [(ticket: Int, push: Push)] = []

    func start(_ order: PushSender.Order, _ push: Push, issued: Instant) throws { waiting.append((order.ticket, push)) }
    func wait(milliseconds: Int) {}

    func advance(_ ended: (Int, PushOutcome) -> Void) {
        defer { waiting = [] }
        for (ticket, push) in waiting {
            let isTaken = !push.id.hasPrefix("n1")
            ended(ticket, .answered(PushAnswer(status: isTaken ? 200 : 400, reason: isTaken ? "" : "BadCollapseId")))
        }
    }

    func tend() -> Int? { nil }
    func close(_ lane: PushLane) {}
    func cancelAll() { waiting = [] }
}
