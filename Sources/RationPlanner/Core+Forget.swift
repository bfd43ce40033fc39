import RationModel

/// Letting go of a recipient for good (store.md, "Bounds").
extension Core {
    /// Whether there is such a recipient, whatever it has.
    public func isKnown(_ key: UnsafeRawBufferPointer) -> Bool { table.row(key, hash: table.hash(key)) != nil }

    /// Lets go of a recipient that has neither settings nor anything pending, as after a `remove`; what it remembers goes with
    /// it. A device of that name is a new one from then on.
    ///
    /// What the last batches have changed of it must have been taken (``takeRecords(bytes:_:)``): nothing tells of it any more.
    /// - Parameter key: `app NUL device`.
    /// - Returns: whether it was there, and has gone.
    public mutating func forget(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let row = table.row(key, hash: table.hash(key)) else { return false }
        let recipient = table.recipient(row)
        guard recipient.pointee.settings == nil, recipient.pointee.pending.isEmpty else { return false }
        letGo(row)
        return true
    }

    /// Removes a recipient whose record is written.
    mutating func letGo(_ row: Int) {
        let recipient = table.recipient(row)
        precondition(!recipient.pointee.isChanged, "a recipient whose record is not written is forgotten")
        if recipient.pointee.revision != planner.revision {
            replanBacklog -= 1
            if replanBacklog == 0 { planner.forgetEarlierPolicies() }
        }
        wakes.set(UInt32(truncatingIfNeeded: row), to: .distantFuture)
        table.remove(row)
    }
}
