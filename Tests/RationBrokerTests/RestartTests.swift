import RationConfiguration
import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Testing

@testable import RationBroker

/// Policies as JSON documents, with the one order.
struct JSONPolicies: PolicyReading {
    func read(
        _ document: PolicyDocument, zones: any ZoneSource
    ) throws(PolicyDocumentFaults) -> (policy: CompiledPolicy, warnings: [DocumentProblem]) {
        do throws(ConfigurationFaults) {
            let policy = try PolicyReader.read(
                text: document.text, file: "policy", orders: [SoonestOrder.name], zones: zones)
            return (CompiledPolicy(policy, order: SoonestOrder(), rules: []), [])
        } catch {
            throw PolicyDocumentFaults([DocumentProblem(path: "", message: "\(error)")])
        }
    }
}

@Suite("A start from what the store has kept")
struct RestartTests {
    private let start = Instant(milliseconds: 1_796_000_000_000)
    private let store = MemoryStore(log: "log", retentionBytes: 1 << 20)

    private struct OneZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
    }

    private func decider(slots: Int = 2, fingerprint: String = "a") throws -> Decider {
        var policy = Policy()
        policy.slots = slots
        let revision = PolicyRevision(CompiledPolicy(policy, order: SoonestOrder(), rules: []), source: "test")
        let zones = ZonesRevision(OneZone(), release: "2025a", fingerprint: fingerprint)
        var decider = Decider(policy: revision.policy, zones: OneZone(), seed: 1, store: store)
        try decider.start(revision, zones, policies: JSONPolicies(), clock: start)
        return decider
    }

    private func publish(_ lines: [String], number: UInt64, _ decider: inout Decider, at clock: Instant) throws
        -> Answer?
    {
        let early = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes {
            decider.take(
                $0, number: number, of: "p", numberFrame: [0x31], from: ReplyAddress(frames: []), clock: clock)
        }
        return try early ?? decider.decideAndCommit(clock: clock, wakeLimit: 100).answers.first
    }

    private func line(_ id: String, _ seconds: Int, device: String = "d") -> String {
        #"{"op":"schedule","app":"app","device":"\#(device)","id":"\#(id)","content":{"title":"t"},"#
            + #""trigger":{"after":\#(seconds)}}"#
    }

    private func ids(_ decider: borrowing Decider, device: String = "d") -> [[String]] {
        let plan = decider.plan(app: "app", device: device)
        return [plan?.held.map(\.id) ?? [], plan?.queued.map(\.id) ?? []]
    }

    @Test("it has the same plans, fires what comes due, and goes on with batch and sequence")
    func same() throws {
        var decider = try decider()
        _ = try publish([line("a", 60), line("b", 120), line("c", 180)], number: 1, &decider, at: start)
        var again = try self.decider()
        let value1 = ids(again)
        #expect(value1 == [["a", "b"], ["c"]])
        let value2 = again.nextWake
        #expect(value2 == start.advanced(by: 60_000))
        _ = try again.decideAndCommit(clock: start.advanced(by: 60_000), wakeLimit: 100)
        let value3 = ids(again)
        #expect(value3 == [["b", "c"], []])
        #expect(store.lastBatch == 2)
        #expect(store.range.last == 5)
    }

    @Test("a repetition gets the acknowledgement that was kept, and changes nothing")
    func repetition() throws {
        var decider = try decider()
        let first = try publish([line("a", 60)], number: 1, &decider, at: start)
        var again = try self.decider()
        let second = try publish([line("a", 60)], number: 1, &again, at: start.advanced(by: 1_000))
        #expect(first?.bodies == second?.bodies)
        #expect(store.lastBatch == 1)
    }

    @Test("records that were written are not applied twice, and rows that they hold are let go")
    func records() throws {
        var decider = try decider()
        for number in 1...5 as ClosedRange<UInt64> {
            _ = try publish(
                [line("n\(number)", 60 * Int(number), device: "d\(number % 2)")], number: number, &decider, at: start)
            if number % 2 == 0 { _ = try decider.commit(decider.records(clock: start)) }
        }
        let again = try self.decider()
        let value4 = ids(again, device: "d0")
        #expect(value4 == [["n2", "n4"], []])
        let value5 = ids(again, device: "d1")
        #expect(value5 == [["n1", "n3"], ["n5"]])
        var written = try self.decider()
        while written.hasUnwrittenRecords { _ = try written.commit(written.records(clock: start)) }
        let last = try self.decider()
        let value6 = ids(last, device: "d1")
        #expect(value6 == [["n1", "n3"], ["n5"]])
        let hasMore = last.hasUnwrittenRecords
        #expect(!hasMore)
    }

    @Test(
        "a recipient that has nothing left is removed in the second round of looking, also on the disk; one with settings stays"
    )
    func idle() throws {
        var decider = try decider()
        let settings = #"{"op":"device","app":"app","device":"kept","reserved":1}"#
        _ = try publish(
            [line("a", 60, device: "gone"), line("a", 60, device: "kept"), settings], number: 1, &decider, at: start)
        _ = try publish([line("b", 90, device: "busy")], number: 2, &decider, at: start)
        let later = start.advanced(by: 40 * 86_400_000)
        _ = try decider.decideAndCommit(clock: start.advanced(by: 60_000), wakeLimit: 100)
        func names(_ decider: borrowing Decider) -> [String] { decider.core.plans.map(\.device) }
        func look() throws {
            while decider.hasUnwrittenRecords { _ = try decider.commit(decider.records(clock: later)) }
            let (decided, isAtEnd) = decider.removeIdle(clock: later)
            #expect(isAtEnd)
            if let decided { _ = try decider.commit(decided) }
        }
        try look()
        #expect(names(decider) == ["busy", "gone", "kept"])
        try look()
        #expect(names(decider) == ["busy", "kept"])
        let again = try self.decider()
        #expect(names(again) == ["busy", "kept"])
        #expect(decider.plan(app: "app", device: "gone") == nil)
        // It may come back.
        _ = try publish([line("c", 60, device: "gone")], number: 3, &decider, at: later)
        #expect(ids(decider, device: "gone") == [["c"], []])
        #expect(try ids(self.decider(), device: "gone") == [["c"], []])
    }

    @Test("another policy is taken up after the state is there, and replans; so does another tz database")
    func otherPolicy() throws {
        var decider = try decider()
        _ = try publish([line("a", 60), line("b", 120), line("c", 180)], number: 1, &decider, at: start)
        var other = try self.decider(slots: 1)
        let value7 = ids(other)
        #expect(value7 == [["a", "b"], ["c"]])
        let value8 = other.replanBacklog
        #expect(value8 == 1)
        let value9 = other.counters.policyRevision
        #expect(value9 == 2)
        // It ends before anything is replanned: what it had taken up is still to be done.
        other = try self.decider(slots: 1)
        let value10 = other.replanBacklog
        #expect(value10 == 1)
        _ = try other.commit(other.replan(atMost: 10, clock: start))
        let value11 = ids(other)
        #expect(value11 == [["a"], ["b", "c"]])
        let value12 = other.replanBacklog
        #expect(value12 == 0)
        let zones = try self.decider(slots: 1, fingerprint: "b")
        let value13 = zones.replanBacklog
        #expect(value13 == 1)
        let value14 = zones.counters.zonesRevision
        #expect(value14 == 2)
    }

    @Test("a start that names no policy keeps the one that was in force")
    func unnamedPolicy() throws {
        var decider = try decider(slots: 1)
        _ = try publish([line("a", 60), line("b", 120)], number: 1, &decider, at: start)
        let standard = PolicyRevision(
            CompiledPolicy(Policy(), order: SoonestOrder(), rules: []), source: "standard", isNamed: false)
        var again = Decider(policy: standard.policy, zones: OneZone(), seed: 1, store: store)
        let zones = ZonesRevision(OneZone(), release: "2025a", fingerprint: "a")
        try again.start(standard, zones, policies: JSONPolicies(), clock: start)
        let (backlog, slots) = (again.replanBacklog, again.policy.policy.slots)
        #expect(backlog == 0)
        #expect(slots == 1)
    }

    @Test("time does not go back behind the last batch")
    func time() throws {
        var decider = try decider()
        _ = try publish([line("a", 60)], number: 1, &decider, at: start.advanced(by: 10_000))
        var again = try self.decider()
        _ = try publish([line("b", 60)], number: 2, &again, at: start)
        let plan = again.plan(app: "app", device: "d")
        #expect(plan?.held.map(\.fireDate) == [start.advanced(by: 70_000), start.advanced(by: 70_000)])
    }

    private func device(_ members: String) -> String { #"{"op":"device","app":"app","device":"d",\#(members)}"# }

    @Test("it knows tokens, and when each was told last: also the same one again")
    func tokens() throws {
        var decider = try decider()
        _ = try publish([device(#""token":"aa""#)], number: 1, &decider, at: start)
        _ = try publish([device(#""token":"aa""#)], number: 2, &decider, at: start.advanced(by: 5_000))
        _ = try publish([device(#""delivery":"local""#)], number: 3, &decider, at: start.advanced(by: 9_000))
        for again in [false, true] {
            let settings =
                again
                ? try self.decider().core.settings(app: "app", device: "d")
                : decider.core.settings(app: "app", device: "d")
            #expect(settings?.token == "aa" && settings?.delivery == .local)
            #expect(settings?.registered == start.advanced(by: 5_000))
        }
        _ = try publish([device(#""token":"""#)], number: 4, &decider, at: start.advanced(by: 10_000))
        let settings = try self.decider().core.settings(app: "app", device: "d")
        #expect(settings?.token == nil && settings?.registered == nil)
        let unknown = try self.decider().core.settings(app: "app", device: "e")
        #expect(unknown == nil)
    }
}
