internal import RationModel
internal import RationRocksDB

/// What a start reads into memory.
extension StoreOpening {
    func segments() throws(StoreError) -> [EventSegment] {
        var segments: [EventSegment] = []
        try readAll(.state, prefix: StateKey.segment) { _, value in
            guard let segment = EventSegment(value) else { return false }
            segments.append(segment)
            return true
        }
        return segments
    }

    func publishers() throws(StoreError) -> PublisherTable {
        var table = PublisherTable()
        try readAll(.publishers, prefix: []) { key, value in
            guard let publisher = PublisherTable.Publisher(value), let name = PublisherName(key) else { return false }
            table.add(publisher, name)
            return true
        }
        return table
    }

    func revisions() throws(StoreError) -> [StoredRevision] {
        var revisions: [StoredRevision] = []
        for kind in StoredRevision.Kind.allCases { revisions += try self.revisions(kind) }
        return revisions
    }

    func forgettings() throws(StoreError) -> [Forgetting] {
        var forgettings: [Forgetting] = []
        try readAll(.state, prefix: StateKey.forgetting) { _, value in
            guard let forgetting = Forgetting(value) else { return false }
            forgettings.append(forgetting)
            return true
        }
        return forgettings
    }

    private func revisions(_ kind: StoredRevision.Kind) throws(StoreError) -> [StoredRevision] {
        var revisions: [StoredRevision] = []
        try readAll(.state, prefix: StateKey.revisions(kind)) { _, value in
            guard let revision = StoredRevision(value, kind: kind) else { return false }
            revisions.append(revision)
            return true
        }
        return revisions
    }

    /// Lends the body of each value whose key begins with a prefix.
    /// - Parameter body: says whether it could read it.
    private func readAll(
        _ family: StoreFamily, prefix: [UInt8],
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool
    ) throws(StoreError) {
        var rows = database.iterator(family.rawValue)
        var isOnRow = try rocks { () throws(RocksError) in try rows.seek(prefix) }
        while isOnRow, rows.key.starts(with: prefix) {
            guard let value = SealedValue(rows.value, key: rows.key), body(rows.key, value.body) else {
                throw damaged(
                    "the row of \(family) with the key '\(String(decoding: rows.key, as: UTF8.self))' "
                        + "is not what was committed")
            }
            isOnRow = try rocks { () throws(RocksError) in try rows.next() }
        }
    }

    /// Sees that the log of events ends with the row that the last link names.
    func checkEvents(_ link: BatchLink, _ segments: [EventSegment]) throws(StoreError) {
        guard link.lastSequence > 0 else { return }
        guard let first = segments.first?.first else { throw damaged("no stretch of the event log is known") }
        var reader = EventRowReader(database, database.folder)
        try reader.seek(max(first, link.lastSequence))
        let row = try reader.row()
        guard row.first + row.head.count - 1 == link.lastSequence, row.head.seal(row.value.hash) == link.eventsHash
        else {
            throw damaged(
                "the last row of events, from \(row.first) on, is not the one that batch \(link.batch) knows, which ends "
                    + "with event \(link.lastSequence)")
        }
    }
}
