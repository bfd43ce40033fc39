public import RationModel
public import RationPlanner

public import RationWire
import Synchronization

/// A policy that a broker may take up.
public struct PolicyRevision: Sendable {
    public var policy: CompiledPolicy
    /// Where it comes from, for people: a file's name.
    public var source: String
    /// Whether somebody has chosen it; if not, one that the store has kept stays in force at a start.
    public var isNamed: Bool
    /// What the log of revisions keeps of it.
    let document: [UInt8]

    public init(_ policy: CompiledPolicy, source: String, isNamed: Bool = true) {
        self.policy = policy
        self.source = source
        self.isNamed = isNamed
        document = policy.policy.document
    }
}

/// A tz database that a broker may take up.
public struct ZonesRevision: Sendable {
    public var zones: any ZoneSource
    /// For people.
    public var release: String
    /// Differs from that of every other database.
    public var fingerprint: String

    /// - Parameters:
    ///   - release: such as `2025b`.
    ///   - fingerprint: a database whose fingerprint is the one in force is not taken up again.
    public init(_ zones: any ZoneSource, release: String, fingerprint: String) {
        self.zones = zones
        self.release = release
        self.fingerprint = fingerprint
    }
}

/// Categories that a broker may take up.
public struct CategoriesRevision: Sendable {
    public var declarations: CategoryDeclarations
    /// Where they come from, for people: a file's name.
    public var source: String
    /// What the log of revisions keeps of them.
    let document: [UInt8]

    public init(_ declarations: CategoryDeclarations, source: String) {
        self.declarations = declarations
        self.source = source
        document = declarations.document
    }

    /// No app has declared anything.
    public static let none = CategoriesRevision(CategoryDeclarations(), source: "no file")
}

/// Makes policies of the documents that come over the admin endpoint: knows their languages, and which orders and rules
/// are installed.
public protocol PolicyReading: Sendable {
    /// - Parameter zones: the tz database in force.
    /// - Throws: all faults of the document.
    func read(
        _ document: PolicyDocument, zones: any ZoneSource
    ) throws(PolicyDocumentFaults) -> (policy: CompiledPolicy, warnings: [DocumentProblem])
}

/// All faults of a policy's document; at least one.
public struct PolicyDocumentFaults: Error, Hashable, Sendable {
    public var faults: [DocumentProblem]

    public init(_ faults: [DocumentProblem]) {
        self.faults = faults
    }
}

/// What the deciding thread is asked to take up between two batches: a policy, a tz database, categories, or several.
struct RevisionProposal: Sendable {
    /// Who put it, when that was a request to the admin endpoint.
    struct Request: Sendable {
        var address: ReplyAddress
        var numberFrame: [UInt8]
        /// Told with the answer.
        var warnings: [DocumentProblem]
        /// The revision of the tz database that the policy was validated with.
        var zones: UInt64
    }

    var policy: PolicyRevision?
    var zones: ZonesRevision?
    var categories: CategoriesRevision?
    var request: Request?
}

/// The tz database in force: replaced by the deciding thread, looked at by the one that validates policies.
final class ZonesInForce: Sendable {
    struct Content: Sendable {
        var zones: any ZoneSource
        var number: UInt64
    }

    private let content: Mutex<Content>

    init(_ zones: any ZoneSource) {
        content = Mutex(Content(zones: zones, number: 0))
    }

    var current: Content { content.withLock { $0 } }

    func replace(by zones: any ZoneSource, number: UInt64) {
        content.withLock { $0 = Content(zones: zones, number: number) }
    }
}
