import RationModel

/// An `at` that fired or expired: sent again unchanged, it changes nothing (semantics.md section 2, "Unchanged").
struct Remembered: BitwiseCopyable {
    /// The trigger's date as it was written.
    var trigger: Instant
    var endedAt: Instant
    var id: ByteRange
    var idHash: UInt16
}

/// One that has fired: it counts for caps (semantics.md section 3, "Caps").
struct Fired: BitwiseCopyable {
    /// The instant of its `due`.
    var date: Instant
    /// As `RuledNotification.thread`.
    var thread: UInt64
    var id: ByteRange
    /// Its type's name as the intent gave it, for one that the policy does not name; else empty.
    var type: ByteRange
    var typeIndex: TypeIndex
    var level: InterruptionLevel
}

extension Recipient {
    /// What a rule may know of one that has fired; valid until the bytes change.
    func ruled(_ fired: Fired) -> RuledNotification {
        RuledNotification(
            type: fired.typeIndex, ownType: bytes.view(fired.type), level: fired.level, thread: fired.thread)
    }

    /// What a rule may know of one that is pending; valid until the bytes change.
    @inline(__always)
    func ruled(_ notification: PendingNotification, _ record: Record) -> RuledNotification {
        let (ownType, content) = (bytes.view(record.type), bytes.view(record.content))
        if hasStoredContents, !content.isEmpty {
            return RuledNotification(
                type: notification.typeIndex, ownType: ownType, level: notification.level,
                thread: StoredContent(content).thread)
        }
        return RuledNotification(
            type: notification.typeIndex, ownType: ownType, level: notification.level, content: content)
    }

    /// Whether an `at` with that id and date fired or expired here and is still remembered.
    func remembers(id: UnsafeRawBufferPointer, hash: UInt16, trigger: Instant, now: Instant) -> Bool {
        remembered.elements.contains { entry in
            entry.trigger == trigger && entry.idHash == hash
                && now.milliseconds - entry.endedAt.milliseconds < Limits.rememberedMilliseconds
                && bytes.view(entry.id).isSame(as: id)
        }
    }

    /// Remembers one that has ended, and forgets what is too old or too much.
    /// - Parameters:
    ///   - id: stays in use.
    ///   - trigger: its date as it was written.
    mutating func remember(_ id: ByteRange, hash: UInt16, trigger: Instant, now: Instant) {
        unusedBytes -= id.count
        let oldest = now.advanced(by: -Limits.rememberedMilliseconds)
        var forgotten = max(0, remembered.count + 1 - Limits.rememberedCount)
        while forgotten < remembered.count, remembered[forgotten].endedAt <= oldest { forgotten += 1 }
        for entry in remembered.elements[..<forgotten] { unusedBytes += entry.id.count }
        remembered.removeFirst(forgotten)
        remembered.append(Remembered(trigger: trigger, endedAt: now, id: id, idHash: hash))
    }

    /// Adds what has fired to the history.
    /// - Parameter reach: milliseconds for which it matters.
    /// - Returns: whether entries other than the oldest were forgotten.
    mutating func join(_ notification: PendingNotification, _ record: Record, now: Instant, reach: Int64) -> Bool {
        let thread = ruled(notification, record).thread
        let isNamed = notification.typeIndex != PolicyTypes.unnamed
        bytes.reserve(Int(record.id.count + record.type.count))
        let id = bytes.append(bytes.view(record.id))
        let type = isNamed ? ByteRange.empty : bytes.append(bytes.view(record.type))
        let isThinned = forgetHistory(until: now.advanced(by: -reach))
        history.append(
            Fired(
                date: now, thread: thread, id: id, type: type, typeIndex: notification.typeIndex,
                level: notification.level))
        return isThinned
    }

    private mutating func forgetHistory(until oldest: Instant) -> Bool {
        var forgotten = 0
        while forgotten < history.count, history[forgotten].date <= oldest { forgotten += 1 }
        if history.count - forgotten >= Limits.historyCount {
            forgetCrowdedOut()
            return true
        }
        for entry in history.elements[..<forgotten] { unusedBytes += entry.id.count + entry.type.count }
        history.removeFirst(forgotten)
        return false
    }

    /// Keeps of each type the last as many as the largest limit of a cap: a cap that counts one counts those after it.
    private mutating func forgetCrowdedOut() {
        var newer: [TypeIndex: Int] = [:]
        var kept = history.count
        for index in history.indices.reversed() {
            let entry = history[index]
            let count = newer[entry.typeIndex, default: 0]
            newer[entry.typeIndex] = count + 1
            if count < Limits.capLimit.upperBound {
                kept -= 1
                history[kept] = entry
            } else {
                unusedBytes += entry.id.count + entry.type.count
            }
        }
        history.removeFirst(kept)
    }
}
