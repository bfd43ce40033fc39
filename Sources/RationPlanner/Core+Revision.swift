public import RationModel

/// A change of what all recipients are planned under: a policy, or a tz database.
public struct Revision: Sendable {
    public var policy: CompiledPolicy
    public var zones: any ZoneSource

    public init(policy: CompiledPolicy, zones: any ZoneSource) {
        self.policy = policy
        self.zones = zones
    }
}

extension Core {
    /// Takes up another policy or tz database. From now on a recipient is planned under it when a batch touches it;
    /// `replan` touches those that no batch does.
    /// - Parameters:
    ///   - number: the revision's, above that of the one in force; nil: one more.
    ///   - everyZoneChanged: whether all zones count as changed, as it is not known what they were.
    public mutating func adopt(_ revision: Revision, number: UInt32? = nil, everyZoneChanged: Bool = false) {
        planner.adopt(revision.policy, zones: revision.zones, number: number ?? planner.revision + 1)
        if everyZoneChanged { planner.zones.markChanged(revision: planner.revision) }
        replanBacklog = table.known
        replanRow = 0
        if replanBacklog == 0 { planner.forgetEarlierPolicies() }
    }

    /// Replans some of the recipients that are still planned under an earlier revision, as a batch of its own. What
    /// changes by it carries the cause `policy`.
    /// - Parameters:
    ///   - limit: how many recipients.
    ///   - decision: overwritten; its memory is used again.
    public mutating func replan(atMost limit: Int, clock: Instant, into decision: inout Decision) {
        let nothing = IntentBatch()
        begin(nothing, clock: clock, &decision)
        while replanRow < table.count, touched.count < limit, replanBacklog > 0 {
            let isStale = table.recipient(replanRow).pointee.revision != planner.revision
            if isStale, !table.isVacant(replanRow) { _ = enter(replanRow) }
            replanRow += 1
        }
        decideTouched(nothing, UnsafeRawBufferPointer.none, &decision)
    }
}
