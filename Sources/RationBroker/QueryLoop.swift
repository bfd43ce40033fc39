import RationBus
import RationModel
import RationStore
import RationWire

/// The reading thread: the event log, plans and status, so that a long answer stops nobody's acknowledgement, and
/// policies, whose documents take a while to read. It owns the queries and the admin socket.
struct QueryLoop: ~Copyable {
    /// A `read` that waits for events.
    private struct Parked {
        var request: ReadRequest
        var address: ReplyAddress
        var numberFrame: [UInt8]
        var deadline: Int
    }

    private let socket: Socket
    private let store: any Store
    private let decide: DecideMailbox
    private let mailbox: QueryMailbox
    private let board: StatusBoard
    private var log: LogReader
    private var admin: AdminDesk
    private var explaining: ExplainDesk
    private var reader = QueryReader()
    private var sender: AnswerSender
    private var message = Message()
    private var parked: [Parked] = []
    private var malformed = 0
    private let connections: ConnectionWatch
    /// What the board has.
    private var shown = QueryCounters()

    /// Reads that may wait at once; beyond, a client is told `busy`.
    private static let parkedLimit = 4096
    /// Requests of one turn, so that waiting reads get theirs.
    private static let requestsPerTurn = 256

    init(socket: Socket, admin: consuming AdminDesk, connections: ConnectionWatch, broker: BrokerParts) {
        self.socket = socket
        self.admin = admin
        self.connections = connections
        store = broker.store
        decide = broker.decideMailbox
        mailbox = broker.queryMailbox
        board = broker.board
        log = LogReader(store: broker.store, board: broker.board)
        explaining = ExplainDesk(store: broker.store, decide: broker.decideMailbox, board: broker.board)
        sender = AnswerSender(socket: socket)
    }

    /// Works until it is told to stop.
    mutating func run() throws {
        socket.adopt()
        admin.socket.adopt()
        connections.adopt()
        var poller = Poller()
        _ = try poller.add(socket)
        _ = try poller.add(admin.socket)
        let wakeup = poller.add(fileDescriptor: mailbox.wakeup.fileDescriptor)
        while !mailbox.isStopping {
            try poller.wait(milliseconds: timeout())
            // A damaged row was read, or a commit has failed: what is read is incomplete.
            if let failure = store.failure { throw failure }
            if poller.isReadable(wakeup) { mailbox.wakeup.drain() }
            for answer in mailbox.takeAnswers(on: .queries) { try sender.send(answer) }
            var taken = 0
            while taken < Self.requestsPerTurn, !mailbox.isStopping, try socket.receive(into: &message) {
                taken += 1
                if let answer = handle() { try sender.send(answer) }
            }
            try serveParked()
            for answer in explaining.advance(mailbox) { try sender.send(answer) }
            try admin.serve(mailbox)
            try showCounters()
        }
        admin.awaitDesks()
        try admin.serve(mailbox)
        for answer in mailbox.takeAnswers(on: .queries) { try sender.send(answer) }
        for answer in explaining.refuse(mailbox) { try sender.send(answer) }
        for waiting in parked {
            try sender.send(
                Answer(
                    RequestFault(.stopping, "the broker stops; ask again later"), to: waiting.address,
                    number: waiting.numberFrame))
        }
        socket.close()
        admin.socket.close()
    }

    private func timeout() -> Int {
        guard !explaining.isSearching else { return 0 }
        guard let next = parked.map(\.deadline).min() else { return 1000 }
        return min(1000, max(0, next - Monotonic.milliseconds()))
    }

    /// Takes one message.
    /// - Returns: an answer that can be given at once.
    private mutating func handle() -> Answer? {
        do throws(IncomingRequest.Refused) {
            let request = try IncomingRequest(message)
            do throws(RequestFault) {
                return try answer(request)
            } catch {
                return Answer(error, to: request.address, number: request.numberFrame)
            }
        } catch {
            malformed += 1
            return Answer(error.fault, to: error.address, number: error.numberFrame)
        }
    }

