import Glibc
import RationBus
import RationPlanner
import RationStore
import RationWire

/// The admin endpoint (wire.md): policies and status for whoever may read the data folder. Documents are read and
/// validated here, in the reading thread; what is to be taken up goes to the deciding one, whose answer comes back.
struct AdminDesk: ~Copyable {
    let socket: Socket
    private let store: any Store
    private let decide: DecideMailbox
    private let board: StatusBoard
    private let zonesInForce: ZonesInForce
    private let policies: any PolicyReading
    private let notices: Notices
    private let backups: BackupDesk
    private let forgets: ForgetDesk
    private var holdings: HoldingDesk
    private var reader = QueryReader(maximumValues: QueryReader.policyValues)
    private var sender: AnswerSender
    private var message = Message()
    private(set) var malformed = 0
    var answersDropped: Int { sender.dropped }

    /// Requests of one turn, so that the queries get theirs.
    private static let requestsPerTurn = 8

    init(socket: Socket, policies: any PolicyReading, broker: BrokerParts) {
        self.socket = socket
        self.policies = policies
        store = broker.store
        decide = broker.decideMailbox
        board = broker.board
        zonesInForce = broker.zonesInForce
        notices = broker.notices
        backups = BackupDesk(store: broker.store, mailbox: broker.queryMailbox)
        forgets = broker.forgets
        holdings = HoldingDesk(store: broker.store, decide: broker.decideMailbox)
        sender = AnswerSender(socket: socket)
    }

    /// Waits until a backup that is being made is done and nothing is being erased, and the answers can be passed on.
    func awaitDesks() {
        backups.awaitEnd()
        forgets.awaitEnd()
    }

    /// Passes answers on and takes what has arrived.
    mutating func serve(_ mailbox: QueryMailbox) throws(ZeroMQError) {
        for answer in mailbox.takeAnswers(on: .admin) { try sender.send(answer) }
        for answer in holdings.advance(mailbox) { try sender.send(answer) }
        var taken = 0
        while taken < Self.requestsPerTurn, try socket.receive(into: &message) {
            taken += 1
            if let answer = handle() { try sender.send(answer) }
        }
    }

    /// Takes one message.
    /// - Returns: an answer that can be given at once.
    private mutating func handle() -> Answer? {
        do throws(IncomingRequest.Refused) {
            let request = try IncomingRequest(message)
            do throws(RequestFault) {
                guard let body = try answer(request) else { return nil }
                return Answer(
                    address: request.address, name: Array(request.name.frame.utf8), number: request.numberFrame,
                    bodies: [body])
            } catch {
                return Answer(error, to: request.address, number: request.numberFrame)
            }
        } catch {
            malformed += 1
            return Answer(error.fault, to: error.address, number: error.numberFrame)
        }
    }

    /// - Returns: the answer's body; nil when the deciding thread answers.
    private mutating func answer(_ request: IncomingRequest) throws(RequestFault) -> [UInt8]? {
        switch request.name {
        case .policy: return try policy(request)
        case .status:
            try reader.status(request.body)
            return board.json
        case .clock:
            let question = DecideMailbox.ClockQuestion(
                accepts: try reader.clock(request.body), address: request.address, numberFrame: request.numberFrame)
            guard decide.ask(question) else {
                throw RequestFault(.busy, "\(DecideMailbox.clockLimit) questions about the clock wait already")
            }
            return nil
        case .backup:
            try backups.begin(try reader.backup(request.body), for: request)
            return nil
        case .stop:
            try reader.stop(request.body)
            notices.post(.stopAsked)
            return StopAnswer(log: store.log, process: getpid()).body
        case .devices:
            let question = DecideMailbox.DevicesQuestion(
                recipients: try reader.devices(request.body), address: request.address,
                numberFrame: request.numberFrame)
            guard decide.ask(question) else {
                throw RequestFault(.busy, "\(DecideMailbox.devicesLimit) questions about devices wait already")
            }
            return nil
        case .holding:
            try holdings.ask(try reader.holding(request.body), request)
            return nil
        case .forget:
            let question = DecideMailbox.ForgetQuestion(
                recipient: try reader.forget(request.body), address: request.address, numberFrame: request.numberFrame)
            guard decide.ask(question) else {
                throw RequestFault(.busy, "another device waits to be forgotten already")
            }
            return nil
        case .hello, .publish, .read, .log, .plan, .snapshot, .explain:
            let endpoint = request.name == .publish ? "intents" : "queries"
            throw RequestFault(.unknown, "'\(request.name.rawValue)' is answered on the \(endpoint) endpoint")
        }
    }

    private mutating func policy(_ request: IncomingRequest) throws(RequestFault) -> [UInt8]? {
        switch try reader.policy(request.body) {
        case .read(let revision): return try read(revision)
        case .validate(let document):
            do throws(PolicyDocumentFaults) {
                let read = try policies.read(document, zones: zonesInForce.current.zones)
                return PolicyAnswer.validated(faults: [], warnings: read.warnings)
            } catch {
                return PolicyAnswer.validated(faults: error.faults, warnings: [])
            }
        case .replace(let document):
            try replace(document, request)
            return nil
        }
    }

    private func read(_ number: UInt64?) throws(RequestFault) -> [UInt8] {
        let policies = store.revisions(of: .policy)
        guard let found = number.map({ number in policies.last { $0.number == number } }) ?? policies.last else {
            let kept = policies.map { "\($0.number)" }.joined(separator: ", ")
            throw RequestFault(.unknown, "there is no policy revision \(number ?? 0); kept are \(kept)")
        }
        return found.shownBody(zones: store.revisions(of: .zones).last, backlog: board.replanBacklog)
    }

    private func replace(_ document: PolicyDocument, _ request: IncomingRequest) throws(RequestFault) {
        guard !board.isStopping else { throw RequestFault(.stopping, "the broker stops; send again later") }
        let zones = zonesInForce.current
        let read: (policy: CompiledPolicy, warnings: [DocumentProblem])
        do throws(PolicyDocumentFaults) {
            read = try policies.read(document, zones: zones.zones)
        } catch {
            throw RequestFault(
                .invalidPolicy, "the policy has \(error.faults.count) faults; the one in force stays",
                faults: error.faults)
        }
        let proposal = RevisionProposal(
            policy: PolicyRevision(read.policy, source: document.file ?? "the admin endpoint"),
            request: RevisionProposal.Request(
                address: request.address, numberFrame: request.numberFrame, warnings: read.warnings,
                zones: zones.number))
        guard decide.propose(proposal) else {
            throw RequestFault(.busy, "\(DecideMailbox.proposalLimit) policies wait already")
        }
    }
}
