public import RationModel

/// Deciding a batch again, as a check of what was kept (store.md, "Starting").
extension Core {
    /// The version of what is decided: raised with every change after which the same batch comes to something else.
    public static let version: UInt32 = 1

    /// Decides a batch for all recipients of this core, whether an intent names them, they wake or are to be replanned. It is
    /// made for the check of one batch, of the recipients that the batch has touched.
    /// - Parameter batch: may name others, too: they are decided from nothing.
    public mutating func decideAgain(_ batch: IntentBatch, now: Instant, into decision: inout Decision) {
        begin(batch, clock: now, &decision)
        batch.bytes.bytes.withUnsafeBytes { source in
            findKeys(of: batch, source)
            for row in 0..<table.count {
                wakes.set(UInt32(truncatingIfNeeded: row), to: .distantFuture)
                _ = enter(row)
            }
            for index in batch.intents.indices { assign(index, of: batch, from: source, &decision) }
            decideTouched(batch, source, &decision)
        }
    }

    /// The record of a recipient, as of the last batch; nil for one that is not known.
    public mutating func record(of key: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let row = table.row(key, hash: table.hash(key)) else { return nil }
        return withRecord(row) { _, record in Array(record) }
    }

    /// The revision under which a recipient was last planned; nil for one that is not known.
    public func revision(of key: UnsafeRawBufferPointer) -> UInt32? {
        table.row(key, hash: table.hash(key)).map { table.recipient($0).pointee.revision }
    }

    /// Lends what a batch has changed of each recipient.
    /// - Parameter changes: as ``withChanges(_:)`` lent it.
    /// - Throws: `StateFault`; what `part` throws.
    public static func forEachPart(
        of changes: UnsafeRawBufferPointer,
        _ part: (_ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var reader = StateReader(changes)
        while !reader.isAtEnd {
            let bytes = try reader.view(Int(try reader.number(UInt32.self)))
            var inner = StateReader(bytes)
            try part(try inner.countedView(), bytes)
        }
    }

    /// Where the contents of all that is pending stand, with their lengths and hashes.
    public func forEachContent(
        _ body: (_ recipient: Int, _ position: ContentPosition, _ count: Int, _ hash: UInt64) throws -> Void
    ) rethrows {
        for row in 0..<table.count {
            let recipient = table.recipient(row)
            guard recipient.pointee.hasStoredContents else { continue }
            for notification in recipient.pointee.pending.elements {
                let place = recipient.pointee.record(notification).content
                guard !place.isEmpty else { continue }
                let content = StoredContent(recipient.pointee.bytes.view(place))
                try body(row, content.position, content.count, content.hash)
            }
        }
    }

    /// `app/device`, for people.
    /// - Parameter recipient: its place among all.
    public func name(ofRecipient recipient: Int) -> String { table.name(recipient) }
}
