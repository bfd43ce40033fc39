public import RationModel

/// A notification that is held or queued: 32 bytes beside its record (id, type, content, trigger), which lies in its
/// recipient's bytes.
public struct PendingNotification: Sendable, BitwiseCopyable {
    /// When it will fire, as the last plan of its recipient says.
    public internal(set) var fireDate: Instant
    /// When its service wants it to fire; a date that was late when it came counts as then.
    public internal(set) var requestedDate: Instant
    /// Where its record starts in the recipient's bytes.
    var record: UInt32
    /// The priority of its type under the policy in force.
    public internal(set) var priority: Int32
    /// Its type's place in the policy.
    var typeIndex: TypeIndex
    /// 16 bits of its id's hash, looked at before the id.
    var idHash: UInt16
    /// Its place in the copy made before the batch; `absentBefore` for one that began in it. Meaningful in a batch only.
    var before: UInt16
    var flags: Flags

    static let absentBefore: UInt16 = .max

    /// What is true of it. Two bits hold its level; four are meaningful in a batch only.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt16
        static let held = Flags(rawValue: 1 << 0)
        static let repeating = Flags(rawValue: 1 << 1)
        static let deliverOverdue = Flags(rawValue: 1 << 2)
        /// An `at` trigger: sent again unchanged, it changes nothing.
        static let absolute = Flags(rawValue: 1 << 3)
        static let calendar = Flags(rawValue: 1 << 4)
        /// A calendar trigger without a zone of its own.
        static let floats = Flags(rawValue: 1 << 5)
        static let keepsTime = Flags(rawValue: 1 << 6)
        /// Its record has room for the first fire date that passed without its firing.
        static let hasPassedRoom = Flags(rawValue: 1 << 7)
        /// A rule that looks at fixed dates has moved it from where it would be without.
        static let crowded = Flags(rawValue: 1 << 8)
        /// Replaced in this batch.
        static let replaced = Flags(rawValue: 1 << 11)
        /// Its time began in this batch, so it does not fire in it.
        static let restarted = Flags(rawValue: 1 << 12)
        /// A repeating one that fired or expired in this batch and goes on.
        static let recurred = Flags(rawValue: 1 << 13)
        /// Ended in this batch; swept out before planning.
        static let ended = Flags(rawValue: 1 << 14)

        /// The intent named its type, and the policy names that, too: the record does without it.
        static let ownTypeIsNamed = Flags(rawValue: 1 << 15)

        static let ofBatch: Flags = [.replaced, .restarted, .recurred, .ended]

        static func level(_ level: InterruptionLevel) -> Flags {
            Flags(rawValue: UInt16(level.rawValue) << 9)
        }

        /// What an intent says of its trigger: two notifications of one trigger share it.
        static let ofTrigger: Flags = [.repeating, .absolute, .calendar, .floats]
    }

    @inline(__always)
    func has(_ flag: Flags) -> Bool { flags.rawValue & flag.rawValue != 0 }

    /// Whether it has a slot.
    public var isHeld: Bool { has(.held) }

    var level: InterruptionLevel {
        // Two bits, and there are four levels.
        InterruptionLevel(rawValue: UInt8(truncatingIfNeeded: flags.rawValue >> 9 & 3)) ?? .active
    }

    /// Whether rules bind it: neither repeating ones nor those that keep their time are moved (semantics.md section 3).
    var isBound: Bool { !has([.repeating, .keepsTime]) }
}
