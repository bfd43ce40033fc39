import RationModel
import RationPlanner
import RationStore
import RationWire

/// Starting from what the store has kept: its outcomes are applied, nothing is decided again (store.md, "Starting").
extension Decider {
    /// Makes the core's state again, and then takes up what is new to start under; or begins a new log.
    /// - Parameter policies: reads the policies that the store has kept.
    /// - Throws: what tells that the store's state cannot be read or used; what the store throws.
    mutating func start(
        _ policy: PolicyRevision, _ zones: ZonesRevision, _ categories: CategoriesRevision = .none,
        policies: any PolicyReading, clock: Instant
    ) throws {
        guard let stored = store.revisions(of: .policy).last else {
            try begin(policy, zones, categories, clock: clock)
            return
        }
        let kept = KeptCore(kept: store, policies: policies, zones: zones.zones, seed: seed)
        let inForce = try kept.compiled(stored)
        let isOtherDatabase = store.revisions(of: .zones).last?.document != Array(zones.fingerprint.utf8)
        core = try kept.made(inForce)
        (self.policy, self.zones) = (inForce, zones.zones)
        _ = try takeUp(
            RevisionProposal(policy: policy.isNamed ? policy : nil, zones: zones, categories: categories), clock: clock,
            everyZoneChanged: isOtherDatabase)
        countRevisions()
        counters.replanBacklog = core.replanBacklog
        counters.recipients = core.recipientCount
        self.categories = categories.declarations
    }

    /// The number of what is in force, as recipients keep it.
    var revisionNumber: UInt32 { KeptCore.revisionNumber(store) }
}
