import Foundation
import RationBus
import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Synchronization
import Testing

@testable import RationBroker

/// A broker's deciding and keeping without its threads, on disk, with devices of which every text says whose it is.
private struct Keeping: ~Copyable {
    static let start = Instant(milliseconds: 1_796_000_000_000)
    static let devices = 6

    struct OneZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
    }

    static let zones = ZonesRevision(OneZone(), release: "2025a", fingerprint: "a")

    let path: String
    let store: RocksDBStore
    var decider: Decider
    var clock: Instant
    private var number: UInt64
    private var random: UInt64

    init(_ path: String, seed: UInt64) throws {
        var settings = StoreSettings()
        (settings.ballastBytes, settings.watermarkBytes, settings.watermarkPercent) = (0, 0, 0)
        settings.memtableBytes = 128 << 10
        let store = try RocksDBStore(folder: path, settings)
        var policy = Policy()
        policy.slots = 3
        let revision = PolicyRevision(CompiledPolicy(policy, order: SoonestOrder(), rules: []), source: "test")
        var decider = Decider(policy: revision.policy, zones: OneZone(), seed: 1, store: store)
        let clock = max(Self.start, store.lastNow)
        try decider.start(revision, Self.zones, policies: JSONPolicies(), clock: clock)
        (self.path, self.store, self.clock) = (path, store, clock)
        (random, number) = (seed, store.lastNumber(of: "p") ?? 0)
        self.decider = decider
    }

    private mutating func next(_ limit: UInt64) -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (random >> 33) % limit
    }

    static func device(_ number: UInt64) -> String { "device-\(number)-" }

    private mutating func line(of place: UInt64) -> String {
        let device = Self.device(place)
        let head = #""app":"app","device":"\#(device)""#
        switch next(13) {
        case 0: return #"{"op":"cancel",\#(head),"prefix":"id-of-\#(device)\#(next(3))"}"#
        case 1: return #"{"op":"device",\#(head),"token":"token-of-\#(device)","timeZone":"Europe/Berlin"}"#
        case 3:
            return
                #"{"op":"feedback",\#(head),"id":"id-of-\#(device)","outcome":"action","action":"action-of-\#(device)"}"#
        case 2: return #"{"op":"schedule",\#(head),"id":"bad-of-\#(device)","trigger":{}}"#
        default:
            return #"{"op":"schedule",\#(head),"id":"id-of-\#(device)\#(next(6))","type":"type-of-\#(device)","#
                + #""content":{"title":"title-of-\#(device)\#(next(1000))"},"trigger":{"after":\#(next(200_000) + 1)}}"#
        }
    }

    /// Hours of schedules, cancellations, dues and records.
    mutating func play(steps: Int) throws {
        for step in 0..<steps {
            clock = clock.advanced(by: Int64(next(3_600_000)))
            number += 1
            let body = (0...next(6)).map { _ in line(of: next(UInt64(Self.devices))) }.joined(separator: "\n")
            _ = Array(body.utf8).withUnsafeBytes {
                decider.take($0, number: number, of: "p", numberFrame: [], from: ReplyAddress(frames: []), clock: clock)
            }
            _ = try decider.commit(decider.decide(clock: clock, wakeLimit: 3))
            if step % 20 == 10 { _ = try decider.commit(decider.records(clock: clock)) }
        }
    }

    mutating func begin(_ recipient: DevicesRequest.Recipient) throws {
        _ = try decider.commit(decider.beginForgetting(recipient, clock: clock))
    }

    /// As the deciding thread does.
    mutating func letGo() throws {
        while decider.hasUnwrittenRecords { _ = try decider.commit(decider.records(clock: clock)) }
        _ = try decider.commit(decider.endForgetting(store.forgettings.map(\.key), clock: clock))
    }

    /// - Returns: what was told.
    func erase() throws -> [BrokerNotice] {
        let notices = try Notices()
        let desk = ForgetDesk(store: store, mailbox: try QueryMailbox(), notices: notices, poison: nil)
        desk.begin(store.forgettings, lastBatch: decider.lastBatch, named: decider.namedContents(), for: nil)
        desk.awaitEnd()
        return notices.take()
    }

    /// The plans of all devices.
    var plans: [[String]] {
        decider.core.plans.map { [$0.device] + ($0.held + $0.queued).map { "\($0.id) at \($0.fireDate.rfc3339)" } }
    }

    /// Every event as a line, without its sequence number.
    func events() throws -> [String] {
        let writer = EventWriter(log: store.log)
        var lines: [String] = []
        for row in try store.rows(after: 0, bytes: .max) {
            row.withUnsafeBytes { row in
                var reader = EventRow.Reader(row)
                while let entry = reader.next() {
                    var line: [UInt8] = []
                    writer.write(entry, to: &line)
                    lines.append(String(decoding: line, as: UTF8.self))
                }
            }
        }
        return lines
    }
}

