import APNsSubscriber
import Foundation
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import RationWire

/// Knows one token for all devices, whose registration nobody asks for.
private final class OneToken: DeviceDirectory {
    func addresses(_ recipients: [DevicesRequest.Recipient]) -> [DeviceAddress?] {
        let address = DeviceAddress(token: APNsBenchmark.token, isSandbox: false, delivery: .push, registered: nil)
        return Array(repeating: address, count: recipients.count)
    }
}

/// The whole of what the subscriber does: from pages of events to ends that are stored, in one transaction for each page. Half of
/// the pushes go to devices whose token is known to work.
extension APNsBenchmark {
    /// - Returns: pushes a second.
    func handle(_ origin: String, _ pushes: [Push], _ folder: String) throws -> Double {
        let file = "\(folder)/subscriber-\(pushes[0].source.sequence).db"
        let database = try SQLiteDatabase(file: file, .shared)
        let subscriber = try APNs(settings: [
            Setting(
                "keys",
                .mapping([
                    Setting(
                        "main",
                        .mapping([
                            Setting("file", .text("\(folder)/key.p8")), Setting("id", .text("ABC123DEFG")),
                            Setting("team", .text("TEAM123456")), Setting("apps", .list([.text(Self.app)])),
                        ]))
                ])), Setting("streams", .wholeNumber(Int64(settings.streams))),
        ])
        try database.transaction { try subscriber.prepare(database) }
        let transport = try transport(origin, folder)
        try subscriber.start(
            APNs.Parts(directory: OneToken(), transport: transport, clock: Self.clock, tell: { print($0) }), data: file)
        let pages = stride(from: 0, to: pushes.count, by: Self.page).map { start in
            pushes[start..<min(start + Self.page, pushes.count)].map(event)
        }
        let seconds = try MachineClock.seconds {
            for page in pages {
                try database.transaction {
                    try subscriber.store(EventPage(log: "log", events: page[...]), in: database)
                }
            }
        }
        var delivered = 0
        try database.run("SELECT count(*) FROM feedback WHERE failure IS NULL") { delivered = Int($0.integer(0)) }
        guard delivered == pushes.count, transport.connectionCount == 1 else {
            throw BenchmarkError(
                "\(delivered) of \(pushes.count) pushes were stored as taken: \(transport.lastFailure ?? "no failure")")
        }
        return Double(delivered) / seconds
    }

    private func event(_ push: Push) -> ReceivedEvent {
        let time = Self.clock()
        var event = ReceivedEvent(
            sequence: push.source.sequence + 1, time: time, kind: .due, app: push.app,
            device: "d\(push.source.sequence % UInt64(max(1, settings.pushes / 2)))", id: push.id, type: "t",
            priority: 1,
            fireDate: time, requestedDate: time, batch: 1)
        event.content = Array(Self.content.utf8)
        event.validUntil = push.validUntil
        return event
    }
}
