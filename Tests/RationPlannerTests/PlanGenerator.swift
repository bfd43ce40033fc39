import FrequencyCapRule
import QuietHoursRule
import RationModel
import RationPlanner
import SoonestOrder
import TestSupport

/// Policies and intents from a seed, coarse in time so that notifications crowd.
struct PlanGenerator {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    static let minute: Int64 = 60_000
    static let types = ["habit", "entry", "nudge", "alarm"]
    private static let sources: [any RuleSource] = [QuietHoursSource(), FrequencyCaps()]

    static func compiled(_ policy: Policy) -> CompiledPolicy {
        CompiledPolicy(policy, order: SoonestOrder(), rules: sources)
    }

    mutating func policy() -> Policy {
        var policy = Policy()
        policy.slots = number(1...6)
        policy.queueLimit = chance(30) ? number(0...6) : 1024
        policy.graceMilliseconds = pick([0, 10, 60, 600]) * Self.minute
        policy.timeZone = pick(TestZones.names)
        policy.maxDelayMilliseconds = chance(30) ? Int64(number(1...30)) * 60 * Self.minute : nil
        policy.setTypes(types())
        policy.quietHours = (0..<pick([0, 1, 1, 2])).map { _ in window() }
        policy.caps = (0..<pick([0, 1, 1, 2, 3])).map { _ in cap() }
        return policy
    }

    private mutating func types() -> [NotificationType] {
        var types: [NotificationType] = []
        for name in Self.types where chance(75) {
            var type = NotificationType(name: name)
            if chance(80) { type.priority = number(0...2) }
            if chance(50) { type.prefixes = [pick(["a.", "b.", "a.1"]) + (chance(20) ? name : "")] }
            if types.contains(where: { $0.prefixes == type.prefixes }) { type.prefixes = [] }
            type.keepsTime = name == "alarm" && chance(70)
            if chance(20) { type.maxDelayMilliseconds = Int64(number(0...20)) * 60 * Self.minute }
            types.append(type)
        }
        return types
    }

    mutating func window() -> QuietWindow {
        let from = number(0...47) * 30
        var window = QuietWindow(from: from, to: (from + number(1...22) * 30) % 1440)
        if chance(30) { window.days = WeekdaySet(rawValue: UInt8(number(1...127))) }
        if chance(30) { window.types = [pick(Self.types + ["other"])] }
        window.exempt = levels()
        return window
    }

    private mutating func cap() -> Cap {
        var cap = Cap(limit: number(1...3), perMilliseconds: pick([10, 60, 90, 720, 1440]) * Self.minute)
        if chance(40) { cap.types = Array(Set([pick(Self.types), pick(Self.types + ["other"])])) }
        if chance(15) { cap.overflow = .drop }
        cap.exempt = levels()
        return cap
    }

    private mutating func levels() -> LevelSet {
        pick([[], LevelSet(.critical), LevelSet(.timeSensitive, .critical), LevelSet(.passive)])
    }
}

/// Intents.
extension PlanGenerator {
    /// A date on a coarse grid, seldom beside it.
    mutating func date(after now: Instant, minutes: ClosedRange<Int>) -> Instant {
        let grid = pick([10, 10, 30]) * Self.minute
        let ahead = now.milliseconds + Int64(number(minutes)) * Self.minute
        return Instant(milliseconds: ahead / grid * grid + (chance(10) ? Int64(number(-1...1)) : 0))
    }

    /// A `schedule` whose trigger is an `at`.
    mutating func scheduleAt(now: Instant, minutes: ClosedRange<Int>) -> GeneratedRequest {
        var request = GeneratedRequest()
        request.id = pick(["a.", "b.", "c."]) + "\(number(0...5))"
        request.type = pick(["", "", "other"] + Self.types)
        request.level = pick([.active, .active, .active] + InterruptionLevel.allCases)
        request.trigger = .at(date(after: now, minutes: minutes))
        request.body = pick(["b", "b", "a longer body"])
        if chance(20) { request.overdue = .deliver }
        if chance(15) { request.expires = date(after: now, minutes: 60...2000) }
        return request
    }

    mutating func schedule(now: Instant) -> GeneratedRequest {
        var request = scheduleAt(now: now, minutes: -5...1500)
        switch number(0...9) {
        case 0: request.trigger = .after(seconds: Double(number(1...600)) * 60)
        case 1: request.trigger = .every(seconds: Double(number(1...40)) * 600)
        case 2:
            var pattern = CalendarPattern()
            (pattern.hour, pattern.minute) = (Int16(number(0...23)), Int16(pick([0, 30])))
            request.trigger = .calendar(CalendarTrigger(pattern: pattern, repeats: chance(40), timeZone: .empty))
            request.timeZone = chance(30) ? pick(TestZones.names) : ""
        default: break
        }
        return request
    }

    mutating func device() -> GeneratedRequest {
        var request = GeneratedRequest()
        request.operation = .device
        switch number(0...3) {
        case 0: request.settings.timeZone = pick(TestZones.names)
        case 1: request.settings.reserved = Int32(number(0...4))
        case 2: request.settings.quietHours = chance(60) ? .own((0..<number(0...2)).map { _ in window() }) : .policy
        default: request.settings.delivery = pick([.local, .push])
        }
        return request
    }

    /// Any intent, most of them of the kinds that need no whole plan.
    mutating func request(now: Instant) -> GeneratedRequest {
        var request = GeneratedRequest()
        switch number(0...99) {
        case 0..<76: request = schedule(now: now)
        case 76..<92:
            request.operation = .cancelID
            request.id = pick(["a.", "b.", "c."]) + "\(number(0...5))"
        case 92..<95:
            request.operation = pick([.cancelPrefix, .cancelType])
            request.id = request.operation == .cancelPrefix ? pick(["a.", "c.1"]) : pick(Self.types + ["unknown"])
        case 95..<99: request = device()
        default: request.operation = .remove
        }
        return request
    }
}
