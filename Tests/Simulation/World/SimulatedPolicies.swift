import FrequencyCapRule
import QuietHoursRule
import RationBroker
import RationConfiguration
import RationModel
import RationPlanner
import RationWire
import SoonestOrder

/// The policies that a simulated broker is run under, and their reader.
struct SimulatedPolicies: PolicyReading {
    static let documents = [
        #"{"slots":3,"queueLimit":4,"grace":"1h","types":{"a":{"priority":0},"b":{"priority":2}}}"#,
        #"{"slots":2,"queueLimit":4,"grace":"1h","types":{"a":{"priority":0},"b":{"priority":2}}}"#,
        #"{"slots":4,"queueLimit":2,"grace":"10m","types":{"a":{"priority":1}},"caps":[{"limit":2,"per":"1m"}]}"#,
    ]

    private static let revisions = documents.indices.map { index in Result { try compiled(index) } }

    /// - Parameter index: a place in `documents`.
    static func revision(_ index: Int) throws -> PolicyRevision { try revisions[index].get() }

    private static func compiled(_ index: Int) throws -> PolicyRevision {
        let document = PolicyDocument(text: Array(documents[index].utf8), file: "policy \(index)", hasLines: false)
        return PolicyRevision(
            try SimulatedPolicies().read(document, zones: EveryZone()).policy, source: "policy \(index)")
    }

    static func slots(_ index: Int) throws -> Int { try revision(index).policy.policy.slots }

    func read(
        _ document: PolicyDocument, zones: any ZoneSource
    ) throws(PolicyDocumentFaults) -> (policy: CompiledPolicy, warnings: [DocumentProblem]) {
        do throws(ConfigurationFaults) {
            let policy = try PolicyReader.read(
                text: document.text, file: "policy", orders: [SoonestOrder.name], zones: zones)
            let rules: [any RuleSource] = [QuietHoursSource(), FrequencyCaps()]
            return (CompiledPolicy(policy, order: SoonestOrder(), rules: rules), [])
        } catch {
            throw PolicyDocumentFaults([DocumentProblem(path: "", message: "\(error)")])
        }
    }
}

/// A tz database in which every zone is UTC.
struct EveryZone: ZoneSource {
    var release: String? { nil }
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
}
