import CountingMalloc
import RationModel
import RationPlanner
import RationWire
import RationZones
import TestSupport

/// Calls for memory while intents are read and decided, once all buffers have grown.
struct Allocations: ~Copyable {
    private static let recipients = 500
    private static let ids = 128
    private static let days = 10
    /// Intents of a batch.
    private static let pack = 256
    private static let batches = 400

    private var core: Core
    private var decision = Decision()
    private var reader: IntentReader
    private var batch = IntentBatch()
    private var random = SplitMix64(seed: 7)
    private var now = Step.now

    private init(_ policy: PlannedPolicy, _ zones: ZoneDatabase) throws {
        core = Core(policy: policy.compiled, zones: zones, seed: 1)
        reader = IntentReader(zones: zones)
        for recipient in 0..<Self.recipients {
            try decide(lines((0..<Self.ids).map { Step(recipient: recipient, id: $0, date: date()) }))
        }
    }

    static func measure(_ zones: ZoneDatabase) throws -> [Figure] {
        var figures: [Figure] = []
        for (name, policy) in [("plain", PlannedPolicy.plain), ("ruled", PlannedPolicy.ruled)] {
            let text = name == "plain" ? "without rules" : "with quiet hours and two caps"
            var still = try Allocations(policy, zones)
            figures += try still.measure("\(name).still", "\(text), before anything is due", minutes: 0)
            var moving = try Allocations(policy, zones)
            figures += try moving.measure("\(name).moving", "\(text), a minute a batch", minutes: 1)
        }
        return figures
    }

    /// Runs all batches to let the buffers grow, then as many and counts.
    private mutating func measure(_ name: String, _ text: String, minutes: Int) throws -> [Figure] {
        var (reading, deciding, intents) = (0, 0, 0)
        for number in 0..<2 * Self.batches {
            now = now.advanced(by: Int64(minutes) * 60_000)
            let body = lines((0..<Self.pack).map { _ in randomStep() })
            let (read, decided) = try decide(body)
            guard number >= Self.batches else { continue }
            reading += read
            deciding += decided
            intents += batch.intents.count
        }
        func figure(_ key: String, _ what: String, _ count: Int) -> Figure {
            Figure(
                name: "allocations.\(name).\(key)", text: "\(text): \(what) \(intents) intents", value: Double(count),
                unit: "calls", aim: .atMost(0))
        }
        return [figure("reading", "reading", reading), figure("deciding", "deciding", deciding)]
    }

    private mutating func randomStep() -> Step {
        Step(
            recipient: .random(in: 0..<Self.recipients, using: &random), id: .random(in: 0..<Self.ids, using: &random),
            date: date())
    }

    private mutating func date() -> Instant {
        now.advanced(by: 3_600_000 + .random(in: 0..<Int64(Self.days) * 86_400_000, using: &random))
    }

    /// Reads a body and decides it.
    /// - Returns: the calls for memory of both.
    @discardableResult
    private mutating func decide(_ body: [UInt8]) throws -> (reading: Int, deciding: Int) {
        batch.removeAll()
        let reading = try body.withUnsafeBytes { body in
            ration_allocation_count_start()
            defer { _ = ration_allocation_count_end() }
            _ = try reader.read(body, isPadded: false, into: &batch)
            return ration_allocation_count_so_far().allocations
        }
        ration_allocation_count_start()
        core.decide(batch, clock: now, into: &decision)
        let deciding = ration_allocation_count_end().allocations
        guard batch.rejections.isEmpty, decision.problems.isEmpty else {
            throw BenchmarkError("an intent was rejected: \(decision.problems.first?.rejection.message ?? "")")
        }
        return (Int(reading), Int(deciding))
    }

    private func lines(_ steps: [Step]) -> [UInt8] {
        var text = ""
        for step in steps {
            text += #"{"op":"schedule","app":"\#(Step.app)","device":"\#(Step.device(step.recipient))","#
            text += #""id":"\#(Step.id(step.id))","type":"\#(PlannedPolicy.typeName(Step.type(of: step.id)))","#
            text += #""content":\#(Step.content),"trigger":{"at":\#(step.date.milliseconds)}}"# + "\n"
        }
        return Array(text.utf8)
    }
}
