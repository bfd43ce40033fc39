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

    private let board: StatusBoard

    init(store: any Store, board: StatusBoard) {
        self.store = store
        self.board = board
        writer = EventWriter(log: store.log)
    }

    /// The events after a position that a filter wants.
    /// - Throws: `cursorAhead` for a position of another log or past the end; `damaged` for events that cannot be read.
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
        rows: for row in try rows(after: next) {
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

    private func rows(after position: UInt64) throws(RequestFault) -> [[UInt8]] {
        do throws(StoreError) {
            return try store.rows(after: position, bytes: Self.scanBytes)
        } catch {
            throw board.fault(unreadable: error)
        }
    }

    /// What of the log is kept, and where in it a time is.
    /// - Throws: `damaged` for events that cannot be read.
    func answer(_ request: LogRequest) throws(RequestFault) -> LogAnswer {
        do throws(StoreError) {
            let figures = try store.logFigures()
            return LogAnswer(
                log: store.log, first: figures.range.first, last: figures.range.last, bytes: figures.bytes,
                oldest: figures.oldest, newest: figures.newest,
                retentionBytes: UInt64(max(0, figures.retentionBytes)),
                retentionMilliseconds: figures.retentionMilliseconds,
                after: try request.at.map { at throws(StoreError) in try store.position(before: at) })
        } catch {
            throw board.fault(unreadable: error)
        }
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
