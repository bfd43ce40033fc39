import RationBroker
import RationConfiguration
import RationModel
import RationPlanner
import RationPluginKit
import RationWire

/// Policies as this command reads them: YAML or JSON, with the orders and rules that it is built with.
struct InstalledPolicies: PolicyReading {
    /// What stands for the name of a document that has none.
    private static let nameless = "policy"

    func read(
        _ document: PolicyDocument, zones: any ZoneSource
    ) throws(PolicyDocumentFaults) -> (policy: CompiledPolicy, warnings: [DocumentProblem]) {
        func problem(_ fault: ConfigurationFault) -> DocumentProblem {
            DocumentProblem(
                line: document.hasLines ? fault.line : 0, column: document.hasLines ? fault.column : 0,
                path: fault.path, message: fault.message)
        }
        let result: PolicyReader.Result
        do throws(ConfigurationFaults) {
            result = try PolicyReader.readWithWarnings(
                text: document.text, file: document.file ?? Self.nameless, orders: plugins.orderNames, zones: zones)
        } catch {
            throw PolicyDocumentFaults(error.faults.map(problem))
        }
        do {
            return (try CompiledPolicy(installed: result.policy), result.warnings.map(problem))
        } catch {
            throw PolicyDocumentFaults([DocumentProblem(path: "order", message: "\(error)")])
        }
    }
}
