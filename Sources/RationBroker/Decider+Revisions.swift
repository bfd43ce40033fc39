import RationModel
import RationPlanner
import RationStore

/// Policies, tz databases and categories are taken up between batches: logged first, then in force for every batch that
/// follows.
extension Decider {
    /// Begins a new log: what it starts under comes first.
    mutating func begin(
        _ policy: PolicyRevision, _ zones: ZonesRevision, _ categories: CategoriesRevision, clock: Instant
    ) throws {
        _ = try log(policy, clock)
        _ = try log(zones, clock)
        _ = try log(categories, clock)
        core = Core(
            policy: policy.policy, zones: zones.zones, seed: seed, revision: revisionNumber, isJournaling: true)
        (self.policy, self.zones) = (policy.policy, zones.zones)
        self.categories = categories.declarations
    }

    /// Shows the numbers of the revisions in force.
    mutating func countRevisions() {
        counters.policyRevision = lastNumber(of: .policy)
        counters.zonesRevision = lastNumber(of: .zones)
        counters.categoriesRevision = lastNumber(of: .categories)
    }

    /// Takes up a policy, a tz database, categories, or several of these, while no batch is under way to the store. One that
    /// equals the one in force is passed over.
    /// - Parameters:
    ///   - clock: the wall clock.
    ///   - everyZoneChanged: whether all zones count as changed, as it is not known what they were.
    /// - Returns: what was logged; empty when nothing was new.
    /// - Throws: what the store throws; then the process has to end.
    mutating func takeUp(
        _ proposal: RevisionProposal, clock: Instant, everyZoneChanged: Bool = false
    ) throws -> [StoredRevision] {
        var logged: [StoredRevision] = []
        if let zones = proposal.zones, let stored = try log(zones, clock) {
            logged.append(stored)
            self.zones = zones.zones
        }
        if let policy = proposal.policy, let stored = try log(policy, clock) {
            logged.append(stored)
            self.policy = policy.policy
        }
        if !logged.isEmpty {
            core.adopt(
                Revision(policy: policy, zones: zones), number: revisionNumber, everyZoneChanged: everyZoneChanged)
        }
        counters.replanBacklog = core.replanBacklog
        // What is pending stays as it is: only intents that come are held against categories.
        if let categories = proposal.categories, let stored = try log(categories, clock) {
            logged.append(stored)
            self.categories = categories.declarations
        }
        return logged
    }

    private mutating func log(_ policy: PolicyRevision, _ clock: Instant) throws -> StoredRevision? {
        let stored = try log(.policy, source: policy.source, document: policy.document, clock)
        counters.policyRevision = lastNumber(of: .policy)
        return stored
    }

    private mutating func log(_ zones: ZonesRevision, _ clock: Instant) throws -> StoredRevision? {
        let stored = try log(.zones, source: zones.release, document: Array(zones.fingerprint.utf8), clock)
        counters.zonesRevision = lastNumber(of: .zones)
        return stored
    }

    /// No categories at all are no revision, unless there were some before.
    private mutating func log(_ categories: CategoriesRevision, _ clock: Instant) throws -> StoredRevision? {
        guard !categories.declarations.isEmpty || lastNumber(of: .categories) > 0 else { return nil }
        let stored = try log(.categories, source: categories.source, document: categories.document, clock)
        counters.categoriesRevision = lastNumber(of: .categories)
        return stored
    }

    private func lastNumber(of kind: StoredRevision.Kind) -> UInt64 {
        store.revisions(of: kind).last?.number ?? 0
    }

    /// - Returns: nil when the last revision is the same.
    private func log(
        _ kind: StoredRevision.Kind, source: String, document: [UInt8], _ clock: Instant
    ) throws -> StoredRevision? {
        let last = store.revisions(of: kind).last
        guard document != last?.document else { return nil }
        precondition(store.lastBatch == lastBatch, "batch \(lastBatch) is not committed yet")
        let revision = StoredRevision(
            kind: kind, number: (last?.number ?? 0) + 1, at: max(core.now, clock), sequence: store.range.last,
            batch: store.lastBatch, source: source, document: document)
        try store.commit(revision)
        return revision
    }

    /// How many recipients are still planned under an earlier revision.
    var replanBacklog: Int { core.replanBacklog }

    /// Replans some of them, as a batch of its own.
    mutating func replan(atMost limit: Int, clock: Instant) -> Decided {
        core.batch = lastBatch + 1
        core.replan(atMost: limit, clock: clock, into: &decision)
        return decided(nil)
    }
}
