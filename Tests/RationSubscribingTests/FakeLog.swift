import RationBus
import RationModel
import RationSubscribing
import RationWire

/// A log in memory that gives its pages as a broker does.
final class FakeLog: EventPages {
    var name = "log-1"
    /// One line each; sequence is the place, from 1 on.
    var lines: [[UInt8]] = []
    /// The oldest event that is kept.
    var first: UInt64 = 1
    var pageEvents = 1_000
    /// Whether a filter leaves an event out.
    var isLeftOut: (UInt64) -> Bool = { _ in false }
    /// News that come before the next page.
    var news: [PageReader.Item] = []
    private var position: UInt64 = 0
    private var log: String?
    private(set) var reads = 0

    func seek(log: String?, after position: UInt64) {
        (self.log, self.position) = (log, position)
    }

    func next(timeoutMilliseconds: Int, watching descriptor: Int32?) throws -> PageReader.Item? {
        if !news.isEmpty { return news.removeFirst() }
        reads += 1
        let last = UInt64(lines.count)
        if let log, log != name { return .otherLog(ReadAnswer(log: name, first: first, last: last, next: last)) }
        if position > last { return .pastEnd(ReadAnswer(log: name, first: first, last: last, next: last)) }
        var events: [UInt8] = []
        var next = max(position, first - 1)
        for _ in 0..<pageEvents where next < last {
            next += 1
            if !isLeftOut(next) { events += lines[Int(next) - 1] + [0x0A] }
        }
        (position, log) = (next, name)
        return .page(
            QueryClient.Page(answer: ReadAnswer(log: name, first: first, last: last, next: next), events: events))
    }

    func add(_ count: Int, _ change: (inout ReceivedEvent) -> Void = { _ in }) {
        for _ in 0..<count {
            var event = ReceivedEvent(
                sequence: UInt64(lines.count) + 1, time: Instant(milliseconds: Int64(lines.count + 1) * 1_000),
                kind: .accepted, app: "app", device: "d", id: "n\(lines.count + 1)", type: "t", priority: 1,
                fireDate: Instant(milliseconds: 0), requestedDate: Instant(milliseconds: 0), batch: 1)
            change(&event)
            lines.append(event.line)
        }
    }
}

extension ReceivedEvent {
    /// The event as the broker writes it.
    var line: [UInt8] {
        ObjectText.bytes { object in
            let digits = String(sequence)
            object.text("sequence", String(repeating: "0", count: 20 - digits.count) + digits)
            object.text("time", time.rfc3339)
            object.object("data") { data in
                data.texts(
                    ("kind", "\(kind.name)"), ("app", app), ("device", device), ("id", id), ("type", type),
                    ("cause", "\(cause.name)"), ("reason", "\(reason.name)"), ("fireDate", fireDate.rfc3339),
                    ("requestedDate", requestedDate.rfc3339))
                data.integers(("priority", Int(priority)), ("batch", Int(batch)))
                if let isFinal { data.bool("final", isFinal) }
                if kind == .due {
                    data.texts(("delivery", "\(delivery.name)"), ("validUntil", (validUntil ?? fireDate).rfc3339))
                    data.object("content") { $0.text("title", "T") }
                }
            }
        }
    }
}