@Suite("Forgetting a device")
struct ForgettingTests {
    private final class Folder {
        let path = NSTemporaryDirectory() + "ration-forget-" + UUID().uuidString

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        /// The files that hold a text.
        func files(with text: String) throws -> [String] {
            let text = Data(text.utf8)
            return try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
                var isFolder: ObjCBool = false
                let file = path + "/" + name
                guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
                    return false
                }
                return try Data(contentsOf: URL(fileURLWithPath: file)).range(of: text) != nil
            }
        }
    }

    private static let forgotten = DevicesRequest.Recipient(app: "app", device: Keeping.device(3))
    private static let texts = ["id-of", "bad-of", "token-of", "type-of", "title-of", "action-of"].map {
        "\($0)-\(forgotten.device)"
    }

    /// - Parameter recipients: how many there are; nil: it may be one more.
    private func checkSound(_ folder: Folder, recipients: Int? = Keeping.devices - 1) throws {
        var store = try StoreCheck(folder: folder.path)
        store.run()
        #expect(store.findings == [])
        var data = DataCheck(try ReadOnlyStore(folder: folder.path), policies: JSONPolicies(), zones: Keeping.zones)
        try data.run()
        #expect(data.findings == [] && data.recipients == recipients ?? data.recipients)
    }

    /// No file has a text of the device; the device's name may stand in RocksDB's journal of files until the next start.
    private func checkGone(_ folder: Folder, isOpen: Bool) throws {
        for text in Self.texts { #expect(try folder.files(with: text) == [], "\(text)") }
        let named = try folder.files(with: Self.forgotten.device)
        #expect(named.allSatisfy { isOpen && $0.contains("MANIFEST") }, "\(named)")
        #expect(try !folder.files(with: "title-of-\(Keeping.device(2))").isEmpty)
    }

    @Test(
        "no file holds its texts any more; all else is kept: plans, events in their places, a sound chain",
        arguments: [1, 2, 3] as [UInt64])
    func gone(seed: UInt64) throws {
        let folder = Folder()
        try forget(folder, seed: seed)
        try checkSound(folder)
        let again = try Keeping(folder.path, seed: seed)
        try checkGone(folder, isOpen: false)
        let isKnown = again.decider.plan(app: "app", device: Self.forgotten.device) != nil
        #expect(!isKnown)
    }

    private func forget(_ folder: Folder, seed: UInt64) throws {
        var keeping = try Keeping(folder.path, seed: seed)
        try keeping.play(steps: 120)
        let plans = keeping.plans.filter { $0[0] != Self.forgotten.device }
        for text in Self.texts { #expect(try !folder.files(with: text).isEmpty, "seed \(seed): \(text)") }
        try keeping.begin(Self.forgotten)
        let events = try keeping.events()
        try keeping.letGo()
        let notices = try keeping.erase()
        let count = events.count { $0.contains(Self.forgotten.device) }
        #expect(notices == [.forgotten(events: count)])
        #expect(count > 20)
        try checkGone(folder, isOpen: true)
        let left = keeping.plans
        #expect(left == plans)
        let erased = try keeping.events()
        #expect(erased.count == events.count)
        for (before, after) in zip(events, erased) {
            #expect(before.contains(Self.forgotten.device) ? after.contains("*********") : before == after)
        }
        let forgettings = keeping.store.forgettings
        #expect(forgettings == [])
        // It goes on, and the device may come again.
        try keeping.play(steps: 60)
        let hasCome = keeping.decider.plan(app: "app", device: Self.forgotten.device) != nil
        #expect(hasCome)
        try keeping.begin(Self.forgotten)
        try keeping.letGo()
        #expect(try keeping.erase().count == 1)
        try checkGone(folder, isOpen: true)
    }

    @Test(
        "one that was begun is finished from what is on disk, wherever the process ended, and by then others are unharmed",
        arguments: 0...4)
    func interrupted(stage: Int) throws {
        let folder = Folder()
        let plans = try interrupt(folder, after: stage)
        try checkSound(folder, recipients: nil)
        var keeping = try Keeping(folder.path, seed: 9)
        let forgettings = keeping.store.forgettings
        #expect(forgettings.map(\.key) == [Array("app".utf8) + [0] + Array(Self.forgotten.device.utf8)])
        try keeping.letGo()
        #expect(try keeping.erase().count == 1)
        let left = keeping.plans
        #expect(left == plans)
        try checkGone(folder, isOpen: true)
        try keeping.play(steps: 30)
    }

    /// Begins to forget, and leaves off.
    /// - Returns: the plans of the others.
    private func interrupt(_ folder: Folder, after stage: Int) throws -> [[String]] {
        var keeping = try Keeping(folder.path, seed: 9)
        try keeping.play(steps: 100)
        let plans = keeping.plans.filter { $0[0] != Self.forgotten.device }
        try keeping.begin(Self.forgotten)
        if stage >= 1 { _ = try keeping.decider.commit(keeping.decider.records(clock: keeping.clock)) }
        if stage >= 2 { try keeping.letGo() }
        if stage >= 3 {
            // It is told to stop when it has looked so often whether to go on.
            let looks = Looks(stage == 3 ? 0 : 1)
            var erasure = Erasure(
                keeping.store.forgettings[0], lastBatch: keeping.decider.lastBatch,
                named: keeping.decider.namedContents(),
                eraseEvents: {
                    EventRow.erase(app: Array("app".utf8), device: Array(Self.forgotten.device.utf8), in: &$0)
                },
                erasedAnswer: { ErasedAnswer.acknowledgement($0.body) })
            erasure.goesOn = { looks.next() }
            #expect(try keeping.store.erase(erasure) == nil)
        }
        return plans
    }

    private final class Looks: Sendable {
        private let left: Mutex<Int>

        init(_ left: Int) {
            self.left = Mutex(left)
        }

        func next() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
    }

    @Test("another policy replans the others, and does not bring it back")
    func replanned() throws {
        let folder = Folder()
        var keeping = try Keeping(folder.path, seed: 5)
        // The row of one that was forgotten by this process is passed over, with others behind it.
        try keeping.play(steps: 80)
        try keeping.begin(Self.forgotten)
        try keeping.letGo()
        #expect(try keeping.erase().count == 1)
        var policy = Policy()
        policy.slots = 2
        let revision = PolicyRevision(CompiledPolicy(policy, order: SoonestOrder(), rules: []), source: "test")
        _ = try keeping.decider.takeUp(RevisionProposal(policy: revision), clock: keeping.clock)
        let backlog = keeping.decider.replanBacklog
        #expect(backlog == Keeping.devices - 1)
        while keeping.decider.replanBacklog > 0 {
            _ = try keeping.decider.commit(keeping.decider.replan(atMost: 1, clock: keeping.clock))
        }
        let plans = keeping.decider.core.plans
        #expect(plans.count == Keeping.devices - 1)
        for plan in plans {
            let key = DevicesRequest.Recipient(app: plan.app, device: plan.device).key
            let revision = key.withUnsafeBytes { keeping.decider.core.revision(of: $0) }
            let inForce = keeping.decider.core.revision
            #expect(revision == inForce, "\(plan.device)")
        }
        while keeping.decider.hasUnwrittenRecords {
            _ = try keeping.decider.commit(keeping.decider.records(clock: keeping.clock))
        }
        try checkGone(folder, isOpen: true)
    }

    @Test("what was overwritten is found damaged when a byte of it is changed")
    func damage() throws {
        let folder = Folder()
        try forget(folder, seed: 4)
        let stars = Data(String(repeating: "*", count: 9).utf8)
        let file = try #require(
            try folder.files(with: String(decoding: stars, as: UTF8.self)).first { $0.hasSuffix(".sst") })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + file))
        bytes[try #require(bytes.range(of: stars)).lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder.path + "/" + file))
        var check = try StoreCheck(folder: folder.path)
        check.run()
        #expect(check.findings.contains { $0.hasPrefix("events: ") })
    }
}
