import RationModel
import TestSupport

/// Events as a broker might tell them, and some that it never would: what a subscriber derives has to be defined for any.
enum EventGenerator {
    static func events(_ count: Int, _ random: inout SplitMix64) -> [ReceivedEvent] {
        var time: Int64 = 1_764_500_000_000
        var sequence: UInt64 = 0
        return (0..<count).map { _ in
            sequence += UInt64.random(in: 1...2, using: &random)
            // Now and then an hour or some pass, often no time at all.
            if Int.random(in: 0..<3, using: &random) == 0 { time += Int64.random(in: 0...2_000_000, using: &random) }
            if Int.random(in: 0..<60, using: &random) == 0 { time += 20_000_000 }
            return event(sequence, time, &random)
        }
    }

    private static func event(_ sequence: UInt64, _ time: Int64, _ random: inout SplitMix64) -> ReceivedEvent {
        let kind = ([.due, .due, .due] + EventKind.allCases).randomElement(using: &random) ?? .due
        if kind.isFeedback { return feedback(kind, sequence, time, &random) }
        let requested = time + Int64.random(in: -1_000_000...100_000_000, using: &random)
        let fire = requested + [0, 0, 500, 3_600_000, 90_000_000, 900_000_000].randomElement(using: &random)!
        var event = ReceivedEvent(
            sequence: sequence, time: Instant(milliseconds: time), kind: kind,
            app: ["com.example", "com.other"].randomElement(using: &random)!,
            device: ["d1", "d2", "\u{E9}", "e\u{301}"].randomElement(using: &random)!,
            id: "n\(Int.random(in: 0..<12, using: &random))",
            type: ["habit", "entry", "day1", "depletion"].randomElement(using: &random)!,
            priority: .random(in: 0...2, using: &random),
            fireDate: Instant(milliseconds: fire), requestedDate: Instant(milliseconds: requested), batch: sequence)
        switch kind {
        case .accepted: event.cause = [.new, .replaced, .promoted, .moved].randomElement(using: &random)!
        case .queued: event.cause = [.new, .moved].randomElement(using: &random)!
        case .evicted:
            event.reason = [.slots, .cap, .queueFull].randomElement(using: &random)!
            event.isFinal = event.reason != .slots || Bool.random(using: &random)
        case .expired:
            event.reason = [.late, .overdue].randomElement(using: &random)!
            event.isFinal = Bool.random(using: &random)
        case .due:
            event.isFinal = Bool.random(using: &random)
            event.delivery = Int.random(in: 0..<4, using: &random) == 0 ? .local : .push
            event.validUntil = event.time.advanced(by: 3_600_000)
            event.content = Array(#"{"title":"T"}"#.utf8)
        case .cancelled: event.isFinal = true
        case .delivered, .opened, .dismissed, .action, .failed: break
        }
        return event
    }

    private static func feedback(
        _ kind: EventKind, _ sequence: UInt64, _ time: Int64, _ random: inout SplitMix64
    ) -> ReceivedEvent {
        var event = ReceivedEvent(
            sequence: sequence, time: Instant(milliseconds: time), feedback: kind,
            app: ["com.example", "com.other"].randomElement(using: &random)!,
            device: ["d1", "d2", "\u{E9}", "e\u{301}"].randomElement(using: &random)!,
            id: "n\(Int.random(in: 0..<12, using: &random))", batch: sequence)
        if kind == .action { (event.action, event.textLength) = ("reply", 5) }
        if kind == .failed { event.failure = "Unregistered" }
        return event
    }
}
