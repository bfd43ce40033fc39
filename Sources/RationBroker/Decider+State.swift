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
        let inForce = try compiled(stored, policies, zones.zones)
        let isOtherDatabase = store.revisions(of: .zones).last?.document != Array(zones.fingerprint.utf8)
        try restore(inForce, zones.zones, policies)
        _ = try takeUp(
            RevisionProposal(policy: policy.isNamed ? policy : nil, zones: zones, categories: categories), clock: clock,
            everyZoneChanged: isOtherDatabase)
        countRevisions()
        counters.replanBacklog = core.replanBacklog
        counters.recipients = core.recipientCount
        self.categories = categories.declarations
    }

    /// The policy of a revision.
    private func compiled(
        _ revision: StoredRevision, _ policies: any PolicyReading, _ zones: any ZoneSource
    ) throws(StateError) -> CompiledPolicy {
        let document = PolicyDocument(text: revision.document, file: revision.source, hasLines: false)
        do throws(PolicyDocumentFaults) {
            return try policies.read(document, zones: zones).policy
        } catch {
            let faults = error.faults.map { "\($0.path): \($0.message)" }.joined(separator: "; ")
            throw StateError(
                "policy revision \(revision.number), under which the data folder's recipients are planned, cannot be used "
                    + "any more: \(faults)")
        }
    }

    private mutating func restore(
        _ policy: CompiledPolicy, _ zones: any ZoneSource, _ policies: any PolicyReading
    ) throws {
        let revision = revisionNumber
        var core = Core(policy: policy, zones: zones, seed: seed, revision: revision, isJournaling: true)
        // By key: the batch up to which a record is true, of those that later rows may touch.
        var records: [[UInt8]: UInt64] = [:]
        try store.recover(
            record: { key, batch, bytes in
                do throws(StateFault) {
                    try core.restore(record: bytes)
                } catch {
                    throw StateError("the record of \(Self.name(key)) cannot be read: \(error)")
                }
                records[Array(key)] = batch
            },
            outcomes: { batch, now, bytes in
                try Self.apply(bytes, ofBatch: batch, at: now, records, to: &core)
            })
        var earlier: [UInt32: CompiledPolicy] = [:]
        for number in core.earlierRevisions(than: revision) {
            earlier[number] = try policyRevision(of: number).map { try compiled($0, policies, zones) }
        }
        core.finishRestoring(earlier: earlier, now: store.lastNow)
        self.core = core
        self.policy = policy
        self.zones = zones
    }

    private static func apply(
        _ row: UnsafeRawBufferPointer, ofBatch batch: UInt64, at now: Instant, _ records: [[UInt8]: UInt64],
        to core: inout Core
    ) throws {
        do throws(StateFault) {
            try core.apply(changes: row, ofBatch: batch, at: now) { key in
                records[Array(key)].map { $0 >= batch } ?? false
            }
        } catch {
            throw StateError("the outcomes of batch \(batch) cannot be applied: \(error)")
        }
    }

    private static func name(_ key: UnsafeRawBufferPointer) -> String {
        String(decoding: key.map { $0 == 0 ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }

    /// The number of what is in force, as recipients keep it: how many policies and tz databases have been taken up.
    var revisionNumber: UInt32 {
        let (policies, zones) = (store.revisions(of: .policy).last?.number, store.revisions(of: .zones).last?.number)
        return UInt32(truncatingIfNeeded: (policies ?? 0) + (zones ?? 0))
    }

    /// The policy that was in force under such a number; the oldest that is kept for one before all of them.
    private func policyRevision(of number: UInt32) -> StoredRevision? {
        let (policies, zones) = (store.revisions(of: .policy), store.revisions(of: .zones))
        return policies.last { policy in
            // Those that were taken up together were so after the same batch.
            let zone = zones.last { ($0.batch, $0.sequence) <= (policy.batch, policy.sequence) }?.number ?? 0
            return policy.number + zone <= UInt64(number)
        } ?? policies.first
    }
}
