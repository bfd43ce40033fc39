public import RationModel

/// A point in the history of one device's plan, as phones carry it: the event log's name, when this history began, and the
/// event that the plan has seen.
public struct PlanRevision: Hashable, Sendable {
    public var log: String
    public var birth: Int64
    public var number: UInt64

    public init(log: String, birth: Int64, number: UInt64) {
        (self.log, self.birth, self.number) = (log, birth, number)
    }

    /// Whether two are of one history.
    func isComparable(to other: PlanRevision) -> Bool {
        birth == other.birth && log.utf8.elementsEqual(other.log.utf8)
    }

    /// Bytes of one as text.
    public static let textBytes = 128

    /// - Parameter text: `LOG.BIRTH.NUMBER`.
    /// - Returns: nil for what is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.textBytes, parts.count == 3, !parts[0].isEmpty,
            parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let birth = Int64(parts[1]), let number = UInt64(parts[2])
        else { return nil }
        self.init(log: String(parts[0]), birth: birth, number: number)
    }

    public var text: String { "\(log).\(birth).\(number)" }
}

/// What a phone has to do to have the plan of a revision.
public struct PlanDifference: Hashable, Sendable {
    public var revision: PlanRevision
    /// Whether the phone first removes all that it has of Ration, since its own revision is not known (any more).
    public var isWhole: Bool
    /// Ids that the phone removes, before it adds anything.
    public var remove: [String]
    /// What it adds then, the soonest first; one with an id that it has replaces it.
    public var add: [PhoneNotification]

    public init(revision: PlanRevision, isWhole: Bool, remove: [String], add: [PhoneNotification]) {
        (self.revision, self.isWhole, self.remove, self.add) = (revision, isWhole, remove, add)
    }

    /// Whether the phone has the plan already.
    public var isEmpty: Bool { !isWhole && remove.isEmpty && add.isEmpty }
}

extension PhonePlan {
    public var current: PlanRevision { PlanRevision(log: log, birth: birth, number: revision) }

    public var hasNotifications: Bool { entries.contains { $0.notification != nil } }

    /// What a phone has to do.
    /// - Parameters:
    ///   - since: what it has; nil for nothing.
    ///   - now: what should have been shown long before it is left out.
    public func difference(since: PlanRevision?, now: Instant) -> PlanDifference {
        let current = current
        let known = since.flatMap { since in
            since.isComparable(to: current) && (floor...revision).contains(since.number) ? since.number : nil
        }
        let changed = entries.filter { entry in
            known.map { entry.revision > $0 } ?? (entry.notification != nil)
        }
        return PlanDifference(
            revision: current, isWhole: known == nil,
            remove: changed.filter { $0.notification == nil }.map(\.id),
            add: changed.filter { $0.isStillShown(now) }.compactMap(\.notification).sorted { left, right in
                left.fireDate != right.fireDate
                    ? left.fireDate < right.fireDate : left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
            })
    }
}

/// When a phone is told by a push that there is something for it.
extension PhonePlan {
    /// Pushes that wake an app have a budget: Apple lets two or three an hour through ("Pushing background updates to your
    /// App").
    public static let pushMilliseconds: Int64 = 20 * 60_000

    /// When a push is to be sent: at once if the phone's next date is a wrong one, else not before 20 minutes after the last.
    /// - Parameter now: dates before it are past.
    /// - Returns: nil if there is nothing to tell.
    public func pushDate(_ now: Instant) -> Instant? {
        guard revision > told else { return nil }
        let rested = max(now, pushed == .distantPast ? now : pushed.advanced(by: Self.pushMilliseconds))
        let wrong = entries.lazy.filter { $0.revision > told }.compactMap { $0.nextWrongDate(now) }.min()
        let next = entries.lazy.compactMap { $0.notification?.fireDate }.filter { $0 > now }.min()
        let isUrgent = wrong.map { $0 <= next ?? .distantFuture } ?? false
        return max(notBefore, isUrgent ? now : rested)
    }
}

extension PhonePlan.Entry {
    /// When a phone that has not heard of its last change next shows something that it should not, or nothing where it should.
    fileprivate func nextWrongDate(_ now: Instant) -> Instant? {
        guard wrongFrom < .distantFuture else { return nil }
        // The phone should have shown it already.
        if let date, date <= now { return isStillShown(now) ? now : nil }
        return [wrongFrom, notification?.fireDate ?? .distantFuture].filter { $0 > now && $0 < .distantFuture }.min()
    }
}
