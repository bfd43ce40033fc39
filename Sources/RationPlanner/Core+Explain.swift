import RationModel

extension Core {
    /// Explains one pending notification as of the last batch, by planning a copy of its recipient again with the same code.
    /// One that waits to be planned under a new revision is explained as that plan will be.
    /// - Returns: nil for one that is not pending.
    /// - Complexity: O(log n) plans of the recipient for one of n that waits.
    public mutating func explain(app: String, device: String, id: String) -> Explanation? {
        let key = Array(app.utf8) + [0] + Array(device.utf8)
        let row = key.withUnsafeBytes { table.row($0, hash: table.hash($0)) }
        guard let row else { return nil }
        planner.now = now
        // What is tried here is no batch.
        let (isJournaling, isCounting) = (planner.journal.isOn, planner.contents.isCounting)
        (planner.journal.isOn, planner.contents.isCounting) = (false, false)
        defer { (planner.journal.isOn, planner.contents.isCounting) = (isJournaling, isCounting) }
        var copy = table.recipient(row).pointee.copy()
        if copy.revision != planner.revision {
            var ignored = EventBuffer()
            planner.begin(&copy, events: &ignored)
            planner.finish(&copy, events: &ignored)
        }
        // What is tried here is no decision.
        defer { _ = planner.placer.takeSetAside() }
        return copy.place(ofID: id).map { planner.explain(copy, place: $0) }
    }
}

extension Recipient {
    fileprivate func place(ofID id: String) -> Int? {
        Array(id.utf8).withUnsafeBytes { bytes in
            place(ofID: bytes, hash: UInt16(truncatingIfNeeded: ByteHash.hash(bytes, seed: 0)))
        }
    }

    /// A recipient of the same state.
    func copy() -> Recipient {
        var copy = Recipient(key: key, appCount: app.count, revision: revision)
        copy.isNamed = isNamed
        copy.hasStoredContents = hasStoredContents
        copy.delivery = delivery
        copy.zone = zone
        copy.reserved = reserved
        copy.unusedBytes = unusedBytes
        copy.wake = wake
        copy.pending.assign(pending)
        copy.remembered.assign(remembered)
        copy.history.assign(history)
        copy.bytes.assign(bytes)
        copy.settings = settings
        return copy
    }
}
