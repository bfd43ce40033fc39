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
    public mutating func adopt(_ revision: Revision) {
        planner.adopt(revision.policy, zones: revision.zones)
        replanBacklog = table.count
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
            if table.recipient(replanRow).pointee.revision != planner.revision { _ = enter(replanRow) }
            replanRow += 1
        }
        decideTouched(nothing, UnsafeRawBufferPointer.none, &decision)
    }
}
