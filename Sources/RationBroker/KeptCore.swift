import RationModel
import RationPlanner
import RationStore
import RationWire

/// Makes a core of what a store has kept: outcomes are applied, nothing is decided again (store.md, "Starting").
struct KeptCore {
    let kept: any KeptState
    let policies: any PolicyReading
    let zones: any ZoneSource
    let seed: UInt64

    /// The number of what is in force, as recipients keep it: how many policies and tz databases have been taken up.
    static func revisionNumber(_ kept: any KeptState) -> UInt32 {
        let (policies, zones) = (kept.revisions(of: .policy).last?.number, kept.revisions(of: .zones).last?.number)
        return UInt32(truncatingIfNeeded: (policies ?? 0) + (zones ?? 0))
    }

    /// A core without recipients, under what is in force.
    func empty(_ policy: CompiledPolicy) -> Core {
        Core(
            policy: policy, zones: zones, seed: seed, revision: Self.revisionNumber(kept), isJournaling: true)
    }

    /// - Parameters:
    ///   - policy: the one in force.
    ///   - beforeBatch: told each batch before its outcomes are applied, with the state before it.
    /// - Throws: what tells that the state cannot be read; what the store throws.
    func made(
        _ policy: CompiledPolicy,
        beforeBatch: (
            _ core: inout Core, _ batch: UInt64, _ now: Instant, _ outcomes: UnsafeRawBufferPointer
        ) throws -> Void = { _, _, _, _ in }
    ) throws -> Core {
        var core = empty(policy)
        try kept.recover(
            record: { key, batch, bytes in
                do throws(StateFault) {
                    try core.restore(record: bytes, batch: batch)
                } catch {
                    throw StateError("the record of \(Self.name(key)) cannot be read: \(error)")
                }
            },
            outcomes: { batch, now, bytes in
                try beforeBatch(&core, batch, now, bytes)
                do throws(StateFault) {
                    try core.apply(changes: bytes, ofBatch: batch, at: now)
                } catch {
                    throw StateError("the outcomes of batch \(batch) cannot be applied: \(error)")
                }
            })
        var earlier: [UInt32: CompiledPolicy] = [:]
        for number in core.earlierRevisions(than: core.revision) {
            earlier[number] = try policyRevision(of: number).map(compiled)
        }
        core.finishRestoring(earlier: earlier, now: kept.lastNow)
        return core
    }

    /// The policy of a revision.
    func compiled(_ revision: StoredRevision) throws(StateError) -> CompiledPolicy {
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

    /// The policy that was in force under such a number; the oldest that is kept for one before all of them.
    private func policyRevision(of number: UInt32) -> StoredRevision? {
        let (policies, zones) = (kept.revisions(of: .policy), kept.revisions(of: .zones))
        return policies.last { policy in
            // Those that were taken up together were so after the same batch.
            let zone = zones.last { ($0.batch, $0.sequence) <= (policy.batch, policy.sequence) }?.number ?? 0
            return policy.number + zone <= UInt64(number)
        } ?? policies.first
    }

    static func name(_ key: UnsafeRawBufferPointer) -> String {
        String(decoding: key.map { $0 == 0 ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }
}
