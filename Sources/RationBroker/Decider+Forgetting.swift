import RationModel
import RationPlanner
import RationStore
import RationWire

/// Forgetting a recipient (store.md, "Bounds"): it is removed, every record is written, so that no batch is needed that names
/// it, and then it goes itself.
extension Decider {
    /// Removes a recipient, if there is one, in a batch of its own that also notes that it is to be forgotten. Nothing may be under
    /// way to the store.
    mutating func beginForgetting(_ recipient: DevicesRequest.Recipient, clock: Instant) -> Decided {
        core.batch = lastBatch + 1
        let key = recipient.key
        var batch = IntentBatch()
        if key.withUnsafeBytes({ core.isKnown($0) }) { batch.remove(recipient) }
        core.decide(batch, clock: clock, wakeLimit: 0, into: &decision)
        var commit = nextCommit()
        commit.intents = IntentsRow.pack([], batch)
        commit.contents = batch.bytes.bytes
        commit.forgottenKey = key
        return finished(commit)
    }

    /// Lets go of recipients, once all records are written; those stay that have come anew since.
    mutating func endForgetting(_ keys: [[UInt8]], clock: Instant) -> Decided {
        precondition(!hasUnwrittenRecords, "\(core.changedRecipients) records are not written yet")
        let gone = keys.filter { $0.withUnsafeBytes { core.forget($0) } }
        var decided = records(clock: clock)
        decided.commit?.records += gone.map { StoredRecord(key: $0, bytes: []) }
        return decided
    }

    /// The contents in blocks of hours that anything pending names.
    func namedContents() -> [Erasure.Named] {
        var named: [Erasure.Named] = []
        core.forEachContent { _, position, count, _ in
            if position.hour != nil { named.append(Erasure.Named(position, count: count)) }
        }
        return named
    }
}

extension DevicesRequest.Recipient {
    /// `app NUL device`, as the core and the store name it.
    var key: [UInt8] { Array(app.utf8) + [0] + Array(device.utf8) }
}

extension IntentBatch {
    fileprivate mutating func remove(_ recipient: DevicesRequest.Recipient) {
        var intent = Intent(operation: .remove)
        intent.app = bytes.append(recipient.app)
        intent.device = bytes.append(recipient.device)
        intents.append(intent)
    }
}
