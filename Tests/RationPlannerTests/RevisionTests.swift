import FrequencyCapRule
import QuietHoursRule
import RationModel
import SoonestOrder
import TestSupport
import Testing

@testable import RationPlanner

@Suite("A policy or tz database that changes while recipients have plans")
struct RevisionTests {
    private static let hour = 60 * PlanGenerator.minute
    private let start = TestZones.start

    private func type(_ name: String, priority: Int? = nil, prefixes: [String] = []) -> NotificationType {
        var type = NotificationType(name: name)
        type.priority = priority
        type.prefixes = prefixes
        return type
    }

    private func policy(slots: Int = 64, types: [NotificationType] = [], caps: [Cap] = []) -> Policy {
        var policy = Policy()
        policy.slots = slots
        policy.setTypes(types)
        policy.caps = caps
        return policy
    }

    /// A `schedule` some hours after the start.
    private func schedule(_ id: String, _ hours: Double, type: String = "", device: String = "d") -> GeneratedRequest {
        var request = GeneratedRequest()
        (request.id, request.type, request.device) = (id, type, device)
        request.trigger = .at(start.advanced(by: Int64(hours * Double(Self.hour))))
        return request
    }

    private func adopt(_ policy: Policy, zones: TestZones = TestZones(), _ core: inout DecidingCore) {
        core.core.adopt(Revision(policy: PlanGenerator.compiled(policy), zones: zones))
    }

    /// The last batch's events: `evicted n5 slots policy`.
    private func told(_ core: borrowing DecidingCore) -> [String] {
        core.decision.events.events.map { event in
            let reason = event.reason == .none ? "" : " \(event.reason)"
            let cause = event.cause == .none ? "" : " \(event.cause)"
            return "\(event.kind) \(core.decision.events.bytes.text(event.id))" + reason + cause
        }
    }

    @Test("64 slots to 2: all but the first two wait; back again: they are held. The cause is the policy")
    func slots() {
        var core = DecidingCore(PlanGenerator.compiled(policy()))
        core.decide((0..<5).map { schedule("n\($0)", Double($0 + 1)) }, at: start)
        adopt(policy(slots: 2), &core)
        #expect(core.core.replanBacklog == 1)
        core.core.replan(atMost: 8, clock: start, into: &core.decision)
        #expect(told(core) == (2..<5).map { "evicted n\($0) slots policy" })
        #expect(core.core.replanBacklog == 0)
        adopt(policy(), &core)
        core.core.replan(atMost: 8, clock: start, into: &core.decision)
        #expect(told(core) == (2..<5).map { "accepted n\($0) policy" })
    }

    @Test("a type that is renamed and a prefix that moves say anew what is pending is, and how much it matters")
    func pendingTypes() {
        let old = policy(types: [type("a", priority: 1, prefixes: ["x."]), type("b", priority: 2, prefixes: ["y."])])
        let new = policy(types: [type("b", priority: 4, prefixes: ["x."]), type("c", priority: 5)])
        var core = DecidingCore(PlanGenerator.compiled(old))
        let named = [schedule("z.1", 3, type: "a"), schedule("z.2", 4, type: "c")]
        core.decide([schedule("x.1", 1), schedule("y.1", 2)] + named, at: start)
        adopt(new, &core)
        core.core.replan(atMost: 8, clock: start, into: &core.decision)
        let types = core.plans.map { "\($0.id) \($0.type) \($0.priority)" }
        #expect(types == ["x.1 b 4", "y.1 unknown 99", "z.1 a 99", "z.2 c 5"])
        // Neither a date nor a slot has changed.
        #expect(told(core) == [])
    }

