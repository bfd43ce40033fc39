import RationBus
import RationModel
import RationSubscribing
import RationWire
import TestSupport

/// A log as a broker writes it, in memory: batches of many recipients, each of whom gets a service's plan at once, fires
/// what is due, and has what does not fit in its queue.
struct GeneratedLog {
    static let name = "bench"
    private(set) var pages: [QueryClient.Page] = []
    private(set) var events = 0
    private(set) var bytes = 0

    /// Events that one recipient gets in one batch.
    private static let eventsEach = 8
    /// Recipients of one batch.
    private static let recipientsEach = 500
    private static let types = ["habit", "entry", "day1", "depletion", "inactivity"]

    /// - Parameters:
    ///   - count: events, at least.
    ///   - recipients: who gets them; a batch is for neighbours, as services go through their users.
    ///   - isScattered: a batch is for random ones instead, the worst case.
    ///   - pageEvents: events of one page.
    init(count: Int, recipients: Int, isScattered: Bool, pageEvents: Int) {
        var random = SplitMix64(seed: 1)
        var writer = PageWriter(pageEvents: pageEvents)
        var time: Int64 = 1_764_500_000_000
        var batch = 0
        while writer.sequence < count {
            batch += 1
            time += 100
            for place in 0..<Self.recipientsEach {
                let next = (batch * Self.recipientsEach + place) % recipients
                let recipient = isScattered ? Int.random(in: 0..<recipients, using: &random) : next
                Self.plan(recipient, batch, time, &random, &writer)
            }
            writer.endBatch(batch, time)
        }
        (pages, events, bytes) = (writer.finish(), writer.sequence, writer.bytes)
    }

    /// What one recipient gets in a batch: of its forty notifications some fire, some come, some lose their slot.
    private static func plan(
        _ recipient: Int, _ batch: Int, _ time: Int64, _ random: inout SplitMix64, _ writer: inout PageWriter
    ) {
        writer.begin(app: "com.example.habits", device: "device-\(recipient)-4f1c22d0")
        for _ in 0..<eventsEach {
            let number = Int.random(in: 0..<40, using: &random)
            let kind = Int.random(in: 0..<20, using: &random)
            var event = Event(kind: kind < 12 ? .accepted : kind < 14 ? .queued : kind < 15 ? .evicted : .due)
            switch event.kind {
            case .accepted: event.cause = kind < 10 ? .new : .moved
            case .queued: event.cause = .new
            case .evicted: (event.reason, event.isFinal) = (.slots, false)
            default: event.isFinal = true
            }
            event.priority = Int32(number % 4)
            event.requestedDate = Instant(milliseconds: time + Int64(number) * 3_600_000)
            event.fireDate = event.requestedDate.advanced(by: number % 5 == 0 ? 1_800_000 : 0)
            writer.add(event, id: "com.myapp.habitReminder.water.\(number)", type: types[number % types.count])
        }
    }
}

/// Writes batches as the broker does, and cuts the log into pages.
private struct PageWriter {
    let pageEvents: Int
    var sequence = 0
    var bytes = 0
    private let writer = EventWriter(log: GeneratedLog.name)
    private var buffer = EventBuffer()
    private var page: [UInt8] = []
    private var inPage = 0
    private var pages: [QueryClient.Page] = []

    init(pageEvents: Int) {
        self.pageEvents = pageEvents
    }

    mutating func begin(app: String, device: String) {
        buffer.recipients.append(.init(app: buffer.bytes.append(app), device: buffer.bytes.append(device)))
    }

    mutating func add(_ event: Event, id: String, type: String) {
        var event = event
        event.recipient = UInt32(buffer.recipients.count - 1)
        event.id = buffer.bytes.append(id)
        event.type = buffer.bytes.append(type)
        event.content = buffer.bytes.append(event.kind == .due ? #"{"body":"Time for a glass","title":"Water"}"# : "")
        buffer.events.append(event)
    }

    mutating func endBatch(_ number: Int, _ time: Int64) {
        let row = EventRow.pack(
            buffer, firstSequence: UInt64(sequence + 1), batch: UInt64(number), now: Instant(milliseconds: time))
        row.withUnsafeBytes { row in
            var reader = EventRow.Reader(row)
            while let entry = reader.next() {
                writer.write(entry, to: &page)
                page.append(0x0A)
                sequence += 1
                inPage += 1
                if inPage == pageEvents { endPage() }
            }
        }
        buffer.removeAll()
    }

    private mutating func endPage() {
        let next = UInt64(sequence)
        pages.append(
            QueryClient.Page(
                answer: ReadAnswer(log: GeneratedLog.name, first: 1, last: next, next: next), events: page))
        bytes += page.count
        page.removeAll(keepingCapacity: true)
        inPage = 0
    }

    /// All pages; each says where the whole log ends.
    mutating func finish() -> [QueryClient.Page] {
        if inPage > 0 { endPage() }
        return pages.map { page in
            var page = page
            page.answer.last = UInt64(sequence)
            return page
        }
    }
}

/// Gives the pages of a log in memory one after another.
final class MemoryPages: EventPages {
    private let pages: [QueryClient.Page]
    private var index = 0

    init(_ pages: [QueryClient.Page]) {
        self.pages = pages
    }

    func seek(log: String?, after position: UInt64) {
        index = pages.firstIndex { $0.answer.next > position } ?? pages.count
    }

    func next(timeoutMilliseconds: Int, watching descriptor: Int32?) throws -> PageReader.Item? {
        guard index < pages.count else { return nil }
        defer { index += 1 }
        return .page(pages[index])
    }
}
