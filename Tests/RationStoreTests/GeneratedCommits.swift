import RationModel
import RationStore
import TestSupport

/// Steps that are the same for the same seed, number and state: batches and revisions of all kinds.
struct GeneratedCommits {
    static let publishers: [PublisherName] = ["p", "q", "é", "e\u{301}", "pq", "once", "twice"]

    let seed: UInt64
    /// How long a row is at most.
    var rowBytes = 3_000

    /// Steps that a store has taken.
    static func steps(_ store: any Store) -> UInt64 {
        store.lastBatch + StoredRevision.Kind.allCases.reduce(0) { $0 + (store.revisions(of: $1).last?.number ?? 0) }
    }

    /// Takes the next step.
    func step(_ store: any Store) throws {
        var random = SplitMix64(seed: seed ^ Self.steps(store) &* 0x9E37_79B9_7F4A_7C15)
        if Int.random(in: 0..<12, using: &random) == 0 {
            let kind: StoredRevision.Kind = Bool.random(using: &random) ? .policy : .zones
            return try store.commit(Commits(store: store).revision(kind, bytes: 100))
        }
        let batch = store.lastBatch + 1
        let now = batch == 1 ? Instant(milliseconds: 0) : store.lastNow
        let isLongAfter = Int.random(in: 0..<40, using: &random) == 0
        let events = Int.random(in: 0...4, using: &random)
        try store.commit(
            Commit(
                batch: batch, now: now.advanced(by: isLongAfter ? 31 * 86_400_000 : 1_000),
                firstSequence: store.range.last + 1, eventCount: events,
                events: events == 0 ? [] : row(&random, atLeast: 1),
                answers: answers(store, isLongAfter: isLongAfter, &random),
                intents: row(&random), outcomes: row(&random), records: records(batch, &random),
                firstNeededBatch: batch - min(batch, UInt64.random(in: 0...10, using: &random))))
    }

    private func row(_ random: inout SplitMix64, atLeast least: Int = 0) -> [UInt8] {
        guard least > 0 || Int.random(in: 0..<4, using: &random) > 0 else { return [] }
        let first = UInt8.random(in: 0...255, using: &random)
        return (0..<Int.random(in: 1...rowBytes, using: &random)).map { first &+ UInt8(truncatingIfNeeded: $0 &* $0) }
    }

    /// After a long silence some publish that do not otherwise: they are new then, and make the silent ones go.
    private func answers(
        _ store: any Store, isLongAfter: Bool, _ random: inout SplitMix64
    ) -> [StoredAnswer] {
        Self.publishers.flatMap { name -> [StoredAnswer] in
            guard name != "once" && name != "twice" || isLongAfter, Int.random(in: 0..<3, using: &random) == 0 else {
                return []
            }
            let first = (store.lastNumber(of: name) ?? 0) + 1
            return (first..<first + UInt64.random(in: 1...30, using: &random)).map { number in
                StoredAnswer(
                    publisher: name, number: number, bodyHash: random.next(), isRefusal: number % 5 == 0,
                    body: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Int(number % 40)))
            }
        }
    }

    private func records(_ batch: UInt64, _ random: inout SplitMix64) -> [StoredRecord] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let key = "recipient \(Int.random(in: 0..<20, using: &random))"
            return StoredRecord(key, Int.random(in: 0..<4, using: &random) == 0 ? "" : "of batch \(batch)")
        }
    }
}

/// The same steps in memory: what a store on disk must hold.
final class Model {
    let store = MemoryStore(log: "model", retentionBytes: Model.retentionBytes)
    let commits: GeneratedCommits

    static let retentionBytes = 4_000

    init(_ commits: GeneratedCommits) {
        self.commits = commits
    }

    /// Takes steps until as many are taken.
    func advance(to steps: UInt64) throws {
        while GeneratedCommits.steps(store) < steps { try commits.step(store) }
    }
}

extension StoreSettings {
    /// As the model keeps it.
    static var likeModel: StoreSettings {
        var settings = StoreSettings.small
        settings.retentionBytes = Model.retentionBytes
        return settings
    }
}
