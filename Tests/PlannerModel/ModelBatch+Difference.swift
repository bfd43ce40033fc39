/// Section 5.4. Cancelled, fired and removed ones have been told where that happened.
extension ModelBatch {
    mutating func tellDifference() {
        for after in recipient.pending {
            if let event = event(from: wasPending(after.id), to: after) { events.append(event) }
        }
        events.sort(by: ModelEvent.published)
    }

    private func event(from before: ModelNotification?, to after: ModelNotification) -> ModelEvent? {
        guard let before else {
            return ModelEvent(kind: after.isHeld ? .accepted : .queued, notification: after, cause: "new")
        }
        if before.isHeld && !after.isHeld {
            return ModelEvent(kind: .evicted, notification: after, reason: "slots", isFinal: false)
        }
        guard let cause = cause(from: before, to: after) else { return nil }
        return ModelEvent(kind: after.isHeld ? .accepted : .queued, notification: after, cause: cause)
    }

    private func cause(from before: ModelNotification, to after: ModelNotification) -> String? {
        if isReplaced(before, by: after) { return "replaced" }
        if recurred.contains(after.id) { return "recurring" }
        if after.isHeld && !before.isHeld { return "promoted" }
        if before.fireDate == after.fireDate { return nil }
        let bothWait = !after.isHeld && before.fireDate <= now && after.fireDate <= now
        return bothWait ? nil : "moved"
    }

    /// What ends as it was is not replaced; `after` and `every` start anew, from another instant.
    private func isReplaced(_ before: ModelNotification, by after: ModelNotification) -> Bool {
        guard scheduled.contains(after.id) else { return false }
        var old = before.wish
        // An interval counts from the intent's own instant: what is left of it is the date.
        if case .after = old.trigger, case .after = after.wish.trigger { old.trigger = after.wish.trigger }
        if old != after.wish { return true }
        // "What … ends as it was, makes no event": of an `at` only what the service said counts, not its dates.
        return after.wish.at == nil
            && (after.requestedDate != before.requestedDate || after.fireDate != before.fireDate)
    }
}
