import RationModel

/// A batch's recipients, one after another.
extension Core {
    mutating func decideOne(
        _ entry: Touched, _ batch: IntentBatch, _ source: UnsafeRawBufferPointer, _ decision: inout Decision
    ) {
        let recipient = table.recipient(Int(entry.row))
        let wakeBefore = recipient.pointee.wake
        recipient.pointee.touched = -1
        let told = planner.journal.bytes.count
        if !decideSingle(entry, batch, source, &decision) { decideAll(entry, batch, source, &decision) }
        if planner.journal.bytes.count > told { markChanged(Int(entry.row)) }
        // One that was woken has left the index.
        if wakeBefore <= now || recipient.pointee.wake != wakeBefore {
            wakes.set(entry.row, to: recipient.pointee.wake)
        }
        for path in planner.placer.takeSetAside() {
            decision.setAside.append(Decision.SetAside(rule: path, recipient: table.name(Int(entry.row))))
        }
    }

    /// Decides a recipient's only intent by itself, where that can be.
    private mutating func decideSingle(
        _ entry: Touched, _ batch: IntentBatch, _ source: UnsafeRawBufferPointer, _ decision: inout Decision
    ) -> Bool {
        guard entry.firstIntent >= 0, entry.firstIntent == entry.lastIntent else { return false }
        let index = Int(entry.firstIntent)
        let recipient = table.recipient(Int(entry.row))
        do {
            switch try planner.applySingle(
                batch.intents[index], from: source, to: &recipient.pointee, events: &decision.events)
            {
            case .notApplicable: return false
            case .outcome(let outcome):
                decision.outcomes[index] = outcome
                planner.warnOfCategory(index, of: batch, from: source, recipient.pointee, &decision)
            }
        } catch {
            decision.reject(index, error)
        }
        return true
    }

    /// Decides all of a recipient's intents, and plans it from its requested dates.
    private mutating func decideAll(
        _ entry: Touched, _ batch: IntentBatch, _ source: UnsafeRawBufferPointer, _ decision: inout Decision
    ) {
        let recipient = table.recipient(Int(entry.row))
        let isStale = recipient.pointee.revision != planner.revision
        let isNamed = recipient.pointee.isNamed
        let told = planner.journal.bytes.count
        planner.begin(&recipient.pointee, events: &decision.events)
        if isStale {
            replanBacklog -= 1
            if replanBacklog == 0 { planner.forgetEarlierPolicies() }
        }
        var index = Int(entry.firstIntent)
        while index >= 0 {
            planner.apply(index, of: batch, from: source, to: &recipient.pointee, &decision)
            index = Int(nextIntent[index])
        }
        planner.finish(&recipient.pointee, events: &decision.events)
        let isTold = planner.journal.bytes.count > told
        if !isTold, recipient.pointee.isNamed != isNamed || planner.journal.namesSettings {
            planner.journalNamed(recipient.pointee)
        }
        index = Int(entry.firstIntent)
        while index >= 0 {
            if decision.outcomes[index] == .held {
                let id = source.view(batch.intents[index].id)
                decision.outcomes[index] = planner.outcome(ofID: id, recipient.pointee, decision.events)
            }
            index = Int(nextIntent[index])
        }
    }
}
