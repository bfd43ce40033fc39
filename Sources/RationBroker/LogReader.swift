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
    private var recent = RecentRows()
    /// How often events were overwritten when the first of these rows were read.
    private var erasures: UInt64 = 0

    init(store: any Store, board: StatusBoard) {
        self.store = store
        self.board = board
        writer = EventWriter(log: store.log)
    }

    /// The events after a position that a filter wants.
    /// - Throws: `cursorAhead` for a position of another log or past the end; `damaged` for events that cannot be read.
    mutating func page(_ request: ReadRequest) throws(RequestFault) -> Page {
        if let log = request.log, log != store.log {
            throw RequestFault(.cursorAhead, "the position is of the log '\(log)', this log is '\(store.log)'")
        }
        let range = store.range
        guard request.after <= range.last else {
            throw RequestFault(.cursorAhead, "the position \(request.after) is past the end, \(range.last)")
        }
        var page = OpenPage(request, after: max(request.after, range.first - 1))
        var scanned = 0
        scan: while scanned < Self.scanBytes, page.next < range.last {
            let rows: [[UInt8]]
            do throws(StoreError) {
                rows = try self.rows(after: page.next, bytes: min(page.wantedBytes, Self.scanBytes - scanned))
            } catch {
                // Who reads on behind what was read so far is told.
                if page.next > request.after, scanned > 0 { break }
                throw board.fault(unreadable: error)
            }
            if rows.isEmpty { break }
            page.makeRoom(for: rows)
            for row in rows {
                scanned += row.count
                guard page.take(row, writer) else { break scan }
            }
        }
        let answer = ReadAnswer(log: store.log, first: range.first, last: range.last, next: page.next)
        return Page(answer: answer, events: page.events, isAtEnd: page.next >= range.last)
    }

    /// The rows after a position; the one that an earlier page ended in is still there.
    private mutating func rows(after position: UInt64, bytes: Int) throws(StoreError) -> [[UInt8]] {
        let erasures = store.erasureCount
        if erasures != self.erasures { (recent, self.erasures) = (RecentRows(), erasures) }
        if let row = recent.row(holding: position + 1) { return [row] }
        let rows = try store.rows(after: position, bytes: bytes)
        if let last = rows.last { recent.add(last) }
        return rows
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
}

/// A page that is being filled.
private struct OpenPage {
    private let request: ReadRequest
    private(set) var events: [UInt8] = []
    private var count = 0
    /// The position behind what was looked at.
    private(set) var next: UInt64

    /// Rows are about a third of what is made of them.
    private static let leastBytes = 64 << 10

    init(_ request: ReadRequest, after position: UInt64) {
        self.request = request
        next = position
    }

    /// Bytes of rows that are likely to fill the page.
    var wantedBytes: Int { max(Self.leastBytes, (request.mostBytes - events.count) / 3) }

    /// Has rows rendered without copies of what was rendered before.
    mutating func makeRoom(for rows: [[UInt8]]) {
        guard request.filter.isEmpty else { return }
        let rendered = events.count + 3 * rows.reduce(0) { $0 + $1.count }
        events.reserveCapacity(min(rendered, request.mostBytes + Self.leastBytes))
    }

    /// Adds what the filter wants of a row.
    /// - Returns: whether there is room for more.
    mutating func take(_ row: [UInt8], _ writer: EventWriter) -> Bool {
        row.withUnsafeBytes { row in
            var entries = EventRow.Reader(row)
            while let entry = entries.next() {
                guard entry.sequence > next else { continue }
                if request.filter.matches(entry) {
                    guard count < request.most, append(entry, writer) else { return false }
                    count += 1
                }
                next = entry.sequence
            }
            return true
        }
    }

    /// - Returns: whether there was room; the first event always has.
    private mutating func append(_ entry: EventEntry, _ writer: EventWriter) -> Bool {
        let start = events.count
        writer.write(entry, to: &events)
        events.append(0x0A)
        guard start == 0 || events.count <= request.mostBytes else {
            events.removeLast(events.count - start)
            return false
        }
        return true
    }
}

/// The rows that readers' pages ended in lately: a row has up to some thousand events, a page fewer.
private struct RecentRows {
    private static let limit = 8
    /// Of all but the newest: one of events that are due may have megabytes of contents.
    private static let byteLimit = 8 << 20
    private var rows: [(events: ClosedRange<UInt64>, bytes: [UInt8])] = []

    func row(holding sequence: UInt64) -> [UInt8]? { rows.first { $0.events.contains(sequence) }?.bytes }

    mutating func add(_ row: [UInt8]) {
        let events = row.withUnsafeBytes { EventRow.Reader($0).sequences }
        guard let events, !rows.contains(where: { $0.events == events }) else { return }
        while rows.count == Self.limit || rows.reduce(0, { $0 + $1.bytes.count }) > Self.byteLimit {
            rows.removeFirst()
        }
        rows.append((events, row))
    }
}