    @Test("what has fired counts under the name that it had: a cap on that name counts it, also by another place")
    func firedTypes() {
        var cap = Cap(limit: 1, perMilliseconds: 24 * Self.hour)
        cap.types = ["m"]
        let old = policy(types: [type("m", prefixes: ["m."])], caps: [cap])
        var core = DecidingCore(PlanGenerator.compiled(old))
        core.decide([schedule("m.1", 1), schedule("x.1", 1, type: "other")], at: start)
        #expect(core.fire(before: start.advanced(by: 2 * Self.hour)).count == 2)
        // `m` has another place, `other` has one now, and both count.
        let added = [type("a"), type("m", prefixes: ["m."]), type("other")]
        for (name, hours) in [("m", Int64(25)), ("other", 25), ("a", 3)] {
            cap.types = [name]
            adopt(policy(types: added, caps: [cap]), &core)
            let now = start.advanced(by: 2 * Self.hour)
            core.decide([schedule("new", 3, type: name)], at: now)
            let date = core.plans.first?.fireDate
            #expect(date == start.advanced(by: hours * Self.hour), "\(name)")
        }
        // A policy that does not name it, and one that does again.
        for hours in [Int64(3), 25] {
            cap.types = hours == 3 ? ["a"] : ["m"]
            adopt(policy(types: [type("a")], caps: [cap]), &core)
            core.decide([schedule("new", 3, type: "m")], at: start.advanced(by: 2 * Self.hour))
            let date = core.plans.first?.fireDate
            #expect(date == start.advanced(by: hours * Self.hour))
        }
    }

    @Test("a type that keeps its time from now on goes back to it, and moves again when it no longer does")
    func keepsTime() {
        var quiet = policy(types: [type("t")])
        quiet.quietHours = [QuietWindow(from: 60, to: 240)]
        var keeping = quiet
        var kept = type("t")
        kept.keepsTime = true
        keeping.setTypes([kept])
        var core = DecidingCore(PlanGenerator.compiled(quiet))
        core.decide([schedule("n", 2, type: "t")], at: start)
        for (document, hours) in [(keeping, Int64(2)), (quiet, 4)] {
            adopt(document, &core)
            core.core.replan(atMost: 1, clock: start, into: &core.decision)
            #expect(told(core) == ["accepted n policy"])
            let date = core.plans.first?.fireDate
            #expect(date == start.advanced(by: hours * Self.hour))
        }
    }

    @Test("a policy that leaves the zones alone matches nothing again, whatever its grace says")
    func floatingUnderAnotherPolicy() {
        let zones = TestZones()
        var device = GeneratedRequest()
        device.operation = .device
        device.settings.timeZone = "Test/East"
        var pattern = CalendarPattern()
        pattern.hour = 12
        var floating = schedule("floats", 0)
        floating.trigger = .calendar(CalendarTrigger(pattern: pattern, repeats: true, timeZone: .empty))
        var old = policy()
        old.graceMilliseconds = 1000
        var core = DecidingCore(PlanGenerator.compiled(old), zones: zones)
        core.decide([floating], at: start)
        // Noon in the east was ten minutes ago: beyond the old grace, within the new one.
        let later = start.advanced(by: 6 * Self.hour + 25 * 60_000)
        core.decide([device], at: later)
        adopt(policy(), zones: zones, &core)
        core.core.replan(atMost: 8, clock: later, into: &core.decision)
        #expect(told(core) == [])
        #expect(core.plans.map(\.fireDate.rfc3339) == ["2026-03-06T06:15:00.000Z"])
    }

    @Test("another tz database matches again what floats, and leaves what names its zone")
    func zones() {
        var core = DecidingCore(PlanGenerator.compiled(policy()))
        var device = GeneratedRequest()
        device.operation = .device
        device.settings.timeZone = "Test/East"
        var floating = GeneratedRequest()
        var pattern = CalendarPattern()
        pattern.hour = 12
        floating.id = "floats"
        floating.trigger = .calendar(CalendarTrigger(pattern: pattern, repeats: false, timeZone: .empty))
        var fixed = floating
        (fixed.id, fixed.timeZone) = ("stays", "Test/East")
        core.decide([device, floating, fixed], at: start)
        adopt(policy(), zones: TestZones(release: "b", shift: 15), &core)
        core.core.replan(atMost: 1, clock: start, into: &core.decision)
        #expect(told(core) == ["accepted floats policy"])
        let dates = core.plans.map { "\($0.id) \($0.fireDate.rfc3339)" }
        #expect(dates == ["floats 2026-03-05T06:00:00.000Z", "stays 2026-03-05T06:15:00.000Z"])
        #expect(core.core.zones.release == "b")
    }

