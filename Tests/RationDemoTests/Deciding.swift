import FrequencyCapRule
import QuietHoursRule
import RationConfiguration
import RationDemo
import RationModel
import RationPlanner
import RationWire
import RationZones
import SoonestOrder
import Testing

/// A broker's core under `deploy/policy.yaml` that counts what becomes of intents.
struct Deciding: ~Copyable {
    private var core: Core
    private var reader: IntentReader
    private var batch = IntentBatch()
    private var decision = Decision()
    private(set) var intents = 0
    private(set) var codes: [String] = []
    /// Events by `kind/type`, and final evictions as `full/type`.
    private(set) var events: [String: Int] = [:]

    init() throws {
        let zones = try ZoneDatabase()
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let policy = try PolicyReader.read(file: "/\(folder)/deploy/policy.yaml", orders: ["soonest"], zones: zones)
        reader = IntentReader(zones: zones)
        core = Core(
            policy: CompiledPolicy(policy, order: SoonestOrder(), rules: [QuietHoursSource(), FrequencyCaps()]),
            zones: zones, seed: 0)
    }

    /// Decides all lines that wait as one batch, after whatever fell due before.
    mutating func decide(_ lines: inout IntentLines, at now: Instant) {
        while let wake = core.nextWake, wake < now { decideBatch(at: wake) }
        let end = UInt8(ascii: "\n")
        for line in lines.take(.max).split(separator: end) {
            line.withUnsafeBytes { reader.readLine($0, isPadded: false, into: &batch) }
            intents += 1
        }
        decideBatch(at: now)
    }

    func plans() -> [RecipientPlan] { core.plans }

    private mutating func decideBatch(at now: Instant) {
        core.decide(batch, clock: now, into: &decision)
        batch.removeAll()
        codes += decision.problems.map { $0.rejection.code.rawValue }
        for event in decision.events.events {
            let type = decision.events.bytes.text(event.type)
            events["\(event.kind.name)/\(type)", default: 0] += 1
            if event.kind == .evicted, event.isFinal == true { events["full/\(type)", default: 0] += 1 }
        }
    }
}

/// Tuesday, in the evening of Sydney and the morning of Europe.
let start = Instant(milliseconds: 1_796_112_000_000)

/// The plans of all phones, and `moments` of the time after.
func text(seed: UInt64, start: Instant, devices: Int, moments: Int) throws -> String {
    var day = try DemoDay(seed: seed, start: start, devices: devices, zones: tzDatabase())
    var lines = IntentLines()
    while day.appendBacklog(to: &lines) {}
    for moment in 0..<moments { day.appendMoment(at: start.advanced(by: Int64(moment) * 100), to: &lines) }
    return String(decoding: lines.take(.max), as: UTF8.self)
}
