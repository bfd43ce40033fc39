import RationModel
import RationWire
import TestSupport

@testable import RationBroker

/// A reader of the event log. A durable one keeps its position together with what it has read; one that listens takes live
/// events, and reads what it has missed.
final class SimulatedReader {
    private enum Mode {
        /// Asks where the log ends.
        case locating
        case reading
        case live
    }

    let listens: Bool
    private let keepsPositionFirst: Bool
    private let clock: SimulatedClock
    private var mode: Mode
    private var link: Link?
    private var asked: (number: UInt64, deadline: Int64)?
    private var questions: UInt64 = 0
    private var inbox: [(sequence: UInt64, payload: [UInt8]?)] = []
    /// What it has kept: durable.
    private(set) var position: UInt64 = 0
    private(set) var first: UInt64 = 1
    private(set) var output: [UInt64] = []
    private var log: String?
    /// Told as gone.
    private(set) var gone = 0

    init(listens: Bool, clock: SimulatedClock, keepsPositionFirst: Bool) {
        (self.listens, self.clock, self.keepsPositionFirst) = (listens, clock, keepsPositionFirst)
        mode = listens ? .locating : .reading
    }

    /// A live message has come: an event, or without payload how far the log is.
    func hear(_ sequence: UInt64, _ payload: [UInt8]?) {
        if listens { inbox.append((sequence, payload)) }
    }

    /// The process is killed and starts again with what it has kept; one that listens keeps nothing, and begins anew.
    func die(_ random: inout SplitMix64) {
        link?.close(&random)
        (link, asked, inbox) = (nil, nil, [])
        guard listens else { return }
        (position, first, output, mode) = (0, 1, [], .locating)
    }

    func turn(_ network: inout Network, _ book: inout Book, _ random: inout SplitMix64) throws {
        try listen(&book)
        guard mode != .live else { return }
        if let link, link.isLost || asked.map({ clock.milliseconds >= $0.deadline }) ?? false {
            link.close(&random)
            (self.link, asked) = (nil, nil)
        }
        if link == nil { link = network.connect() }
        guard let link else { return }
        if asked == nil { ask(link, &random) }
        while let answer = link.receive() {
            guard answer.number == Array("\(questions)".utf8) else { continue }
            asked = nil
            try take(answer, &book, &random)
        }
    }

    private func ask(_ link: Link, _ random: inout SplitMix64) {
        questions += 1
        var request = ReadRequest()
        request.log = log
        request.after = position
        request.most = mode == .locating ? 1 : 1 + Int(random.next() % 40)
        request.mostBytes = 1_000 + Int(random.next() % 30_000)
        if mode == .locating { (request.log, request.after) = (nil, 0) }
        link.send(.read(number: questions, body: request.body))
        asked = (questions, clock.milliseconds + 2_000)
    }

    private func take(_ answer: Answer, _ book: inout Book, _ random: inout SplitMix64) throws {
        guard answer.name == Array("ration/1 read".utf8), answer.bodies.count == 2 else {
            throw Breach("a read behind \(position) was answered \(Book.text(Array(answer.bodies.joined())))")
        }
        let page = try answer.bodies[0].withUnsafeBytes { try ReadAnswer(body: $0) }
        log = page.log
        if mode == .locating {
            (position, first) = (page.last, page.last + 1)
            mode = .reading
            return
        }
        if page.first > position + 1, position < page.last {
            gone += Int(page.first - position - 1)
            (position, first, output) = (page.first - 1, page.first, [])
        }
        let lines = answer.bodies[1].split(separator: UInt8(ascii: "\n")).map { Array($0) }
        if keepsPositionFirst {
            position = page.next
            guard random.next() % 8 != 0 else { return die(&random) }
            for line in lines { try keep(line, sequence: nil, &book) }
        } else {
            for line in lines { try keep(line, sequence: position + 1, &book) }
        }
        guard page.next == position else { throw Breach("a page ends at \(page.next), and its events at \(position)") }
        if listens, page.next >= page.last { mode = .live }
    }

    private func keep(_ line: [UInt8], sequence: UInt64?, _ book: inout Book) throws {
        let sequence = sequence ?? first + UInt64(output.count)
        try book.tell(line, sequence: sequence)
        output.append(sequence)
        position = max(position, sequence)
    }

    private func listen(_ book: inout Book) throws {
        while let (sequence, payload) = inbox.first {
            guard mode == .live else {
                // What is read already, and how far the log is, say nothing new; the rest waits.
                guard payload == nil || sequence <= position else { return }
                inbox.removeFirst()
                continue
            }
            if let payload, sequence == position + 1 {
                try keep(payload, sequence: sequence, &book)
            } else if sequence > position {
                mode = .reading
                if payload != nil { return }
            }
            inbox.removeFirst()
        }
    }
}
