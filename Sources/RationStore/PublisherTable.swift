internal import RationModel

/// What the durable store holds of publishers in memory: their last numbers, and where their kept answers stand.
struct PublisherTable {
    /// The answers that a publisher got with one batch: one row.
    struct Chunk: Hashable {
        var first: UInt64
        var count: UInt64
    }

    struct Publisher: Hashable {
        var last: UInt64 = 0
        var seenAt = Instant.distantPast
        /// Oldest first; together they hold the last 64 answers, and perhaps some older ones.
        var chunks: [Chunk] = []
    }

    /// What a commit's answers change.
    struct Change {
        struct Row {
            var name: PublisherName
            var publisher: Publisher
            /// What is to be written; at most the last 64.
            var answers: ArraySlice<StoredAnswer>
            /// Chunks that go.
            var dropped: ArraySlice<Chunk>
        }

        var rows: [Row] = []
        var forgotten: [(name: PublisherName, publisher: Publisher)] = []
    }

    private(set) var publishers: [PublisherName: Publisher] = [:]
    private var oldestSeenAt = Instant.distantFuture

    subscript(name: PublisherName) -> Publisher? { publishers[name] }

    var count: Int { publishers.count }

    func count(seenSince instant: Instant) -> Int {
        oldestSeenAt >= instant ? count : publishers.values.count { $0.seenAt >= instant }
    }

    mutating func add(_ publisher: Publisher, _ name: PublisherName) {
        publishers[name] = publisher
        oldestSeenAt = min(oldestSeenAt, publisher.seenAt)
    }

    func change(_ answers: [StoredAnswer], at now: Instant) -> Change {
        var change = Change()
        var isNew = false
        for answers in Self.grouped(answers) {
            let name = answers[0].publisher
            isNew = isNew || publishers[name] == nil
            change.rows.append(row(name, answers.suffix(Limits.publisherWindow), at: now))
        }
        let silentSince = now.advanced(by: -Limits.publisherIdleMilliseconds)
        if isNew, oldestSeenAt < silentSince {
            let named = Set(change.rows.map(\.name))
            change.forgotten = publishers.filter { $0.value.seenAt < silentSince && !named.contains($0.key) }
                .map { (name: $0.key, publisher: $0.value) }
        }
        return change
    }

    /// The answers of each publisher, in the order in which the publishers first come.
    private static func grouped(_ answers: [StoredAnswer]) -> [[StoredAnswer]] {
        var groups: [[StoredAnswer]] = []
        var places: [PublisherName: Int] = [:]
        for answer in answers {
            if let place = places[answer.publisher] {
                groups[place].append(answer)
            } else {
                places[answer.publisher] = groups.count
                groups.append([answer])
            }
        }
        return groups
    }

    private func row(_ name: PublisherName, _ answers: ArraySlice<StoredAnswer>, at now: Instant) -> Change.Row {
        var publisher = publishers[name] ?? Publisher()
        guard let first = answers.first, let last = answers.last else { preconditionFailure("no answer of \(name)") }
        publisher.last = last.number
        publisher.seenAt = now
        publisher.chunks.append(Chunk(first: first.number, count: UInt64(answers.count)))
        var kept = publisher.chunks.reduce(0) { $0 + $1.count }
        var dropped = 0
        while kept - publisher.chunks[dropped].count >= UInt64(Limits.publisherWindow) {
            kept -= publisher.chunks[dropped].count
            dropped += 1
        }
        let gone = publisher.chunks.prefix(dropped)
        publisher.chunks.removeFirst(dropped)
        return Change.Row(name: name, publisher: publisher, answers: answers, dropped: gone)
    }

    mutating func apply(_ change: Change) {
        for row in change.rows { add(row.publisher, row.name) }
        guard !change.forgotten.isEmpty else { return }
        for (name, _) in change.forgotten { publishers[name] = nil }
        oldestSeenAt = publishers.values.reduce(.distantFuture) { min($0, $1.seenAt) }
    }
}

extension PublisherTable.Publisher {
    /// The row that would hold the answer to a number, and how many of its answers are kept (its last ones).
    func chunk(holding number: UInt64) -> (chunk: PublisherTable.Chunk, kept: Int)? {
        var newer: UInt64 = 0
        for chunk in chunks.reversed() {
            if chunk.first <= number {
                return (chunk, Int(min(chunk.count, UInt64(Limits.publisherWindow) - newer)))
            }
            newer += chunk.count
        }
        return nil
    }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(last)
        writer.number(seenAt.milliseconds)
        for chunk in chunks {
            writer.number(chunk.first)
            writer.number(chunk.count)
        }
        return writer.bytes
    }

    /// - Returns: nil for bytes that are none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = FieldReader(bytes)
        guard let last = reader.number(), let seenAt = reader.signedNumber() else { return nil }
        self.init(last: last, seenAt: Instant(milliseconds: seenAt))
        while let first = reader.number() {
            guard let count = reader.number() else { return nil }
            chunks.append(PublisherTable.Chunk(first: first, count: count))
        }
        guard reader.isAtEnd else { return nil }
    }
}
