import RationStore
import RationWire

/// Reads pages of the event log (wire.md, "Reading the log").
struct LogReader {
    /// One answer to a `read`.
    struct Page {
        var answer: ReadAnswer
        var events: [UInt8]
        /// Whether it reaches the log's end.
        var isAtEnd: Bool

        var isEmpty: Bool { events.isEmpty }
        var bodies: [[UInt8]] { [answer.body, events] }
    }

    private let store: any Store
    private let writer: EventWriter

    /// Bytes of rows that one page looks through, so that a filter that matches little holds nobody up.
    private static let scanBytes = 4 << 20

    init(store: any Store) {
        self.store = store
        writer = EventWriter(log: store.log)
    }

    /// The events after a position that a filter wants.
    /// - Throws: `cursorAhead` for a position of another log or past the end.
    func page(_ request: ReadRequest) throws(RequestFault) -> Page {
        if let log = request.log, log != store.log {
            throw RequestFault(.cursorAhead, "the position is of the log '\(log)', this log is '\(store.log)'")
        }
        let range = store.range
        guard request.after <= range.last else {
            throw RequestFault(.cursorAhead, "the position \(request.after) is past the end, \(range.last)")
        }
        var events: [UInt8] = []
        var count = 0
        var next = max(request.after, range.first - 1)
        rows: for row in store.rows(after: next, bytes: Self.scanBytes) {
            let isFull = row.withUnsafeBytes { row in
                var entries = EventRow.Reader(row)
                while let entry = entries.next() {
                    guard entry.sequence > next else { continue }
                    if request.filter.matches(entry) {
                        guard count < request.most, append(entry, to: &events, upTo: request.mostBytes) else {
                            return true
                        }
                        count += 1
                    }
                    next = entry.sequence
                }
                return false
            }
            if isFull { break rows }
        }
        let answer = ReadAnswer(log: store.log, first: range.first, last: range.last, next: next)
        return Page(answer: answer, events: events, isAtEnd: next >= range.last)
    }

    /// - Returns: whether there was room; the first event always has.
    private func append(_ entry: EventEntry, to events: inout [UInt8], upTo limit: Int) -> Bool {
        let start = events.count
        writer.write(entry, to: &events)
        events.append(0x0A)
        guard start == 0 || events.count <= limit else {
            events.removeLast(events.count - start)
            return false
        }
        return true
    }
}
