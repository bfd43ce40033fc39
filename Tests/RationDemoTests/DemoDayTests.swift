import RationDemo
import RationModel
import RationPlanner
import Testing

@Suite("The made-up day")
struct DemoDayTests {
    @Test("The same seed and start give the same bytes; another seed or start gives others")
    func isDeterministic() throws {
        let first = try text(seed: 7, start: start, devices: 60, moments: 400)
        #expect(try text(seed: 7, start: start, devices: 60, moments: 400) == first)
        #expect(try text(seed: 8, start: start, devices: 60, moments: 400) != first)
        #expect(try text(seed: 7, start: start.advanced(by: 3_600_000), devices: 60, moments: 400) != first)
    }

    @Test("Every intent is taken but those wrong on purpose: at most one in 2,000, of all kinds", arguments: [1, 2])
    func isTaken(seed: UInt64) throws {
        let day = try Minute(seed: seed, devices: 300)
        #expect(day.intents > 18_000)
        #expect(day.codes.count <= day.intents / 2_000)
        #expect(day.codes.count >= day.intents / 4_000)
        let wrong: Set = ["trigger.past", "trigger.interval", "timeZone", "json", "expires.beforeFire"]
        #expect(Set(day.codes) == wrong)
    }

    @Test("Within a minute there are events of every kind, of the types that they should have")
    func showsEverything() throws {
        let day = try Minute(seed: 1, devices: 600)
        for kind in ["accepted", "queued", "cancelled", "evicted"] {
            for type in ["habit", "entry", "depletion"] {
                #expect(day.events["\(kind)/\(type)", default: 0] > 0, "\(kind)/\(type)")
            }
        }
        #expect(day.events["accepted/day1", default: 0] > 30)
        #expect(day.events["accepted/inactivity", default: 0] > 600)
        #expect(day.events["due/entry", default: 0] > 200)
        #expect(day.events["expired/entry", default: 0] > 20)
        #expect(day.events["full/entry", default: 0] > 100)
        #expect(day.events.keys.allSatisfy { !$0.hasSuffix("/unknown") && !$0.hasSuffix("/") })
    }

    @Test("Some are due within the first five seconds")
    func isDueSoon() throws {
        var day = try DemoDay(seed: 1, start: start, devices: 600, zones: tzDatabase())
        var lines = IntentLines()
        while day.appendBacklog(to: &lines) {}
        var deciding = try Deciding()
        deciding.decide(&lines, at: start)
        deciding.decide(&lines, at: start.advanced(by: 5_000))
        #expect(deciding.events["due/entry", default: 0] >= 4)
    }

    @Test("A tenth of the phones have over 64 pending, at any hour of the day and the week", arguments: 0..<5)
    func fillsSlots(step: Int64) throws {
        let now = start.advanced(by: step * 29 * 3_600_000)
        var day = try DemoDay(seed: 5, start: now, devices: 200, zones: tzDatabase())
        var lines = IntentLines()
        while day.appendBacklog(to: &lines) {}
        var deciding = try Deciding()
        deciding.decide(&lines, at: now)
        let full = deciding.plans().filter { $0.held.count + $0.queued.count > 64 }
        // 20 eager ones and the one that hoards.
        #expect(full.count == 21)
        #expect(full.allSatisfy { !$0.queued.isEmpty })
        #expect(full.map { $0.held.count + $0.queued.count }.max() == 64 + 1_024 - reserved(of: full))
    }

    private func reserved(of plans: [RecipientPlan]) -> Int {
        let largest = plans.max { $0.held.count + $0.queued.count < $1.held.count + $1.queued.count }
        return 64 - (largest?.held.count ?? 0)
    }

    /// The backlog and a minute at 200 intents a second.
    private struct Minute {
        let intents: Int
        let codes: [String]
        let events: [String: Int]

        init(seed: UInt64, devices: Int) throws {
            var day = try DemoDay(seed: seed, start: start, devices: devices, zones: tzDatabase())
            var lines = IntentLines()
            var deciding = try Deciding()
            while day.appendBacklog(to: &lines) { deciding.decide(&lines, at: start) }
            var pacer = Pacer(perSecond: DemoDay.intentsPerSecond, start: start)
            while pacer.next < start.advanced(by: 60_000) {
                let now = pacer.next
                day.appendMoment(at: now, to: &lines)
                pacer.count(lines.count)
                deciding.decide(&lines, at: now)
            }
            (intents, codes, events) = (deciding.intents, deciding.codes, deciding.events)
        }
    }
}