    private mutating func showCounters() throws(ZeroMQError) {
        let counters = QueryCounters(
            malformed: malformed + admin.malformed, answersDropped: sender.dropped + admin.answersDropped,
            connections: try connections.drain())
        guard counters != shown else { return }
        shown = counters
        board.update { $0.queries = counters }
    }

    private mutating func answer(_ request: IncomingRequest) throws(RequestFault) -> Answer? {
        switch request.name {
        case .hello:
            return Hello.answer(to: request, reader: &reader, store: store, server: board.server)
        case .status:
            try reader.status(request.body)
            return answer(request, [board.json])
        case .plan:
            let (app, device) = try reader.plan(request.body)
            let plan = DecideMailbox.PlanRequest(
                app: app, device: device, address: request.address, numberFrame: request.numberFrame)
            guard decide.ask(plan) else {
                throw RequestFault(.busy, "\(DecideMailbox.planLimit) plans are asked for already")
            }
            return nil
        case .snapshot:
            let question = DecideMailbox.SnapshotQuestion(
                request: try reader.snapshot(request.body), address: request.address, numberFrame: request.numberFrame)
            guard decide.ask(question) else {
                throw RequestFault(.busy, "\(DecideMailbox.snapshotLimit) pages of snapshots are asked for already")
            }
            return nil
        case .explain:
            try explaining.ask(try reader.explain(request.body), request)
            return nil
        case .read:
            return try read(request)
        case .log:
            return answer(request, [try log.answer(try reader.log(request.body)).body])
        case .publish:
            throw RequestFault(.unknown, "'publish' is answered on the intents endpoint")
        case .policy, .clock, .backup, .stop, .devices, .forget, .holding:
            throw RequestFault(.unknown, "'\(request.name.rawValue)' is answered on the admin endpoint")
        }
    }

    private func answer(_ request: IncomingRequest, _ bodies: [[UInt8]]) -> Answer {
        Answer(
            address: request.address, name: Array(request.name.frame.utf8), number: request.numberFrame, bodies: bodies)
    }

    private mutating func read(_ request: IncomingRequest) throws(RequestFault) -> Answer? {
        var read = try reader.read(request.body)
        let page = try log.page(read)
        guard page.isAtEnd, page.isEmpty, read.waitMilliseconds > 0 else { return answer(request, page.bodies) }
        guard parked.count < Self.parkedLimit else {
            throw RequestFault(.busy, "\(Self.parkedLimit) reads wait already")
        }
        read.after = page.answer.next
        parked.append(
            Parked(
                request: read, address: request.address, numberFrame: request.numberFrame,
                deadline: Monotonic.milliseconds() + read.waitMilliseconds))
        mailbox.setHasReaders(true)
        return nil
    }

    /// Gives waiting reads what has come, or an empty page when their time is up.
    private mutating func serveParked() throws {
        guard !parked.isEmpty else { return }
        let now = Monotonic.milliseconds()
        let last = store.range.last
        var waiting: [Parked] = []
        for var entry in parked {
            guard entry.request.after < last || entry.deadline <= now else {
                waiting.append(entry)
                continue
            }
            let answer: Answer
            do throws(RequestFault) {
                let page = try log.page(entry.request)
                if page.isEmpty && page.isAtEnd && entry.deadline > now {
                    entry.request.after = page.answer.next
                    waiting.append(entry)
                    continue
                }
                answer = Answer(
                    address: entry.address, name: Array(RequestName.read.frame.utf8), number: entry.numberFrame,
                    bodies: page.bodies)
            } catch {
                answer = Answer(error, to: entry.address, number: entry.numberFrame)
            }
            try sender.send(answer)
        }
        parked = waiting
        mailbox.setHasReaders(!parked.isEmpty)
    }
}
