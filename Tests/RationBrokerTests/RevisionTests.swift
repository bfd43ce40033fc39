import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Testing

@testable import RationBroker

@Suite struct RevisionTests {
    private let start = Instant(milliseconds: 1_796_000_000_000)
    private let store = MemoryStore(log: "log", retentionBytes: 1 << 20)

    private struct NoZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { nil }
    }

    private static let zones = ZonesRevision(NoZone(), release: "2025a", fingerprint: "a")

    private func policy(slots: Int, source: String = "file") -> PolicyRevision {
        var policy = Policy()
        policy.slots = slots
        return PolicyRevision(CompiledPolicy(policy, order: SoonestOrder(), rules: []), source: source)
    }

    private func decider(slots: Int) throws -> Decider {
        let policy = policy(slots: slots)
        var decider = Decider(policy: policy.policy, zones: NoZone(), seed: 1, store: store)
        try decider.start(policy, Self.zones, policies: JSONPolicies(), clock: start)
        return decider
    }

    private func publish(_ ids: Int, on devices: Int, _ decider: inout Decider) throws {
        let lines = (0..<devices * ids).map {
            #"{"op":"schedule","app":"app","device":"d\#($0 / ids)","id":"n\#($0 % ids)","content":{"title":"t"},"#
                + #""trigger":{"after":\#(60 + $0)}}"#
        }
        let answer = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes {
            decider.take($0, number: 1, of: "", numberFrame: [0x31], from: ReplyAddress(frames: []), clock: start)
        }
        #expect(answer == nil)
        _ = try decider.decideAndCommit(clock: start, wakeLimit: 1)
    }

    @Test("what the broker starts under is logged once: a start under the same is none")
    func starting() throws {
        _ = try decider(slots: 64)
        let again = try decider(slots: 64)
        #expect(store.revisions(of: .policy).map(\.number) == [1])
        #expect(store.revisions(of: .zones).map(\.source) == ["2025a"])
        #expect(again.counters.policyRevision == 1)
        _ = try decider(slots: 63)
        #expect(store.revisions(of: .policy).map(\.number) == [1, 2])
        #expect(store.revisions(of: .zones).count == 1)
    }

    @Test("a revision says when it was taken up, after which event and batch, and from where")
    func place() throws {
        var decider = try decider(slots: 64)
        try publish(3, on: 2, &decider)
        let logged = try decider.takeUp(
            RevisionProposal(policy: policy(slots: 2, source: "new.yaml")), clock: start.advanced(by: -5))
        #expect(logged == [store.revisions(of: .policy)[1]])
        #expect(logged[0].sequence == 6)
        #expect(logged[0].batch == 1)
        #expect(logged[0].at == start, "time never goes back")
        #expect(logged[0].source == "new.yaml")
        #expect(logged[0].document == policy(slots: 2).document)
    }

    @Test("one that equals the one in force is passed over, wherever it comes from, and replans nothing")
    func same() throws {
        var decider = try decider(slots: 64)
        try publish(3, on: 2, &decider)
        let zones = ZonesRevision(NoZone(), release: "x", fingerprint: "a")
        let logged = try decider.takeUp(
            RevisionProposal(policy: policy(slots: 64, source: "elsewhere"), zones: zones), clock: start)
        #expect(logged.isEmpty)
        #expect(decider.replanBacklog == 0)
        #expect(store.revisions(of: .policy).count == 1)
        #expect(store.revisions(of: .zones).count == 1)
    }

    @Test("a policy and a tz database that come together are two revisions")
    func both() throws {
        var decider = try decider(slots: 64)
        let zones = ZonesRevision(NoZone(), release: "2025b", fingerprint: "b")
        let logged = try decider.takeUp(RevisionProposal(policy: policy(slots: 1), zones: zones), clock: start)
        #expect(logged.map(\.kind) == [.zones, .policy])
        #expect(decider.counters.zonesRevision == 2)
        #expect(decider.counters.policyRevision == 2)
    }

    @Test("replanning takes as many recipients as it is told, each once, in batches of their own with cause policy")
    func slices() throws {
        var decider = try decider(slots: 64)
        try publish(3, on: 10, &decider)
        _ = try decider.takeUp(RevisionProposal(policy: policy(slots: 1)), clock: start)
        for left in [7, 4, 1, 0] {
            let batch = store.lastBatch
            let row = try decider.commit(decider.replan(atMost: 3, clock: start)).events
            #expect(decider.replanBacklog == left)
            #expect(store.lastBatch == batch + 1)
            row.withUnsafeBytes { row in
                var reader = EventRow.Reader(row)
                while let event = reader.next() {
                    #expect(event.kind == .evicted)
                    #expect(event.cause == .policy)
                    #expect(event.batch == batch + 1)
                }
            }
        }
        #expect(decider.counters.events[.evicted] == 20)
        #expect(decider.replan(atMost: 3, clock: start).commit == nil)
        #expect(store.lastBatch == 5, "a batch without a recipient is none")
    }

    @Test("a policy that comes while another is replanned is taken up for all recipients")
    func meanwhile() throws {
        var decider = try decider(slots: 64)
        try publish(3, on: 10, &decider)
        _ = try decider.takeUp(RevisionProposal(policy: policy(slots: 1)), clock: start)
        _ = try decider.commit(decider.replan(atMost: 4, clock: start))
        _ = try decider.takeUp(RevisionProposal(policy: policy(slots: 2)), clock: start)
        #expect(decider.replanBacklog == 10)
        while decider.replanBacklog > 0 { _ = try decider.commit(decider.replan(atMost: 4, clock: start)) }
        for device in 0..<10 { #expect(decider.plan(app: "app", device: "d\(device)")?.held.count == 2) }
    }
}
