import Foundation
import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Testing

@testable import RationBroker

@Suite("What is kept, held against itself (ration check-data)")
struct DataCheckTests {
    private static let start = Instant(milliseconds: 1_796_000_000_000)

    private struct OneZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
    }

    /// A folder with a store, gone with this.
    private final class Folder {
        let path = NSTemporaryDirectory() + "ration-check-" + UUID().uuidString

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static let zones = ZonesRevision(OneZone(), release: "2025a", fingerprint: "a")

    private static func policy(slots: Int) -> PolicyRevision {
        var policy = Policy()
        policy.slots = slots
        return PolicyRevision(CompiledPolicy(policy, order: SoonestOrder(), rules: []), source: "test")
    }

    /// Days of schedules, cancellations, devices, dues, records and a policy.
    /// - Parameter change: may change what a batch is committed with.
    private func play(_ folder: Folder, seed: UInt64, change: (inout Commit) -> Void = { _ in }) throws {
        var settings = StoreSettings()
        (settings.ballastBytes, settings.watermarkBytes, settings.watermarkPercent) = (0, 0, 0)
        let store = try RocksDBStore(folder: folder.path, settings)
        var random = seed
        func next(_ limit: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % limit
        }
        var decider = Decider(policy: Self.policy(slots: 3).policy, zones: OneZone(), seed: 1, store: store)
        try decider.start(Self.policy(slots: 3), Self.zones, policies: JSONPolicies(), clock: Self.start)
        var clock = Self.start
        func commit(_ decided: consuming Decided) throws {
            if var commit = decided.commit.take() {
                try commit.addEvents(decided.events, from: store)
                change(&commit)
                try store.commit(commit)
            }
            _ = decider.settle(decided.telling)
        }
        for step in 1...200 as ClosedRange<UInt64> {
            clock = clock.advanced(by: Int64(next(3_600_000)))
            let body = (0...next(6)).map { _ in line(next) }.joined(separator: "\n")
            _ = Array(body.utf8).withUnsafeBytes {
                decider.take(
                    $0, number: step, of: "p", numberFrame: [], from: ReplyAddress(frames: []), clock: clock)
            }
            try commit(decider.decide(clock: clock, wakeLimit: 2))
            if step == 60 {
                _ = try decider.takeUp(RevisionProposal(policy: Self.policy(slots: 2)), clock: clock)
            }
            if decider.replanBacklog > 0 { try commit(decider.replan(atMost: 2, clock: clock)) }
            if step == 100 || step == 150 { try commit(decider.records(clock: clock)) }
        }
    }

    private func line(_ next: (UInt64) -> UInt64) -> String {
        let head = #""app":"app","device":"d\#(next(8))""#
        switch next(11) {
        case 0: return #"{"op":"cancel",\#(head),"prefix":"n\#(next(3))"}"#
        case 1: return #"{"op":"device",\#(head),"reserved":\#(next(3)),"timeZone":"Europe/Berlin"}"#
        case 2: return #"{"op":"remove",\#(head)}"#
        case 3: return "no intent"
        case 4: return #"{"op":"feedback",\#(head),"id":"n\#(next(6))","outcome":"action","action":"a\#(next(9))"}"#
        default:
            let triggers = [
                #"{"after":\#(next(80_000) + 1)}"#, #"{"every":\#(next(80_000) + 60)}"#,
                #"{"calendar":{"hour":\#(next(24)),"minute":0},"repeats":\#(next(2) == 0)}"#,
            ]
            return #"{"op":"schedule",\#(head),"id":"n\#(next(6))","content":{"title":"\#(next(1000))"},"trigger":"#
                + triggers[Int(next(3))] + "}"
        }
    }

    private func check(_ folder: Folder, zones: ZonesRevision = zones) throws -> DataCheck {
        var check = DataCheck(try ReadOnlyStore(folder: folder.path), policies: JSONPolicies(), zones: zones)
        try check.run()
        return check
    }

    @Test("what a broker has kept is found sound, and batches under its last policy come to the same again")
    func sound() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let folder = Folder()
            try play(folder, seed: seed)
            let check = try check(folder)
            #expect(check.findings == [], "seed \(seed)")
            #expect(check.decidedAgain > 50, "seed \(seed)")
            #expect(check.recipients == 8 && check.pending > 0)
        }
    }

    @Test("an outcome that the batch does not come to is told with batch and recipient")
    func wrongOutcome() throws {
        let folder = Folder()
        var changed: UInt64 = 0
        try play(folder, seed: 5) { commit in
            // The wake of a recipient stands behind its name, form, flag and revision: a millisecond later.
            guard changed == 0, commit.batch > 190, commit.outcomes.count > 40 else { return }
            let key = Int(commit.outcomes[4]) | Int(commit.outcomes[5]) << 8
            commit.outcomes[4 + 2 + key + 2 + 1 + 1 + 4] ^= 1
            changed = commit.batch
        }
        let check = try check(folder)
        #expect(check.findings.first?.hasPrefix("batch \(changed) of app/d") == true)
    }

    @Test("another tz database decides nothing again, and says so")
    func otherZones() throws {
        let folder = Folder()
        try play(folder, seed: 6)
        let check = try check(folder, zones: ZonesRevision(OneZone(), release: "2026a", fingerprint: "b"))
        #expect(check.isSound && check.decidedAgain == 0 && check.omitted[.otherZones] == check.batches)
    }

    @Test("a content that is not the one that was scheduled is told with its recipient")
    func wrongContent() throws {
        let folder = Folder()
        try play(folder, seed: 7) { commit in
            guard commit.batch > 150, let place = commit.contents.firstIndex(of: UInt8(ascii: "{")) else { return }
            commit.contents[place + 3] ^= 1
        }
        let check = try check(folder)
        #expect(check.findings.contains { $0.hasPrefix("a content of app/d") })
    }
}
