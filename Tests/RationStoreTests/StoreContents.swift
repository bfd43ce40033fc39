import RationModel
import RationStore

/// All that a store shows.
struct StoreContents: Hashable {
    struct Publisher: Hashable {
        var name: PublisherName
        var last: UInt64?
        var answers: [StoredAnswer]
    }

    var lastBatch: UInt64
    var lastNow: Instant
    var range: LogRange
    var rows: [[UInt8]]
    var publishers: [Publisher]
    var publisherCount: Int
    var revisions: [[StoredRevision]]
    var intents: [UInt64: [UInt8]]
    var recovered: Recovered

    /// - Throws: what the store found damaged.
    init(_ store: any Store, publishers names: [PublisherName] = GeneratedCommits.publishers) throws {
        lastBatch = store.lastBatch
        lastNow = store.lastNow
        range = store.range
        rows = try store.rows(after: 0, bytes: .max)
        publishers = names.map { name in
            let last = store.lastNumber(of: name)
            let numbers = last.map { ($0 < 70 ? 0 : $0 - 70)...($0 + 1) } ?? 0...1
            return Publisher(name: name, last: last, answers: numbers.compactMap { store.answer(to: $0, of: name) })
        }
        publisherCount = store.publisherCount
        revisions = StoredRevision.Kind.allCases.map(store.revisions(of:))
        intents = [:]
        for batch in 0...lastBatch + 1 { intents[batch] = store.intents(ofBatch: batch) }
        recovered = try Recovered(store)
        if let failure = store.failure { throw failure }
    }

    /// What differs, in words; nil when nothing does.
    func difference(from other: StoreContents) -> String? {
        if lastBatch != other.lastBatch { return "batch \(lastBatch), not \(other.lastBatch)" }
        if lastNow != other.lastNow { return "now" }
        if range != other.range { return "range \(range), not \(other.range)" }
        if rows != other.rows { return "rows of events: \(rows.map(\.count)), not \(other.rows.map(\.count))" }
        if publishers != other.publishers || publisherCount != other.publisherCount { return "publishers" }
        if revisions != other.revisions { return "revisions" }
        if intents != other.intents { return "rows of intents" }
        return recovered == other.recovered ? nil : "records or outcomes"
    }
}
