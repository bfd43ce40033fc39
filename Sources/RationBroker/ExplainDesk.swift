import RationModel
import RationPlanner
import RationStore
import RationWire

/// An `explain` on its way from the reading thread to the deciding one.
struct ExplainRequest: Sendable {
    var app: String
    var device: String
    var id: String
    var address: ReplyAddress
    var numberFrame: [UInt8]
}

/// What the deciding thread says of a notification; the log says the rest.
struct Explained: Sendable {
    var request: ExplainRequest
    /// nil for one that is not pending.
    var explanation: Explanation?
    /// The recipient's time zone.
    var zone: ZoneTable
    /// The last batch's instant.
    var now: Instant
    /// Of the last event that it has seen.
    var sequence: UInt64
}

/// Answers `explain` (wire.md, "Other queries"): the deciding thread explains what is pending, and the log is searched
/// here, a slice in each turn of the reading thread, so that a long log holds up no other query.
struct ExplainDesk {
    private struct Search {
        var explained: Explained
        var events: EventSearch
    }

    private let store: any Store
    private let decide: DecideMailbox
    private var searches: [Search] = []
    /// Those that have no answer yet.
    private var openCount = 0

    /// Explanations that may be asked for at once; beyond, a client is told `busy`.
    private static let limit = 64

    private let board: StatusBoard

    init(store: any Store, decide: DecideMailbox, board: StatusBoard) {
        self.store = store
        self.board = board
        self.decide = decide
    }

    var isSearching: Bool { !searches.isEmpty }

    mutating func ask(
        _ named: (app: String, device: String, id: String), _ request: IncomingRequest
    ) throws(RequestFault) {
        guard openCount < Self.limit else {
            throw RequestFault(.busy, "\(Self.limit) explanations are asked for already")
        }
        openCount += 1
        decide.ask(
            ExplainRequest(
                app: named.app, device: named.device, id: named.id, address: request.address,
                numberFrame: request.numberFrame))
    }

    /// Takes what the deciding thread has said and goes on with the searches.
    /// - Returns: the answers that are ready.
    mutating func advance(_ mailbox: QueryMailbox) -> [Answer] {
        for explained in mailbox.takeExplained() {
            let events = EventSearch(explained.request, upTo: explained.sequence, in: store)
            searches.append(Search(explained: explained, events: events))
        }
        var answers: [Answer] = []
        var left: [Search] = []
        for var search in searches {
            do throws(StoreError) {
                try search.events.advance()
                if search.events.isDone { answers.append(Self.answer(search)) } else { left.append(search) }
            } catch {
                let request = search.explained.request
                answers.append(
                    Answer(board.fault(unreadable: error), to: request.address, number: request.numberFrame))
            }
        }
        searches = left
        openCount -= answers.count
        return answers
    }

    private static func answer(_ search: Search) -> Answer {
        let request = search.explained.request
        guard search.explained.explanation != nil || !search.events.found.isEmpty else {
            let fault = RequestFault(
                .unknown,
                "no notification '\(request.id)' of device '\(request.device)' of the app '\(request.app)' is pending, "
                    + "and the event log, which begins with event \(search.events.first), tells of none")
            return Answer(fault, to: request.address, number: request.numberFrame)
        }
        return Answer(
            address: request.address, name: Array(RequestName.explain.frame.utf8), number: request.numberFrame,
            bodies: [search.explained.body(events: search.events.found)])
    }

    /// Tells all that have no answer yet that the broker ends.
    mutating func refuse(_ mailbox: QueryMailbox) -> [Answer] {
        var requests = searches.map(\.explained.request) + mailbox.takeExplained().map(\.request)
        while let request = decide.takeExplain() { requests.append(request) }
        searches = []
        return requests.map { request in
            Answer(
                RequestFault(.stopping, "the broker stops; ask again later"), to: request.address,
                number: request.numberFrame)
        }
    }
}
