internal import RationBus
internal import RationModel
internal import RationWire

/// A page of the log that was read, and how much of it is done.
struct PageInHand {
    /// An event that cannot be read or is not to be handed over any more.
    struct Unread {
        var sequence: UInt64
        var bytes: [UInt8]
        var message: String
    }

    let log: String
    /// Where the log goes on behind the page.
    let next: UInt64
    /// Events before the page that the log no longer has.
    let gone: UInt64
    private(set) var events: [ReceivedEvent] = []
    private(set) var unread: [Unread] = []
    private let bytes: [UInt8]
    /// Where each event's line is.
    private var lines: [Range<Int>] = []
    /// How many events are done.
    private(set) var done = 0

    /// - Parameter position: the last sequence that is done.
    init(_ page: QueryClient.Page, after position: UInt64, _ reader: inout ReceivedEventReader) {
        let answer = page.answer
        (log, next, bytes) = (answer.log, max(position, answer.next), page.events)
        gone = answer.first > position + 1 && position < answer.last ? answer.first - position - 1 : 0
        var last = max(position, answer.first > 0 ? answer.first - 1 : 0)
        bytes.withUnsafeBytes { bytes in
            var start = 0
            Lines.forEach(in: bytes) { line in
                defer { start += line.count + 1 }
                read(line, at: start, of: bytes.count, &last, &reader)
            }
        }
    }

    private mutating func read(
        _ line: UnsafeRawBufferPointer, at start: Int, of count: Int, _ last: inout UInt64,
        _ reader: inout ReceivedEventReader
    ) {
        do throws(EventFault) {
            // Bytes behind a line are the next lines, so that only the end of the page needs padding.
            let event = try reader.read(line, isPadded: count - start - line.count >= 64)
            guard event.sequence > last else {
                throw EventFault("the sequence \(event.sequence) does not lie behind \(last)")
            }
            events.append(event)
            lines.append(start..<start + line.count)
            last = event.sequence
        } catch {
            // It has no number that can be believed: at least the one behind its neighbour.
            last += 1
            unread.append(Unread(sequence: last, bytes: [UInt8](line), message: error.message))
        }
    }

    var isDone: Bool { done == events.count }

    /// The events that come next, at most so many.
    func chunk(_ limit: Int) -> ArraySlice<ReceivedEvent> { events[done..<min(events.count, done + limit)] }

    /// The position when so many more events are done.
    func position(behind count: Int) -> UInt64 {
        done + count == events.count ? next : events[done + count - 1].sequence
    }

    /// The bytes of the event that comes next.
    var nextBytes: [UInt8] { [UInt8](bytes[lines[done]]) }

    mutating func finish(_ count: Int) {
        done += count
    }
}
