import AnalyticsSubscriber
import Foundation
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import TestSupport
import Testing

@Suite("The subscribers of the tree keep what a runner relies on")
struct SubscriberConformanceTests {
    private func check(_ conformance: SubscriberConformance) throws {
        for broken in try conformance.broken() { Issue.record("\(broken.example)") }
    }

    @Test("analytics", arguments: UInt64(1)...12)
    func analytics(seed: UInt64) throws {
        try check(
            SubscriberConformance(
                make: {
                    let few = [Setting("names", .wholeNumber(2)), Setting("openedWithin", .text("1h"))]
                    return try Analytics(settings: seed % 3 == 0 ? few : [])
                },
                result: { _, database in try AnalyticsResult.lines(database) }, seed: seed))
    }

    @Test("apns", arguments: UInt64(1)...6)
    func apns(seed: UInt64) throws {
        let folders = JournalFolders()
        try check(
            SubscriberConformance(
                make: { try SentPushes(folders) }, result: { _, database in try SentPushes.lines(database) }, seed: seed
            ))
    }

    @Test("apns sends, fails and has no key or address in what the laws are tried on")
    func apnsSends() throws {
        var random = SplitMix64(seed: 1)
        let folders = JournalFolders()
        let handing = try Handing { try SentPushes(folders) }
        let events = EventGenerator.events(300, &random)
        try handing.hand(events, log: "a")
        let lines = try SentPushes.lines(handing.database)
        let pushed = events.count { $0.kind == .due && $0.delivery == .push }
        #expect(lines.count { $0.hasPrefix("feedback") } == pushed)
        for end in ["null", "noKey", "unknownDevice", "BadCollapseId"] {
            #expect(lines.contains { $0.hasPrefix("feedback") && $0.contains(end) }, "\(end)")
        }
    }

    @Test("the article's example", arguments: UInt64(1)...4)
    func example(seed: UInt64) throws {
        try check(SubscriberConformance(make: { try EvictionCounter(settings: []) }, seed: seed))
    }

    @Test("the article shows that example as it is")
    func article() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(contentsOf: here.appendingPathComponent("EvictionCounter.swift"), encoding: .utf8)
        let path = "../../Sources/ration/ration.docc/Subscribers.md"
        let article = try String(contentsOf: here.appendingPathComponent(path), encoding: .utf8)
        #expect(article.contains("```swift\n\(example)```\n"))
        for table in ["ration_subscriber", "ration_cursors", "set_aside"] { #expect(article.contains("`\(table)`")) }
        for setting in Analytics.settings { #expect(article.contains("| `\(setting.name)` | \(setting.form) |")) }
    }

    @Test("one that commits by itself, and knows what it has done", arguments: UInt64(1)...4)
    func committing(seed: UInt64) throws {
        try check(
            SubscriberConformance(
                make: { Mailbox() }, result: { subscriber, _ in (subscriber as? Mailbox)?.lines ?? [] }, seed: seed))
    }
}

/// Analytics' tables without the numbers of rows, which depend on how events came.
enum AnalyticsResult {
    static func lines(_ database: SQLiteDatabase) throws -> [String] {
        let tables = ["logs", "types", "apps", "counts", "durations", "samples", "opens"]
        return try tables.flatMap { try Tables.rows("SELECT * FROM \($0)", in: database, named: $0) }
            + Tables.rows(
                "SELECT log, hash, app, device, held, queued, pending, shown, shown_time FROM recipients", in: database,
                named: "recipients")
    }
}

/// Keeps each event by log and sequence.
final class Mailbox: CommittingSubscriber {
    static let name = "mailbox"
    static let summary = "Keeps events"
    static let settings: [SettingDescription] = []
    static let kinds: [EventKind] = []

    private var kept: Set<String> = []
    var lines: [String] { kept.sorted() }

    init() {}
    init(settings: [Setting]) throws(SettingFaults) {}

    func handle(_ page: EventPage) throws {
        for event in page.events { kept.insert("\(page.log) \(event.sequence) \(event.id)") }
    }
}
