public import RationModel

/// A change of what recipients are planned under or intents are held against, as the store keeps it (store.md: "each is a
/// logged revision").
///
/// Batches up to `batch` were decided before it, later ones under it.
public struct StoredRevision: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case policy, zones, categories
    }

    public var kind: Kind
    /// From 1, one more than the last of its kind.
    public var number: UInt64
    /// When it was taken up.
    public var at: Instant
    /// The last event before it; 0 for none.
    public var sequence: UInt64
    /// The last batch before it; 0 for none.
    public var batch: UInt64
    /// For people: of a policy and of categories the file's name, of a tz database its release.
    public var source: String
    /// What equal revisions have equal: of a policy and of categories the document as JSON, of a tz database
    /// its fingerprint.
    public var document: [UInt8]

    public init(
        kind: Kind, number: UInt64, at: Instant, sequence: UInt64, batch: UInt64, source: String, document: [UInt8]
    ) {
        self.kind = kind
        self.number = number
        self.at = at
        self.sequence = sequence
        self.batch = batch
        self.source = source
        self.document = document
    }
}
