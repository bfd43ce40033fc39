public import RationModel

/// A round of looking for recipients that are idle.
struct IdleRound: Sendable {
    var row = 0
    /// The last batch when it began.
    var batch: UInt64 = 0
}

/// Recipients that have nothing left are removed (store.md, "Bounds"): nothing is pending, what has fired and ended is too old
/// to matter, and the device has told no settings, or has unregistered. What is decided later is the same without them.
extension Core {
    /// Looks at some recipients. One that has nothing left is noted in one round and removed in the next, if no batch has
    /// touched it meanwhile and no row that is still needed names it.
    /// - Parameters:
    ///   - limit: how many rows are looked at.
    ///   - now: the wall clock.
    ///   - remove: told the key of each that is removed: its record is to go.
    /// - Returns: whether the round is at its end; the next call begins another.
    public mutating func removeIdle(
        atMost limit: Int, now: Instant, _ remove: (_ key: UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        if idle.row == 0 { idle.batch = batch }
        // No row that a start would apply is of the time before this round: it cannot name one that was idle then.
        let isSettled = idle.batch < firstNeededBatch
        for row in idle.row..<min(idle.row + limit, table.count) where !table.isVacant(row) {
            guard hasNothingLeft(row, now: now) else { continue }
            let recipient = table.recipient(row)
            if recipient.pointee.isIdle, isSettled {
                remove(recipient.pointee.key)
                letGo(row)
            } else {
                recipient.pointee.isIdle = true
            }
        }
        idle.row = idle.row + limit < table.count ? idle.row + limit : 0
        return idle.row == 0
    }

    private func hasNothingLeft(_ row: Int, now: Instant) -> Bool {
        let recipient = table.recipient(row)
        guard !recipient.pointee.isChanged, recipient.pointee.pending.isEmpty, recipient.pointee.settings == nil else {
            return false
        }
        let reach = planner.rules(of: recipient.pointee).reachMilliseconds
        let (fired, ended) = (recipient.pointee.history.elements.last, recipient.pointee.remembered.elements.last)
        return fired.map { now.milliseconds - $0.date.milliseconds > reach } ?? true
            && ended.map { now.milliseconds - $0.endedAt.milliseconds > Limits.rememberedMilliseconds } ?? true
    }
}
