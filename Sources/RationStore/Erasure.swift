public import RationModel

/// A recipient that is being forgotten: begun with a batch, and not finished yet (store.md, "Bounds").
public struct Forgetting: Sendable, Hashable {
    /// The recipient's key.
    public var key: [UInt8]
    /// The batch that it began with, and the last event of that or earlier ones.
    public var batch: UInt64
    public var lastSequence: UInt64

    public init(key: [UInt8], batch: UInt64, lastSequence: UInt64) {
        (self.key, self.batch, self.lastSequence) = (key, batch, lastSequence)
    }
}

/// What is to be erased of what a store keeps, for one recipient.
public struct Erasure: Sendable {
    /// A content that something pending names.
    public struct Named: Sendable, Hashable, BitwiseCopyable {
        public var position: ContentPosition
        public var count: Int

        public init(_ position: ContentPosition, count: Int) {
            (self.position, self.count) = (position, count)
        }
    }

    public var forgetting: Forgetting
    /// The last batch before this: what later ones have written stays as it is.
    public var lastBatch: UInt64
    /// All contents that anything pending names after that batch, in any order. What else stands in blocks of contents is
    /// overwritten: nobody knows any more whose it was.
    public var named: [Named]
    /// Overwrites what a row of events holds of the recipient. The row keeps its length and its events their places.
    /// - Returns: how many events were changed.
    public var eraseEvents: @Sendable (_ row: inout [UInt8]) -> Int
    /// What an answer that is kept for a repetition becomes; nil for one that holds no texts.
    public var erasedAnswer: @Sendable (_ answer: StoredAnswer) -> [UInt8]?
    /// Asked now and then: whether to go on.
    public var goesOn: @Sendable () -> Bool

    public init(
        _ forgetting: Forgetting, lastBatch: UInt64, named: [Named],
        eraseEvents: @escaping @Sendable (inout [UInt8]) -> Int,
        erasedAnswer: @escaping @Sendable (StoredAnswer) -> [UInt8]?, goesOn: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.forgetting, self.lastBatch, self.named) = (forgetting, lastBatch, named)
        (self.eraseEvents, self.erasedAnswer, self.goesOn) = (eraseEvents, erasedAnswer, goesOn)
    }
}

/// What an erasure has changed.
public struct Erased: Sendable, Hashable {
    /// Events that named the recipient.
    public var events = 0
    /// Answers that held texts, of whatever recipient.
    public var answers = 0

    public init(events: Int = 0, answers: Int = 0) {
        (self.events, self.answers) = (events, answers)
    }
}

extension Erasure {
    /// Overwrites what of a block nothing pending names.
    /// - Parameter named: sorted by position.
    /// - Returns: whether anything was changed.
    static func eraseUnnamed(
        in block: inout [UInt8], at first: ContentPosition, _ named: [Named]
    ) -> Bool {
        var isChanged = false
        func erase(_ range: Range<Int>) {
            for place in range where block[place] != 0 {
                block[place] = 0
                isChanged = true
            }
        }
        var place = named.partitioningIndex { $0.position.rawValue >= first.rawValue }
        var end = 0
        while place < named.count, named[place].position.blockStart == first {
            let offset = named[place].position.offsetInBlock
            if offset > end { erase(end..<min(offset, block.count)) }
            end = max(end, offset + named[place].count)
            place += 1
        }
        if end < block.count { erase(end..<block.count) }
        return isChanged
    }
}

extension Array {
    /// The first place from which on all elements belong to the second part.
    func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
