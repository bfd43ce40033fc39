import RationModel
import SoonestOrder
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct EventOrderTests {
    private struct EveryZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
    }

    private let start = Instant(milliseconds: 1_796_000_000_000)

    /// Schedules one notification for each recipient in one batch.
    /// - Returns: the recipients in the order of their events.
    private func order(_ recipients: [(app: String, device: String)]) -> [String] {
        var core = Core(policy: CompiledPolicy(Policy(), order: SoonestOrder(), rules: []), zones: EveryZone(), seed: 1)
        var batch = IntentBatch()
        for recipient in recipients {
            var intent = Intent(operation: .schedule)
            intent.app = batch.bytes.append(recipient.app)
            intent.device = batch.bytes.append(recipient.device)
            intent.id = batch.bytes.append("a")
            intent.content = batch.bytes.append(#"{"title":"t"}"#)
            intent.trigger = .after(seconds: 60)
            batch.intents.append(intent)
        }
        var decision = Decision()
        core.decide(batch, clock: start, into: &decision)
        var names = decision.events.events.map { name(decision, $0) }
        // The same recipients again, woken without an intent.
        core.decide(IntentBatch(), clock: start.advanced(by: 60_000), into: &decision)
        #expect(decision.events.events.map { name(decision, $0) } == names)
        names.removeAll { $0.isEmpty }
        return names
    }

    private func name(_ decision: Decision, _ event: Event) -> String {
        let recipient = decision.events.recipients[Int(event.recipient)]
        return decision.events.bytes.text(recipient.app) + "\0" + decision.events.bytes.text(recipient.device)
    }

    private func expected(_ recipients: [(app: String, device: String)]) -> [String] {
        Set(recipients.map { "\($0.app)\0\($0.device)" }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    @Test("recipients come by (app, device) in bytes, on generated names that share prefixes of any length")
    func generated() {
        for seed in UInt64(1)...60 {
            var random = SplitMix64(seed: seed)
            let stems = ["", "d", "device-", "device-0000000", "a-device-with-a-long-name-", "\u{E9}", "\u{1F600}"]
            let apps = ["a", "a-b", "a.b", "ab", "com.example.habits", "com.example.habits.pro", "com.example.pills"]
            let recipients = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                let stem = stems[Int.random(in: 0..<stems.count, using: &random)]
                let number = Int.random(in: 0..<Int(1) << Int.random(in: 1...40, using: &random), using: &random)
                return (app: apps[Int.random(in: 0..<apps.count, using: &random)], device: stem + String(number))
            }
            #expect(order(recipients) == expected(recipients), "seed \(seed)")
        }
    }

    @Test("one short name among thousands of long ones changes nothing")
    func outlier() {
        let recipients =
            (0..<5000).map { (app: "app", device: "a-device-with-a-long-name-\($0 &* 7919 % 5000)") } + [
                (app: "app", device: "x")
            ]
        #expect(order(recipients) == expected(recipients))
    }
}
