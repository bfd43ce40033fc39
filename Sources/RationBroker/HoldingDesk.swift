import RationBus
import RationModel
import RationPlanner
import RationStore
import RationWire

/// A `holding` on its way from the reading thread to the deciding one.
struct HoldingQuestion: Sendable {
    var recipients: [DevicesRequest.Recipient]
    var address: ReplyAddress
    var numberFrame: [UInt8]
    /// How often it was answered with a content that had been moved.
    var failures = 0
}

/// What the deciding thread has found; the store has the contents.
struct FoundHoldings: Sendable {
    var question: HoldingQuestion
    /// One for each recipient; nil for an unknown one.
    var holdings: [Holding?]
    /// The last batch's instant, and its last event.
    var now: Instant
    var sequence: UInt64
}

/// Answers `holding` (wire.md, "Other queries"): the deciding thread says what is held, once it is committed, and the contents
/// are read here, in the reading thread, so that they keep no acknowledgement waiting. A batch that was committed meanwhile may
/// have moved a content; then the question is asked again.
struct HoldingDesk {
    /// Questions that may wait at once; beyond, a client is told `busy`.
    static let limit = 64
    /// Answers whose contents had moved, before that is taken for damage.
    private static let failureLimit = 8

    private let store: any Store
    private let decide: DecideMailbox

    init(store: any Store, decide: DecideMailbox) {
        (self.store, self.decide) = (store, decide)
    }

    func ask(_ recipients: [DevicesRequest.Recipient], _ request: IncomingRequest) throws(RequestFault) {
        let question = HoldingQuestion(
            recipients: recipients, address: request.address, numberFrame: request.numberFrame)
        guard decide.ask(question) else { throw Self.busy }
    }

    private static let busy = RequestFault(.busy, "\(limit) questions about what devices hold wait already")

    /// Takes what the deciding thread has found.
    /// - Returns: the answers that are ready.
    func advance(_ mailbox: QueryMailbox) -> [Answer] {
        mailbox.takeFoundHoldings().compactMap(answer)
    }

    /// - Returns: nil for a question that is asked again.
    private func answer(_ found: FoundHoldings) -> Answer? {
        let question = found.question
        do {
            let head = HoldingAnswer(log: store.log, sequence: found.sequence, now: found.now)
            return Answer(
                address: question.address, name: Array(RequestName.holding.frame.utf8), number: question.numberFrame,
                bodies: [head.body, try lines(found.holdings)])
        } catch {
            var again = question
            again.failures += 1
            guard again.failures < Self.failureLimit else {
                let fault = RequestFault(.damaged, "a content cannot be read: \(error)")
                return Answer(fault, to: question.address, number: question.numberFrame)
            }
            guard !decide.ask(again) else { return nil }
            return Answer(Self.busy, to: question.address, number: question.numberFrame)
        }
    }

    /// At least one line; none is added behind so many bytes.
    private func lines(_ holdings: [Holding?]) throws -> [UInt8] {
        var lines: [UInt8] = []
        for holding in holdings where lines.count < HoldingRequest.answerBytes {
            lines += try holding.map { try told($0).line } ?? ToldHolding.unknown
            lines.append(0x0A)
        }
        return lines
    }

    private func told(_ holding: Holding) throws -> ToldHolding {
        // A device that gets pushes shows nothing by itself.
        let held = holding.delivery == .local ? holding.held : []
        return ToldHolding(
            delivery: holding.delivery, timeZone: holding.timeZone,
            held: try held.map { try ToldHolding.Notification($0, content: content(of: $0)) })
    }

    private func content(of notification: HeldNotification) throws -> [UInt8] {
        switch notification.content {
        case .bytes(let bytes): return bytes
        case .stored(let position, let count, let hash):
            let content = Array(try store.content(at: position, count: count))
            // Another content may stand where this one stood.
            guard content.withUnsafeBytes({ ByteHash.hash($0, seed: 0) }) == hash else {
                throw StoreError(.damaged, path: "contents", "the content of '\(notification.id)' is another one")
            }
            return content
        }
    }
}

extension DecideLoop {
    mutating func answerHolding() {
        guard let question = mailbox.takeHolding() else { return }
        // The next turn goes on with the others.
        mailbox.wakeup.signal()
        let holdings = question.recipients.map { recipient in
            decider.core.holding(app: recipient.app, device: recipient.device, atMost: HoldingRequest.heldLimit)
        }
        say(
            .holdings(
                FoundHoldings(
                    question: question, holdings: holdings, now: decider.core.now, sequence: decider.lastSequence)))
    }
}

extension ToldHolding.Notification {
    /// - Parameter content: canonical JSON.
    init(_ held: HeldNotification, content: [UInt8]) {
        let repetition: ToldHolding.Repetition =
            switch held.repetition {
            case .never: .never
            case .interval(let milliseconds): .interval(milliseconds: milliseconds)
            case .calendar(let pattern, let timeZone): .calendar(pattern, timeZone: timeZone)
            }
        self.init(
            id: held.id, fireDate: held.fireDate, expires: held.expires == .distantFuture ? nil : held.expires,
            repetition: repetition, content: content)
    }
}
