import RationModel
import RationStore
import RationWire

/// The numbers of publishers (wire.md, "Publishing intents"): what is committed stands in the store, what this batch
/// takes stands here until then.
struct Numbering {
    /// What is to be done with a numbered request.
    enum Verdict {
        /// It is the next one.
        case take
        /// Its kept answer.
        case again(StoredAnswer)
        /// It came twice in one batch: answered like a repetition once the batch is committed.
        case later
        case refuse(RequestFault)
    }

    /// How many publishers are kept (store.md, "Bounds").
    static let publisherLimit = 10_000

    private let store: any Store
    private var lastInBatch: [PublisherName: UInt64] = [:]
    private var newPublishers = 0

    init(store: any Store) {
        self.store = store
    }

    /// Judges a request and takes its number if it is the next one.
    /// - Parameter clock: publishers that have been idle too long by then make room for a new one.
    mutating func judge(
        _ number: UInt64, of publisher: PublisherName, bodyHash: UInt64, clock: Instant
    ) -> Verdict {
        let committed = store.lastNumber(of: publisher)
        let last = lastInBatch[publisher] ?? committed ?? 0
        guard number > last else {
            return number > committed ?? 0 ? .later : repetition(number, of: publisher, bodyHash: bodyHash, last: last)
        }
        guard number == last + 1 else {
            return .refuse(
                RequestFault(
                    .outOfOrder, "expected number \(last + 1) of publisher '\(publisher)', found \(number)",
                    expected: last + 1))
        }
        if committed == nil && lastInBatch[publisher] == nil {
            guard !isFull(at: clock) else {
                return .refuse(
                    RequestFault(.full, "the broker keeps \(Self.publisherLimit) publishers, and all are in use"))
            }
            newPublishers += 1
        }
        lastInBatch[publisher] = number
        return .take
    }

    /// A new publisher's commit makes those go that were idle too long.
    private func isFull(at clock: Instant) -> Bool {
        guard store.publisherCount + newPublishers >= Self.publisherLimit else { return false }
        let seenSince = clock.advanced(by: -Limits.publisherIdleMilliseconds)
        return store.publisherCount(seenSince: seenSince) + newPublishers >= Self.publisherLimit
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

    /// The batch is committed: the store knows its numbers.
    mutating func commit() {
        lastInBatch.removeAll(keepingCapacity: true)
        newPublishers = 0
    }
}
