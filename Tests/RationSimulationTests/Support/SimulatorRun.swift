@testable import PlannerModel
import FrequencyCapRule
import PriorityOrder
import QuietHoursRule
import RationConfiguration
import RationModel
import RationPlanner
import RationSimulation
import RationZones
import SoonestOrder

/// The time zones of the scenarios, from the system's tz database.
struct FewZones: ZoneSource {
    private static let installed = Result { try ZoneDatabase() }
    private let database: ZoneDatabase

    init() throws {
        database = try Self.installed.get()
    }

    var release: String? { database.release }

    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? {
        contains(name) ? database.zone(named: name) : nil
    }

    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        ModelZone.names.contains { $0.bytes.elementsEqual(name) }
    }
}

/// A simulator under test and what it has told.
struct SimulatorRun: ~Copyable {
    private var simulator: Simulator

    /// - Parameter hashSeed: no outcome may depend on it.
    init(policy: Value, hashSeed: UInt64 = 0) throws {
        let zones = try FewZones()
        let policy = try PolicyReader.read(
            text: Array(policy.json.utf8), file: "policy", orders: [PriorityOrder.name, SoonestOrder.name],
            zones: zones)
        let order: any Order = policy.order == PriorityOrder.name ? PriorityOrder() : SoonestOrder()
        let compiled = CompiledPolicy(policy, order: order, rules: [QuietHoursSource(), FrequencyCaps()])
        simulator = Simulator(core: Core(policy: compiled, zones: zones, seed: hashSeed))
    }

    /// - Returns: the lines that the step tells.
    mutating func step(_ step: Step) throws -> [String] {
        var bytes: [UInt8] = []
        let line = Array(step.line.utf8)
        try line.withUnsafeBytes { line in try simulator.step(line) { bytes += $0 } }
        return Self.lines(bytes)
    }

    /// - Returns: a line for each recipient.
    mutating func plans() -> [String] {
        var bytes: [UInt8] = []
        simulator.writePlans { bytes += $0 }
        return Self.lines(bytes)
    }

    /// - Returns: all lines of a scenario, the plans at the end.
    static func output(_ scenario: Scenario, hashSeed: UInt64 = 0) throws -> [String] {
        var run = try SimulatorRun(policy: scenario.policy, hashSeed: hashSeed)
        var lines: [String] = []
        for step in scenario.steps { lines += try run.step(step) }
        return lines + run.plans()
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
