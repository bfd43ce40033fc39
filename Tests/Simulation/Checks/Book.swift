import RationModel
import RationPlanner
import RationStore
import RationWire

@testable import RationBroker

/// What one knows who sees all: every batch that was decided and may still be committed, and what was told of them.
struct Book {
    private(set) var batches: [DecidedBatch] = []
    /// The last batch of which anybody was told anything.
    private(set) var toldBatch: UInt64 = 0
    private var fold = Fold()
    private var bodies: Set<UInt64> = []
    private var numbers: [PublisherName: UInt64] = [:]
    /// By hash of the body: what was asked for.
    private var lines: [UInt64: [Line]] = [:]
    private var texts: [UInt64: [UInt8]] = [:]
    /// Hashes of the bodies of requests that were refused for good, and not by a committed refusal.
    private var refused: Set<UInt64> = []
    /// By id, the title of what was scheduled last; and of events that are due, that of before their batch.
    private var titles: [String: String] = [:]
    private var expectedTitles: [UInt64: String] = [:]
    /// Events, one behind another: those of `batches`.
    private var events: [LoggedEvent] = []

    var lastSequence: UInt64 { UInt64(events.count) }
    var eventBytes: Int { events.reduce(0) { $0 + $1.bytes.count } }

    mutating func submit(_ body: [UInt8], _ lines: [Line]) {
        texts[Self.hash(body)] = body
        self.lines[Self.hash(body)] = lines
    }

    /// The body of a request, by its hash.
    func text(_ body: UInt64) -> [UInt8] { texts[body] ?? [] }

    static func hash(_ body: [UInt8]) -> UInt64 { body.withUnsafeBytes { ByteHash.hash($0, seed: 0) } }

    /// Takes in a batch that was decided.
    mutating func decide(_ batch: DecidedBatch) throws(Breach) {
        guard batch.number == UInt64(batches.count) + 1 else {
            throw Breach("batch \(batch.number) follows batch \(batches.count)")
        }
        if let last = batches.last, batch.now < last.now {
            throw Breach("batch \(batch.number) is of \(batch.now.rfc3339), the one before of \(last.now.rfc3339)")
        }
        for stored in batch.stored {
            guard stored.number == (numbers[stored.publisher] ?? 0) + 1 else {
                throw Breach(
                    "number \(stored.number) of \(stored.publisher) is applied after \(numbers[stored.publisher] ?? 0)")
            }
            numbers[stored.publisher] = stored.number
        }
        for body in batch.bodies {
            guard bodies.insert(body).inserted else {
                throw Breach("a request is applied twice in batch \(batch.number)")
            }
        }
        try checkLetters(batch)
        try checkFeedback(batch)
        try add(batch)
    }

    private mutating func add(_ batch: DecidedBatch) throws(Breach) {
        for event in batch.events where event.kind == .due { expectedTitles[event.sequence] = titles[event.id] }
        for (body, answer) in zip(batch.bodies, batch.answers) {
            for (line, letter) in zip(lines[body] ?? [], try Self.letters(answer)) where !line.title.isEmpty {
                guard letter != Outcome.rejected.rawValue else { continue }
                titles[line.id] = line.title
            }
        }
        for event in batch.events {
            guard event.sequence == UInt64(events.count) + 1 else {
                throw Breach("event \(event.sequence) follows event \(events.count)")
            }
            events.append(event)
            fold.take(event)
        }
        batches.append(batch)
    }

    /// The events of a batch are on their way to the disk, with their contents.
    mutating func write(_ row: [LoggedEvent]) throws(Breach) {
        for event in row {
            let place = Int(event.sequence) - 1
            guard events.indices.contains(place), events[place].batch == event.batch, events[place].id == event.id,
                events[place].kind == event.kind
            else { throw Breach("event \(event.sequence) is written otherwise than it was decided") }
            events[place].bytes = event.bytes
            guard event.kind == .due else { continue }
            let title = expectedTitles[event.sequence] ?? ""
            guard String(decoding: event.content, as: UTF8.self).contains("\"title\":\"\(title)\"") else {
                throw Breach("\(event.id) is due with \(Self.text(event.content)), and is titled '\(title)'")
            }
        }
    }

    /// Compares what all events say with a plan.
    func check(_ plan: RecipientPlan) throws(Breach) {
        try fold.check(plan, now: batches.last?.now ?? .distantPast)
    }

    /// A broker has started, and its log ends with a batch: those behind it are gone for ever.
    mutating func restart(at last: UInt64) throws(Breach) {
        guard last >= toldBatch else {
            throw Breach("batch \(toldBatch) was told, and the log ends with batch \(last)")
        }
        guard last <= UInt64(batches.count) else {
            throw Breach("the log ends with batch \(last), and batch \(batches.count) was the last one decided")
        }
        let kept = batches.prefix(Int(last))
        let written = events
        (batches, events, fold, bodies, numbers) = ([], [], Fold(), [], [:])
        (titles, expectedTitles) = ([:], [:])
        for batch in kept {
            bodies.formUnion(batch.bodies)
            for stored in batch.stored { numbers[stored.publisher] = stored.number }
            try add(batch)
        }
        for place in events.indices { events[place].bytes = written[place].bytes }
    }

