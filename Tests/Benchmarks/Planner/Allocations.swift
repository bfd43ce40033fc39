import CountingMalloc
import RationModel
import RationPlanner
import RationWire
import RationZones
import TestSupport

/// Calls for memory while intents are read and decided, once all buffers have grown.
struct Allocations: ~Copyable {
    private static let recipients = 100
    private static let ids = 128
    private static let days = 10
    /// Intents of a batch.
    private static let pack = 256
    private static let batches = 800
    /// Of so many intents one may find that a buffer of its recipient has never held so much.
    private static let intentsPerCall = 1_000.0

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
            var text = ""
            for id in 0..<Self.ids { text += Self.line(Step(recipient: recipient, id: id, date: date())) }
            try decide(Array(text.utf8))
        }
    }

    static func measure(_ zones: ZoneDatabase) throws -> [Figure] {
        try checkCounter()
        var figures: [Figure] = []
        for (name, policy) in [("plain", PlannedPolicy.plain), ("ruled", PlannedPolicy.ruled)] {
            let text = name == "plain" ? "without rules" : "with quiet hours and two caps"
            var still = try Allocations(policy, zones)
            figures += try still.measure("\(name).still", "\(text), before anything is due", minutes: 0)
            var moving = try Allocations(policy, zones)
            figures += try moving.measure("\(name).moving", "\(text), a quarter of an hour a batch", minutes: 15)
        }
        return figures
    }

    /// A counter that sees nothing would find nothing.
    private static func checkCounter() throws {
        ration_allocation_count_start()
        UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 1).deallocate()
        let seen = ration_allocation_count_end()
        guard seen.allocations == 1, seen.live_bytes == 0 else {
            throw BenchmarkError("one call for memory was counted as \(seen.allocations)")
        }
    }

    /// Runs all batches to let the buffers grow, then as many and counts.
    private mutating func measure(_ name: String, _ text: String, minutes: Int) throws -> [Figure] {
        var (reading, deciding, intents) = (0, 0, 0)
        for number in 0..<2 * Self.batches {
            now = now.advanced(by: Int64(minutes) * 60_000)
            let (read, decided) = try decide(randomLines())
            guard number >= Self.batches else { continue }
            reading += read
            deciding += decided
            intents += batch.intents.count
        }
        func figure(_ key: String, _ what: String, _ count: Int) -> Figure {
            Figure(
                name: "allocations.\(name).\(key)", text: "\(text): \(what) \(intents) intents", value: Double(count),
                unit: "calls", aim: .atMost((Double(intents) / Self.intentsPerCall).rounded(.down)))
        }
        return [figure("reading", "reading", reading), figure("deciding", "deciding", deciding)]
    }

    /// Mostly schedules, an eighth of them cancels; some recipients have several.
    private mutating func randomLines() -> [UInt8] {
        var text = ""
        for _ in 0..<Self.pack {
            let recipient = Int.random(in: 0..<Self.recipients, using: &random)
            let id = Int.random(in: 0..<Self.ids, using: &random)
            if Int.random(in: 0..<8, using: &random) == 0 {
                text += Self.start("cancel", recipient, id) + "}\n"
            } else {
                text += Self.line(Step(recipient: recipient, id: id, date: date()))
            }
        }
        return Array(text.utf8)
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

    private static func line(_ step: Step) -> String {
        start("schedule", step.recipient, step.id) + #","type":"\#(PlannedPolicy.typeName(Step.type(of: step.id)))","#
            + #""content":\#(Step.content),"trigger":{"at":\#(step.date.milliseconds)}}"# + "\n"
    }

    private static func start(_ operation: String, _ recipient: Int, _ id: Int) -> String {
        #"{"op":"\#(operation)","app":"\#(Step.app)","device":"\#(Step.device(recipient))","id":"\#(Step.id(id))""#
    }
}
