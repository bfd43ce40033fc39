import PriorityOrder
import RationConfiguration
import RationModel
import RationPlanner
import RationSimulation
import SoonestOrder

/// Three time zones.
struct FewZones: ZoneChecking {
    static let names: [Text] = ["UTC", "Europe/Madrid", "America/Sao_Paulo"]

    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        Self.names.contains { $0.bytes.elementsEqual(name) }
    }
}

/// A simulator under test and what it has told.
struct SimulatorRun: ~Copyable {
    private var simulator: Simulator

    /// - Parameter hashSeed: no outcome may depend on it.
    init(policy: Value, hashSeed: UInt64 = 0) throws {
        let policy = try PolicyReader.read(
            text: Array(policy.json.utf8), file: "policy", orders: [PriorityOrder.name, SoonestOrder.name],
            zones: FewZones())
        let compiled =
            policy.order == PriorityOrder.name
            ? CompiledPolicy(policy, order: PriorityOrder()) : CompiledPolicy(policy, order: SoonestOrder())
        simulator = Simulator(core: Core(policy: compiled, zones: FewZones(), seed: hashSeed))
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