    @Test("a recipient that an intent touches before its turn is planned anew then, and counts")
    func touched() {
        var core = DecidingCore(PlanGenerator.compiled(policy()))
        let devices = (0..<6).map { "d\($0)" }
        for device in devices {
            core.decide([schedule("a", 1, device: device), schedule("b", 2, device: device)], at: start)
        }
        adopt(policy(slots: 1), &core)
        #expect(core.core.replanBacklog == 6)
        core.core.replan(atMost: 2, clock: start, into: &core.decision)
        #expect(told(core) == ["evicted b slots policy", "evicted b slots policy"])
        #expect(core.core.replanBacklog == 4)
        // One intent that changes nothing, one that changes something; d0 has had its turn.
        core.decide([schedule("a", 1, device: "d5"), .cancelOfNothing(device: "d0")], at: start)
        #expect(told(core) == ["evicted b slots policy"])
        #expect(core.core.replanBacklog == 3)
        core.core.replan(atMost: 2, clock: start, into: &core.decision)
        core.core.replan(atMost: 2, clock: start, into: &core.decision)
        #expect(core.decision.touchedRecipients == 1)
        #expect(core.core.replanBacklog == 0)
        core.core.replan(atMost: 2, clock: start, into: &core.decision)
        #expect(core.decision.touchedRecipients == 0)
    }

    @Test("a recipient that wakes before its turn is planned anew then, and counts")
    func woken() {
        var core = DecidingCore(PlanGenerator.compiled(policy()))
        core.decide([schedule("a", 1), schedule("b", 2), schedule("c", 3)], at: start)
        adopt(policy(slots: 1), &core)
        core.decide([], at: start.advanced(by: Self.hour))
        #expect(told(core) == ["due a", "evicted c slots policy"])
        #expect(core.core.replanBacklog == 0)
    }

    @Test("two revisions in a row: what had its turn under the first, and what had not, ends under the second")
    func twice() {
        var core = DecidingCore(PlanGenerator.compiled(policy()))
        for device in 0..<4 {
            core.decide((0..<4).map { schedule("n\($0)", Double($0 + 1), device: "d\(device)") }, at: start)
        }
        adopt(policy(slots: 2), &core)
        core.core.replan(atMost: 2, clock: start, into: &core.decision)
        adopt(policy(slots: 3), &core)
        #expect(core.core.replanBacklog == 4)
        core.core.replan(atMost: 4, clock: start, into: &core.decision)
        #expect(
            told(core) == [
                "accepted n2 policy", "accepted n2 policy", "evicted n3 slots policy", "evicted n3 slots policy",
            ])
        #expect(core.core.replanBacklog == 0)
    }

    @Test("before its turn a recipient shows its plan as it was made; what it tells, it tells under the new policy")
    func before() {
        let types = (0..<9).map { (rank: Int) in type("t\(rank)", priority: rank, prefixes: ["n\(rank)."]) }
        var core = DecidingCore(PlanGenerator.compiled(policy(types: types)))
        core.decide([schedule("n7.a", 1), schedule("n8.a", 2), schedule("n8.b", 3)], at: start)
        adopt(policy(types: [type("t0", priority: 5, prefixes: ["n8."])]), &core)
        #expect(core.plans.map { "\($0.id) \($0.type) \($0.priority)" } == ["n7.a t7 7", "n8.a t8 8", "n8.b t8 8"])
        var cancel = GeneratedRequest()
        (cancel.operation, cancel.id) = (.cancelPrefix, "n")
        core.decide([cancel], at: start)
        #expect(
            core.events.map { "\($0.kind) \($0.id) \($0.type) \($0.priority)" } == [
                "cancelled n7.a unknown 99", "cancelled n8.a t0 5", "cancelled n8.b t0 5",
            ])
    }
}
