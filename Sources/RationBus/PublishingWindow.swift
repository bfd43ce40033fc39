/// The unacknowledged requests of a publisher in the order of their numbers, and what is to be sent next. Pure: no
/// socket, no clock.
///
/// Requests are sent in order, and their answers are handed on in order. When one has to be sent again, sending stops
/// until all others that are under way have their answers; then it goes on from the oldest without one. So a burst of
/// `outOfOrder` leads to one repetition, and the deadlines of what is under way rise with the numbers.
struct PublishingWindow {
    enum State {
        case waiting
        case sent(deadline: Int64)
        /// Kept until all before it have their answers.
        case answered(PublishingAnswer)
    }

    struct Entry {
        let body: [UInt8]
        var state = State.waiting
    }

    private var entries: [Entry] = []
    /// The oldest that is not finished; those before it are gone.
    private var head = 0
    /// No entry before it waits to be sent.
    private var cursor = 0
    /// The number of the entry at `head`, or of the next one.
    private(set) var oldestNumber: UInt64
    /// Entries that are under way.
    private(set) var underWay = 0
    /// Whether sending waits for the answers to what is under way.
    private(set) var isRewinding = false

    /// - Parameter first: the first request's number.
    init(first: UInt64) {
        oldestNumber = first
    }

    var count: Int { entries.count - head }
    var isEmpty: Bool { head == entries.count }
    var nextNumber: UInt64 { oldestNumber + UInt64(count) }

    /// - Returns: the request's number.
    @discardableResult
    mutating func append(_ body: [UInt8]) -> UInt64 {
        entries.append(Entry(body: body))
        return nextNumber - 1
    }

    /// The number of the next to be sent, within the first `limit` that are not finished.
    mutating func nextWaiting(within limit: Int) -> UInt64? {
        guard !isRewinding else { return nil }
        let end = min(entries.count, head + limit)
        while cursor < end {
            if case .waiting = entries[cursor].state { return oldestNumber + UInt64(cursor - head) }
            cursor += 1
        }
        return nil
    }

    /// The body of a request that is not finished; empty for any other number.
    func body(of number: UInt64) -> [UInt8] {
        place(of: number).map { entries[$0].body } ?? []
    }

    mutating func markSent(_ number: UInt64, deadline: Int64) {
        guard let index = place(of: number) else { return }
        entries[index].state = .sent(deadline: deadline)
        underWay += 1
        cursor = index + 1
    }

    func isUnderWay(_ number: UInt64) -> Bool {
        guard let index = place(of: number), case .sent = entries[index].state else { return false }
        return true
    }

    /// Whether a request of this number has no answer yet.
    func isOpen(_ number: UInt64) -> Bool {
        guard let index = place(of: number) else { return false }
        if case .answered = entries[index].state { return false }
        return true
    }

    /// Keeps the answer to a request that is under way.
    mutating func answer(_ number: UInt64, _ answer: PublishingAnswer) {
        guard isUnderWay(number), let index = place(of: number) else { return }
        entries[index].state = .answered(answer)
        land()
    }

    /// A request that is under way has to be sent again.
    mutating func sendAgain(_ number: UInt64) {
        guard isUnderWay(number), let index = place(of: number) else { return }
        entries[index].state = .waiting
        cursor = head
        isRewinding = true
        land()
    }

    /// Moves the answers whose turn it is to `answers`, and forgets their requests.
    /// - Returns: the number of the last of them; nil if there is none.
    mutating func takeFinished(into answers: inout [PublishingAnswer]) -> UInt64? {
        let start = oldestNumber
        while head < entries.count, case .answered(let answer) = entries[head].state {
            answers.append(answer)
            entries[head] = Entry(body: [])
            head += 1
            oldestNumber += 1
        }
        cursor = max(cursor, head)
        compact()
        return oldestNumber == start ? nil : oldestNumber - 1
    }

    /// The connection is gone.
    /// - Parameter outcome: the answer to a request that was under way or whose answer waits for its turn; nil: it has to
    ///   be sent again.
    mutating func loseConnection(_ outcome: (_ number: UInt64, PublishingAnswer?) -> PublishingAnswer?) {
        var number = oldestNumber
        for index in head..<entries.count {
            switch entries[index].state {
            case .waiting: break
            case .sent: entries[index].state = outcome(number, nil).map { .answered($0) } ?? .waiting
            case .answered(let answer): entries[index].state = outcome(number, answer).map { .answered($0) } ?? .waiting
            }
            number += 1
        }
        cursor = head
        underWay = 0
        isRewinding = false
    }

    /// When the first answer that is awaited is overdue.
    var earliestDeadline: Int64? {
        guard underWay > 0 else { return nil }
        for index in head..<entries.count {
            if case .sent(let deadline) = entries[index].state { return deadline }
        }
        return nil
    }

    /// Gives new numbers from `first` on. Nothing is under way or answered.
    mutating func renumber(from first: UInt64) {
        oldestNumber = first
    }

    private mutating func land() {
        underWay -= 1
        if underWay == 0 { isRewinding = false }
    }

    private func place(of number: UInt64) -> Int? {
        guard number >= oldestNumber, number - oldestNumber < UInt64(count) else { return nil }
        // The difference is below `count`.
        return head + Int(number - oldestNumber)
    }

    /// Moving the rest is paid for by as many answers.
    private mutating func compact() {
        guard head > entries.count / 2 else { return }
        entries.removeFirst(head)
        cursor -= head
        head = 0
    }
}
