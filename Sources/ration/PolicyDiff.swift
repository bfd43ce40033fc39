import RationCommandLine
import RationConfiguration
import RationModel
import RationPlanner
import RationPluginKit
import RationSimulation

/// `ration policy diff`: what another policy would have done to recorded steps.
struct PolicyDiff {
    /// The policies' files.
    private let files: Pair<String>
    /// `-` for standard input.
    private let steps: String
    /// Examples of each way in which fates differ.
    private let examples: Int
    private let printsJSON: Bool

    private static let examplesUnlessNamed = 3

    init(_ files: Pair<String>, _ arguments: ParsedArguments) throws {
        guard let steps = arguments[PolicyCommand.steps] else { throw UsageError("'policy diff' needs --steps FILE") }
        self.files = files
        self.steps = steps
        examples = arguments[PolicyCommand.exampleCount] ?? Self.examplesUnlessNamed
        printsJSON = arguments[PolicyCommand.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let zones = try InstalledZones.read()
        let policies = Pair(a: try Self.policy(files.a, zones), b: try Self.policy(files.b, zones))
        var comparison = PolicyComparison(policies, zones: zones, examples: examples)
        let input = try LineInput(file: steps, limit: SimulateCommand.stepBytes)
        var isOpen = true
        while isOpen {
            let step: Void? = try input.next { line in
                do throws(StepFault) {
                    try comparison.step(line)
                } catch {
                    throw InputError(file: steps, line: input.lineNumber, error.message)
                }
            }
            isOpen = step != nil
        }
        let difference = comparison.finish()
        if printsJSON {
            try difference.json(files).withUnsafeBytes { try console.output.line(bytes: $0) }
        } else {
            for line in difference.lines(files) { try console.output.line(line) }
        }
        return .success
    }

    private static func policy(_ file: String, _ zones: any ZoneSource) throws -> CompiledPolicy {
        try CompiledPolicy(installed: PolicyReader.read(file: file, orders: plugins.orderNames, zones: zones))
    }
}
