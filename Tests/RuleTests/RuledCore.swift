import FrequencyCapRule
import QuietHoursRule
import RationModel
import RationPlanner
import RationWire
import SoonestOrder

/// A core under some rules, fed with lines of the wire.
struct RuledCore: ~Copyable {
    var core: Core
    var decision = Decision()
    private var reader = IntentReader(zones: Zones())

    /// Midnight, a Thursday.
    static let start = "2026-03-05T00:00:00.000Z"

    private struct Zones: ZoneSource {
        let release: String? = nil
        let zones = [ZoneTable.utc, ZoneTable(name: "Asia/Kathmandu", offsetMilliseconds: 345 * 60_000)]
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? {
            zones.first { $0.name.utf8.elementsEqual(name) }
        }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { zone(named: name) != nil }
    }

    init(_ policy: Policy = Policy(), rules: [any RuleSource]) {
        let policy = CompiledPolicy(policy, order: SoonestOrder(), rules: rules)
        core = Core(policy: policy, zones: Zones(), seed: 1)
    }

    /// A `schedule` of an installation.
    static func schedule(_ id: String, at date: String, thread: String = "", _ rest: String = "") -> String {
        let thread = thread.isEmpty ? "" : #","threadId":"\#(thread)""#
        return #"{"op":"schedule","app":"app","device":"d","id":"\#(id)","content":{"title":"t"\#(thread)},"#
            + #""trigger":{"at":"\#(date)"}\#(rest)}"#
    }

    /// Decides lines as one batch.
    mutating func decide(at clock: String, _ lines: String...) {
        var batch = IntentBatch()
        for line in lines {
            Array(line.utf8).withUnsafeBytes { reader.readLine($0, isPadded: false, into: &batch) }
        }
        core.decide(batch, clock: instant(clock), into: &decision)
    }

    /// Lets what falls due up to an instant fire.
    /// - Returns: what was told, and nil once more batches wake than the rules can give a reason for.
    mutating func run(until clock: String) -> [String]? {
        var told: [String] = []
        var batches = 0
        while let wake = core.nextWake, wake <= instant(clock) {
            core.decide(IntentBatch(), clock: wake, into: &decision)
            told += events
            batches += 1
            guard batches < 100 else { return nil }
        }
        return told
    }

    private func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? .distantPast }

    /// The last batch's events: `due a 2026-03-05T08:00:00.000Z`, the instant being the batch's.
    var events: [String] {
        decision.events.events.map {
            "\($0.kind) \(decision.events.bytes.text($0.id)) \(decision.now.rfc3339)"
                + ($0.reason == .none ? "" : " \($0.reason)")
        }
    }

    /// All that is pending: `a 2026-03-05T08:00:00.000Z`.
    var plan: [String] {
        core.plans.flatMap { $0.held + $0.queued }.map { "\($0.id) \($0.fireDate.rfc3339)" }
    }

    /// The paths of the rules that the last batch set aside, each once.
    var setAside: [String] {
        decision.setAside.map(\.rule).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
