/// A request that a publisher has numbered and that is not acknowledged yet.
public struct OutboxEntry: Hashable, Sendable {
    public var number: UInt64
    /// The request's body: NDJSON.
    public var body: [UInt8]

    public init(number: UInt64, body: [UInt8]) {
        self.number = number
        self.body = body
    }
}

/// Where a named publisher keeps what is unacknowledged, number and bytes, before it sends it (wire.md, "Publishing
/// intents"). One client at a time uses it, in one thread.
public protocol Outbox: AnyObject {
    /// The event log that has taken part in the numbering; nil: nothing was ever sent.
    var log: String? { get }

    /// The number of the next request; from 1 on.
    var nextNumber: UInt64 { get }

    /// What is stored, by rising number, without holes.
    func unacknowledged() throws -> [OutboxEntry]

    /// Keeps a request; when this returns it survives what the outbox is made to survive.
    /// - Parameter number: `nextNumber`.
    func store(number: UInt64, body: [UInt8]) throws

    /// Forgets the requests up to a number.
    func remove(through number: UInt64) throws

    /// Remembers the log that a broker has named, and gives new numbers to what is stored, both in one step.
    /// - Parameter firstNumber: of the oldest request that is stored, or of the next one if none is; nil: they stay.
    func agree(on log: String, renumberingFrom firstNumber: UInt64?) throws
}

/// An outbox that lasts as long as the process: for publishers that can make their requests again.
public final class MemoryOutbox: Outbox {
    public private(set) var log: String?
    public private(set) var nextNumber: UInt64 = 1
    /// Those before `start` are gone.
    private var entries: [OutboxEntry] = []
    private var start = 0

    public init() {}

    public func unacknowledged() -> [OutboxEntry] {
        Array(entries[start...])
    }

    public func store(number: UInt64, body: [UInt8]) {
        entries.append(OutboxEntry(number: number, body: body))
        nextNumber = number + 1
    }

    public func remove(through number: UInt64) {
        while start < entries.count, entries[start].number <= number {
            entries[start].body = []
            start += 1
        }
        // Moving the rest is paid for by as many removals.
        if start > entries.count / 2 {
            entries.removeFirst(start)
            start = 0
        }
    }

    public func agree(on log: String, renumberingFrom firstNumber: UInt64?) {
        self.log = log
        guard let firstNumber else { return }
        nextNumber = firstNumber
        for index in start..<entries.count {
            entries[index].number = nextNumber
            nextNumber += 1
        }
    }
}
