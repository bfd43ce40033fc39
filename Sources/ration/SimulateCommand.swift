import RationCommandLine
import RationConfiguration
import RationModel
import RationPlanner
import RationPluginKit
import RationSimulation

/// `ration simulate`: the core without a network (semantics.md section 7).
struct SimulateCommand: Command {
    static let name = "simulate"
    static let summary = "Run steps from standard input through the core that the broker runs, without a network"
    static let details = [
        "A step is one line of JSON: {\"now\": DATE, \"intents\": [...]}. Before a step, whatever falls due before its "
            + "date is fired at its own instant; with \"down\": true the broker is taken to have been off until then. "
            + "Each event is one line of JSON on standard output."
    ]
    static let policy = Option<String?>.text(
        "policy", "FILE", "the policy, YAML or JSON", defaultText: "the standard policy")
    static let categories = Option<String?>.text(
        "categories", "FILE", "the categories that apps declare: what the policy does about others is told, too",
        defaultText: "none, and then no category is looked at")
    static let plan = Option<Bool>.flag("plan", "print every recipient's plan at the end")
    static let options: [any OptionDeclaration] = [policy, categories, plan]
    static let examples = [
        Example("ration simulate --policy policy.yaml --plan < steps.ndjson", "what a policy does to recorded steps")
    ]

    /// Bytes of one step.
    static let stepBytes = 256 << 20

    private let policyFile: String?
    private let categoryFile: String?
    private let showsPlans: Bool

    init(_ arguments: ParsedArguments) {
        policyFile = arguments[Self.policy]
        categoryFile = arguments[Self.categories]
        showsPlans = arguments[Self.plan]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let zones = try InstalledZones.read()
        var policy = Policy()
        if let policyFile {
            policy = try PolicyReader.read(file: policyFile, orders: plugins.orderNames, zones: zones)
        }
        let categories = try categoryFile.map { file throws(ConfigurationFaults) in
            try CategoryReader.read(file: file).declarations
        }
        var simulator = Simulator(
            core: Core(policy: try CompiledPolicy(installed: policy), zones: zones, seed: 0), categories: categories)
        let input = try LineInput(file: "-", limit: Self.stepBytes)
        var failure: (any Error)?
        func write(_ bytes: UnsafeRawBufferPointer) {
            guard failure == nil else { return }
            do { try console.output.bytes(bytes) } catch { failure = error }
        }
        var isOpen = true
        while isOpen {
            let step: Void? = try input.next { line in
                do throws(StepFault) {
                    try simulator.step(line, output: write)
                } catch {
                    throw InputError(file: "standard input", line: input.lineNumber, error.message)
                }
            }
            isOpen = step != nil
            if let failure { throw failure }
        }
        if showsPlans { simulator.writePlans(output: write) }
        if let failure { throw failure }
        try console.output.flush()
        return .success
    }
}

extension CompiledPolicy {
    /// Compiles a policy with the order that it names.
    /// - Throws: `CommandFailure` for an order that is not installed, which validation has refused before.
    convenience init(installed policy: Policy) throws {
        guard let order = plugins.order(named: policy.order) else {
            throw CommandFailure("the order '\(policy.order)' is not installed")
        }
        self.init(policy, order: order, rules: plugins.rules)
    }
}
