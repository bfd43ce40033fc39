internal import RationModel

/// One link of the chain: what a batch wrote, and the hash of the link before it. A log from which a batch is missing, or
/// in which one is not what was committed, has a link that does not fit.
struct BatchLink: Hashable {
    var batch: UInt64 = 0
    var now = Instant.distantPast
    /// The hash of the link before.
    var previous: UInt64 = 0
    var firstSequence: UInt64 = 1
    var eventCount: UInt64 = 0
    /// The seal of the log's last row of events, this batch's or an earlier one's; 0 before the first.
    var eventsHash: UInt64 = 0
    /// Bytes of all rows of events since the log began.
    var eventsEnd: UInt64 = 0
    /// The seals of the batch's rows of intents and of outcomes; 0 for an empty one, which is not written.
    var intentsHash: UInt64 = 0
    var outcomesHash: UInt64 = 0
    /// Rows of intents and outcomes of batches below it are needed no more.
    var firstNeeded: UInt64 = 1
    /// Links of batches below it are needed no more.
    var firstLink: UInt64 = 0
    /// Revisions that were committed so far.
    var revisions: UInt64 = 0

    var lastSequence: UInt64 { firstSequence + eventCount - 1 }

    private static let byteCount = 13 * 8

    private var fields: [UInt8] {
        var writer = FieldWriter()
        writer.number(batch)
        writer.number(now.milliseconds)
        for number in [
            previous, firstSequence, eventCount, eventsHash, eventsEnd, intentsHash, outcomesHash, firstNeeded,
            firstLink,
            revisions,
        ] {
            writer.number(number)
        }
        return writer.bytes
    }

    /// What the next link holds of this one.
    var hash: UInt64 { fields.withUnsafeBytes { ByteHash.hash($0, seed: previous) } }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(hash)
        return fields + writer.bytes
    }

    init() {}

    /// - Returns: nil for bytes that are no link.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        var reader = FieldReader(bytes)
        func next() -> UInt64 { reader.number() ?? 0 }
        batch = next()
        now = Instant(milliseconds: Int64(bitPattern: next()))
        previous = next()
        firstSequence = next()
        eventCount = next()
        eventsHash = next()
        eventsEnd = next()
        intentsHash = next()
        outcomesHash = next()
        firstNeeded = next()
        firstLink = next()
        revisions = next()
        guard next() == hash else { return nil }
    }
}