    /// Somebody was told an answer to a request.
    mutating func answer(_ body: [UInt8], to request: [UInt8]) throws(Breach) {
        let hash = Self.hash(request)
        guard let batch = batches.last(where: { $0.bodies.contains(hash) }),
            let place = batch.bodies.firstIndex(of: hash)
        else { throw Breach("a request was answered that is in no batch: \(Self.text(body))") }
        guard batch.answers[place] == body else {
            throw Breach("a request was answered \(Self.text(body)), and decided \(Self.text(batch.answers[place]))")
        }
        toldBatch = max(toldBatch, batch.number)
    }

    /// Somebody was told that a request is refused for good.
    mutating func refuse(_ request: [UInt8], _ fault: RequestFault) throws(Breach) {
        refused.insert(Self.hash(request))
        try checkRefused(fault.message)
    }

    func checkRefused(_ words: String = "") throws(Breach) {
        guard refused.isDisjoint(with: bodies) else { throw Breach("a request was refused and applied: \(words)") }
    }

    /// Somebody was told an event.
    mutating func tell(_ bytes: [UInt8], sequence: UInt64) throws(Breach) {
        guard sequence > 0, sequence <= UInt64(events.count) else {
            throw Breach("event \(sequence) was told, and the log has \(events.count)")
        }
        let event = events[Int(sequence) - 1]
        guard !event.bytes.isEmpty else { throw Breach("event \(sequence) was told, and is not even written") }
        guard event.bytes == bytes else {
            throw Breach("event \(sequence) was told as \(Self.text(bytes)), and decided as \(Self.text(event.bytes))")
        }
        toldBatch = max(toldBatch, event.batch)
    }

    /// Whether a request of a named publisher is applied.
    func holds(_ request: [UInt8]) -> Bool { bodies.contains(Self.hash(request)) }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(600), as: UTF8.self) }

    /// Bytes of the rows of events behind a position, as they are rendered.
    func bytes(after sequence: UInt64) -> Int {
        events.dropFirst(Int(sequence)).reduce(0) { $0 + $1.bytes.count }
    }
}

/// Outcomes that are acknowledged agree with events.
extension Book {
    private func checkLetters(_ batch: DecidedBatch) throws(Breach) {
        let all = batch.bodies.compactMap { lines[$0] }.joined()
        for (body, answer) in zip(batch.bodies, batch.answers) {
            guard let lines = lines[body] else { throw Breach("batch \(batch.number) has a request that nobody sent") }
            let letters = try Self.letters(answer)
            guard letters.count == lines.count else {
                throw Breach("\(lines.count) lines got \(letters.count) outcomes: \(Self.text(answer))")
            }
            for (line, letter) in zip(lines, letters) where line.kind == .fresh {
                guard all.count(where: { ($0.device, $0.id) == (line.device, line.id) }) == 1,
                    // Of one without a name, requests may come after later ones.
                    !events.contains(where: { $0.id == line.id })
                else { continue }
                try check(letter, line, batch)
            }
        }
    }

    /// Feedback that is acknowledged is told once each, in the order in which it came, behind what was decided.
    private func checkFeedback(_ batch: DecidedBatch) throws(Breach) {
        var wanted: [String] = []
        for (body, answer) in zip(batch.bodies, batch.answers) {
            for (line, letter) in zip(lines[body] ?? [], try Self.letters(answer)) where line.kind == .feedback {
                guard letter == Outcome.done.rawValue else { throw Breach("feedback of \(line.id) is not taken") }
                wanted.append("\(line.device)/\(line.id)")
            }
        }
        let told = batch.events.drop { !$0.kind.isFeedback }
        guard told.allSatisfy(\.kind.isFeedback), told.map({ "\($0.device)/\($0.id)" }) == wanted
        else {
            throw Breach("batch \(batch.number) was told feedback of \(wanted), and tells \(batch.events.map(\.id))")
        }
    }

    private static func letters(_ answer: [UInt8]) throws(Breach) -> [UInt8] {
        do throws(AnswerFault) {
            return try answer.withUnsafeBufferPointer { (bytes) throws(AnswerFault) in
                Array(try Acknowledgement(number: 0, body: UnsafeRawBufferPointer(bytes)).outcomes.utf8)
            }
        } catch {
            throw Breach("an acknowledgement cannot be read: \(error.message): \(text(answer))")
        }
    }

    private func check(_ letter: UInt8, _ line: Line, _ batch: DecidedBatch) throws(Breach) {
        let events = batch.events.filter { ($0.device, $0.id) == (line.device, line.id) && !$0.kind.isFeedback }
        let isRight =
            switch Outcome(rawValue: letter) {
            case .held: events.map(\.kind) == [.accepted] && events[0].cause == .new
            case .queued: events.map(\.kind) == [.queued] && events[0].cause == .new
            case .evicted: events.map(\.kind) == [.evicted] && events[0].isFinal == true
            case .expired: events.map(\.kind) == [.expired] && events[0].isFinal == true
            default: false
            }
        guard isRight else {
            throw Breach(
                "\(line.id) is acknowledged '\(Character(Unicode.Scalar(letter)))', and its events are "
                    + "\(events.map { ($0.kind, $0.cause) })")
        }
    }
}
