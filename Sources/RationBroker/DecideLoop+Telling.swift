import RationBus
import RationStore
import RationWire

/// What waits for commits before it is told, in order: nothing is seen outside before it is kept (store.md, "Failure").
struct Untold {
    enum Word {
        case batch(Telling)
        case answer(Answer, QueryMailbox.Door)
        case explained(Explained)
        case holdings(FoundHoldings)
        /// A turn of the deciding thread that `/healthz` asked for.
        case turn(UInt64)
    }

    private var words: [(batch: UInt64, word: Word)] = []
    private var head = 0

    var isEmpty: Bool { head == words.count }

    /// - Parameter batch: to be committed first; none below that of an earlier word.
    mutating func add(_ word: Word, after batch: UInt64) {
        words.append((batch, word))
    }

    /// The next word, if its batch is committed.
    mutating func take(committed: UInt64) -> Word? {
        guard head < words.count, words[head].batch <= committed else { return nil }
        defer {
            head += 1
            if isEmpty {
                words.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return words[head].word
    }
}

extension DecideLoop {
    /// Hands a batch to the committing thread, unless it is committed already; what it tells follows its commit.
    mutating func handOver(_ decided: consuming Decided, isCommitted: Bool = false) {
        untold.add(.batch(decided.telling), after: decided.telling.batch)
        if decided.commit != nil, !isCommitted { commits.add(decided) }
    }

    /// Whether another batch may be decided before one that is under way is committed.
    func mayDecide() throws -> Bool {
        try decider.lastBatch - commits.committed() < UInt64(CommitQueue.limit)
    }

    /// Says something that is true of the last batch that was decided, once it is committed.
    mutating func say(_ word: Untold.Word) {
        untold.add(word, after: decider.lastBatch)
    }

    /// Tells what is committed. What `status` shows is brought up to date first: whoever has an acknowledgement finds it
    /// counted.
    mutating func tellCommitted() throws {
        let committed = try commits.committed()
        while let word = untold.take(committed: committed) {
            switch word {
            case .batch(let telling): try tell(telling)
            case .answer(let answer, let door): queries.post(answer, on: door)
            case .explained(let explained): queries.post(explained)
            case .holdings(let found): queries.post(found)
            case .turn(let turn): mailbox.endTurn(turn)
            }
        }
    }

    private mutating func tell(_ telling: Telling) throws {
        let answers = decider.settle(telling)
        let events = commits.takeEvents(ofBatch: telling.batch)
        if !events.isEmpty { try publish(events) }
        toldSequence = telling.lastSequence
        showCounters()
        tellReplanned()
        for answer in answers { try send(answer) }
        if !events.isEmpty { queries.committed() }
    }

    /// Waits until nothing is under way any more, and tells it.
    mutating func finishCommits() throws {
        var poller = Poller()
        _ = poller.add(fileDescriptor: mailbox.wakeup.fileDescriptor)
        while try commits.committed() < decider.lastBatch {
            try poller.wait(milliseconds: -1)
            mailbox.wakeup.drain()
        }
        // Something else may have been signalled, too.
        mailbox.wakeup.signal()
        try tellCommitted()
    }
}
