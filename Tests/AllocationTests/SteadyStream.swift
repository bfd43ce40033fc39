import FrequencyCapRule
import QuietHoursRule
import RationModel
import RationPlanner
import RationWire
import RationZones
import SoonestOrder
import TestSupport

/// Recipients with more pending than slots, of which a random one is replaced, cancelled or scheduled again with each line.
struct SteadyStream: ~Copyable {
    private static let recipients = 8
    private static let ids = 128
    private static let days: Int64 = 20
    /// Lines of a batch: several for one recipient are planned together.
    private static let pack = 12

    private var core: Core
    private var decision = Decision()
    private var reader: IntentReader
    private var batch = IntentBatch()
    private var random: SplitMix64
    private var now = Instant(milliseconds: 1_796_112_000_000)
    private(set) var readingAllocations = 0
    private(set) var decidingAllocations = 0

    init(hasRules: Bool, seed: UInt64) throws {
        var policy = Policy()
        policy.timeZone = "Europe/Madrid"
        if hasRules {
            policy.quietHours = [QuietWindow(from: 22 * 60, to: 7 * 60 + 30)]
            policy.caps = [Cap(limit: 3, perMilliseconds: 3_600_000), Cap(limit: 10, perMilliseconds: 86_400_000)]
        }
        let zones = try ZoneDatabase()
        let compiled = CompiledPolicy(policy, order: SoonestOrder(), rules: [QuietHoursSource(), FrequencyCaps()])
        core = Core(policy: compiled, zones: zones, seed: 1)
        reader = IntentReader(zones: zones)
        random = SplitMix64(seed: seed)
        for recipient in 0..<Self.recipients {
            for id in 0..<Self.ids { try decide(schedule(id, of: recipient)) }
        }
    }

    /// Decides so many batches and counts anew.
    /// - Parameter minutes: from batch to batch; what comes in them fires.
    mutating func run(batches: Int, minutes: Int64) throws {
        (readingAllocations, decidingAllocations) = (0, 0)
        for _ in 0..<batches {
            now = now.advanced(by: minutes * 60_000)
            var text = ""
            for _ in 0..<Self.pack { text += line() }
            try decide(text)
        }
    }

    private mutating func decide(_ text: String) throws {
        let body = Array(text.utf8)
        batch.removeAll()
        readingAllocations += try allocations {
            try body.withUnsafeBytes { _ = try reader.read($0, isPadded: false, into: &batch) }
        }
        decidingAllocations += allocations { core.decide(batch, clock: now, into: &decision) }
        guard batch.rejections.isEmpty, decision.problems.isEmpty else {
            throw batch.rejections.first ?? decision.problems[0].rejection
        }
    }

    private mutating func line() -> String {
        let recipient = Int.random(in: 0..<Self.recipients, using: &random)
        let id = Int.random(in: 0..<Self.ids, using: &random)
        guard Int.random(in: 0..<8, using: &random) == 0 else { return schedule(id, of: recipient) }
        return #"{"op":"cancel","app":"a","device":"d\#(recipient)","id":"habit.water.\#(id)"}"# + "\n"
    }

    private mutating func schedule(_ id: Int, of recipient: Int) -> String {
        let date = now.advanced(by: 60_000 + .random(in: 0..<Self.days * 86_400_000, using: &random))
        return #"{"op":"schedule","app":"a","device":"d\#(recipient)","id":"habit.water.\#(id)","#
            + #""content":{"title":"Water"},"trigger":{"at":\#(date.milliseconds)}}"# + "\n"
    }
}
