import RationModel
import RationPlanner
import RationStore
import RationWire

@testable import RationBroker
@testable import RationPlanner

/// An event as its row holds it.
struct LoggedEvent {
    var sequence: UInt64
    var batch: UInt64
    var kind: EventKind
    var cause: EventCause
    var reason: EventReason
    var isFinal: Bool?
    var device: String
    var id: String
    var fireDate: Instant
    /// Of `due`: its content, as JSON.
    var content: [UInt8]
    /// As it is rendered; empty until its batch is on its way to the disk.
    var bytes: [UInt8]
}

/// A batch as the broker has decided it, whether or not it is committed.
struct DecidedBatch {
    var number: UInt64
    var now: Instant
    /// Whether it decides anything; else it only writes records.
    var decides: Bool
    /// Hashes of the bodies of its requests, in their order.
    var bodies: [UInt64]
    /// The answers to them, in their order.
    var answers: [[UInt8]]
    /// Of named publishers.
    var stored: [StoredAnswer]
    var events: [LoggedEvent]
    /// A hash of all recipients' records after it.
    var state: UInt64

    init(_ commit: Commit, _ decided: Decided, bodies: [UInt64], state: UInt64) {
        decides = !commit.outcomes.isEmpty || !bodies.isEmpty
        (number, now, self.bodies, self.state) = (commit.batch, commit.now, bodies, state)
        answers = decided.telling.answers.map { Array($0.bodies.joined()) }
        stored = commit.answers
        events = LoggedEvent.all(in: decided.events, commit)
    }
}

extension LoggedEvent {
    /// The events of a batch that was decided: their contents stand elsewhere.
    static func all(in events: EventBuffer, _ commit: Commit) -> [LoggedEvent] {
        guard events.count > 0 else { return [] }
        let row = EventRow.pack(events, firstSequence: commit.firstSequence, batch: commit.batch, now: commit.now) {
            [UInt8](repeating: 0, count: $1)[...]
        }
        return all(in: row, nil)
    }

    /// The events of a row.
    static func all(in row: [UInt8], _ writer: EventWriter?) -> [LoggedEvent] {
        row.withUnsafeBytes { row in
            var events: [LoggedEvent] = []
            var reader = EventRow.Reader(row)
            while let entry = reader.next() {
                var bytes: [UInt8] = []
                writer?.write(entry, to: &bytes)
                events.append(
                    LoggedEvent(
                        sequence: entry.sequence, batch: entry.batch, kind: entry.kind, cause: entry.cause,
                        reason: entry.reason,
                        isFinal: entry.isFinal, device: String(decoding: entry.device, as: UTF8.self),
                        id: String(decoding: entry.id, as: UTF8.self), fireDate: entry.fireDate,
                        content: Array(entry.content), bytes: bytes))
            }
            return events
        }
    }
}

extension Core {
    /// A hash of the records of all recipients, whatever their order in memory.
    mutating func stateHash() -> UInt64 {
        var images: [[UInt8]] = []
        for row in 0..<recipientCount { withRecord(row) { _, record in images.append(Array(record)) } }
        images.sort { $0.lexicographicallyPrecedes($1) }
        return images.reduce(0) { hash, image in image.withUnsafeBytes { ByteHash.hash($0, seed: hash) } }
    }
}
