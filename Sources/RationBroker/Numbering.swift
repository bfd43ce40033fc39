import RationModel
import RationStore
import RationWire

/// The numbers of publishers (wire.md, "Publishing intents"): what is committed stands in the store, what batches have taken
/// that are not committed yet stands here.
struct Numbering {
    /// What is to be done with a numbered request.
    enum Verdict {
        /// It is the next one.
        case take
        /// Its kept answer.
        case again(StoredAnswer)
        /// It came twice before its batch was committed: answered like a repetition once it is.
        case later
        case refuse(RequestFault)
    }

    /// How many publishers are kept (store.md, "Bounds").
    static let publisherLimit = 10_000

    private let store: any Store
    /// By publisher, the last number that was taken since the last batch was decided.
    private var taken: [PublisherName: UInt64] = [:]
    /// The same of batches that were decided and are not committed, oldest first.
    private var inFlight: [(batch: UInt64, taken: [PublisherName: UInt64])] = []

    init(store: any Store) {
        self.store = store
    }

    /// Judges a request and takes its number if it is the next one.
    /// - Parameter clock: publishers that have been idle too long by then make room for a new one.
    mutating func judge(
        _ number: UInt64, of publisher: PublisherName, bodyHash: UInt64, clock: Instant
    ) -> Verdict {
        let committed = store.lastNumber(of: publisher)
        let uncommitted = lastUncommitted(of: publisher)
        let last = max(uncommitted ?? 0, committed ?? 0)
        guard number > last else {
            return number > committed ?? 0 ? .later : repetition(number, of: publisher, bodyHash: bodyHash, last: last)
        }
        guard number == last + 1 else {
            return .refuse(
                RequestFault(
                    .outOfOrder, "expected number \(last + 1) of publisher '\(publisher)', found \(number)",
                    expected: last + 1))
        }
        if committed == nil, uncommitted == nil, isFull(at: clock) {
            return .refuse(
                RequestFault(.full, "the broker keeps \(Self.publisherLimit) publishers, and all are in use"))
        }
        taken[publisher] = number
        return .take
    }

    private func lastUncommitted(of publisher: PublisherName) -> UInt64? {
        if let number = taken[publisher] { return number }
        for entry in inFlight.reversed() {
            if let number = entry.taken[publisher] { return number }
        }
        return nil
    }

    /// A new publisher's commit makes those go that were idle too long.
    private func isFull(at clock: Instant) -> Bool {
        let uncommitted = taken.count + inFlight.reduce(0) { $0 + $1.taken.count }
        guard store.publisherCount + uncommitted >= Self.publisherLimit else { return false }
        let names = inFlight.reduce(into: Set(taken.keys)) { $0.formUnion($1.taken.keys) }
        let new = names.count { store.lastNumber(of: $0) == nil }
        let seenSince = clock.advanced(by: -Limits.publisherIdleMilliseconds)
        return store.publisherCount(seenSince: seenSince) + new >= Self.publisherLimit
    }

    /// The answer to a number that was used before.
    func repetition(_ number: UInt64, of publisher: PublisherName, bodyHash: UInt64, last: UInt64) -> Verdict {
        guard let answer = store.answer(to: number, of: publisher) else {
            return .refuse(
                RequestFault(
                    .alreadyCommitted,
                    "number \(number) of publisher '\(publisher)' was committed; only the last "
                        + "\(Limits.publisherWindow) acknowledgements are kept, the last number is \(last)"))
        }
        guard answer.bodyHash == bodyHash else {
            return .refuse(
                RequestFault(
                    .numberReused, "number \(number) of publisher '\(publisher)' was committed with another body"))
        }
        return .again(answer)
    }

    /// What was taken since the last batch belongs to a batch that was decided.
    mutating func decided(_ batch: UInt64) {
        guard !taken.isEmpty else { return }
        inFlight.append((batch, taken))
        taken.removeAll()
    }

    /// Batches up to one are committed: the store knows their numbers.
    mutating func committed(_ batch: UInt64) {
        inFlight.removeAll { $0.batch <= batch }
    }
}
