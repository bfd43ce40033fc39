public import RationWire

/// Asks a broker's queries endpoint, or its admin endpoint (wire.md, "Reading the log", "Other queries"). Reading changes
/// nothing, and neither does replacing a policy by itself, so whatever has no answer is asked again: after a deadline, a
/// lost connection, `busy`, `full` or `stopping`.
///
/// One thread uses it, for one query at a time.
public final class QueryClient {
    public struct Options: Hashable, Sendable {
        /// How long an answer, beyond what the query itself waits, or a connection may take before the client connects
        /// anew.
        public var deadlineMilliseconds: Int64 = 10_000
        /// The waits before further tries.
        public var backoff = Backoff()

        public init() {}
    }

    /// A page of the event log.
    public struct Page: Hashable, Sendable {
        public var answer: ReadAnswer
        /// NDJSON, one event a line.
        public var events: [UInt8]

        public init(answer: ReadAnswer, events: [UInt8]) {
            (self.answer, self.events) = (answer, events)
        }
    }

    /// A page of all recipients' plans.
    public struct SnapshotPage: Hashable, Sendable {
        public var answer: SnapshotAnswer
        /// NDJSON, one plan a line, as `plan` answers it.
        public var plans: [UInt8]
    }

    enum Phase {
        case resting(until: Int64)
        case opening(ClientConnection, deadline: Int64)
        case ready(ClientConnection)
    }

    struct Question {
        var number: UInt64
        var name: StaticString
        var body: [UInt8]
        /// How long the broker may wait before it answers.
        var patience: Int64
        /// When the answer is overdue; nil: it is not sent yet.
        var deadline: Int64?
    }

    public let endpoint: String
    private let options: Options
    private let context: Context
    private let clock: any MonotonicClock
    private var random: any RandomNumberGenerator
    private var backoff: Backoff
    private var phase = Phase.resting(until: 0)
    private var question: Question?
    private var lastNumber: UInt64 = 0
    private var pausedUntil = Int64.min
    private var message = Message()

    /// Connects at the first query.
    /// - Parameter endpoint: the broker's endpoint for queries.
    public init(
        endpoint: String, in context: Context, options: Options = Options(),
        clock: any MonotonicClock = SystemMonotonicClock(),
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.endpoint = endpoint
        self.options = options
        self.context = context
        self.clock = clock
        self.random = random
        backoff = options.backoff
    }

    /// A page of the event log; waits for it.
    /// - Parameter timeoutMilliseconds: the longest wait, beyond the one that the request names.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func read(_ request: ReadRequest, timeoutMilliseconds: Int) throws -> Page {
        begin(.read, body: request.body, patience: Int64(request.waitMilliseconds))
        return try page(awaitAnswer(timeoutMilliseconds + request.waitMilliseconds))
    }

    /// What of the event log is kept, and where in it a time is; waits for it.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func log(_ request: LogRequest, timeoutMilliseconds: Int) throws -> LogAnswer {
        begin(.log, body: request.body)
        return try logAnswer(awaitAnswer(timeoutMilliseconds))
    }

    /// What a recipient holds and what waits: the answer's one JSON object.
    /// - Throws: ``QueryError``, refused with `unknown` for a recipient that the broker does not know; ``ZeroMQError``.
    public func plan(app: String, device: String, timeoutMilliseconds: Int) throws -> [UInt8] {
        begin(
            .plan,
            body: ObjectText.bytes {
                $0.text("app", app)
                $0.text("device", device)
            })
        return try awaitAnswer(timeoutMilliseconds)[0]
    }

    /// A page of all recipients' plans; waits for it.
    /// - Throws: ``QueryError``, refused with `unknown` for a page of a snapshot that was begun at another process of the
    ///   broker; ``ZeroMQError``.
    public func snapshot(_ request: SnapshotRequest, timeoutMilliseconds: Int) throws -> SnapshotPage {
        begin(.snapshot, body: request.body)
        let bodies = try awaitAnswer(timeoutMilliseconds)
        guard bodies.count == 2 else {
            throw QueryError(.answer, endpoint, "a page of a snapshot has \(bodies.count) frames, expected 2")
        }
        let answer = try parse { () throws(AnswerFault) in
            try bodies[0].withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try SnapshotAnswer(body: UnsafeRawBufferPointer(body))
            }
        }
        return SnapshotPage(answer: answer, plans: bodies[1])
    }

    /// What was decided about one notification, when and why: the answer's one JSON object.
    /// - Throws: ``QueryError``, refused with `unknown` for a notification that is neither pending nor in the log;
    ///   ``ZeroMQError``.
    public func explain(app: String, device: String, id: String, timeoutMilliseconds: Int) throws -> [UInt8] {
        begin(
            .explain,
            body: ObjectText.bytes {
                $0.text("app", app)
                $0.text("device", device)
                $0.text("id", id)
            })
        return try awaitAnswer(timeoutMilliseconds)[0]
    }

    /// The broker's counters: the answer's one JSON object.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func status(timeoutMilliseconds: Int) throws -> [UInt8] {
        begin(.status, body: Array("{}".utf8))
        return try awaitAnswer(timeoutMilliseconds)[0]
    }

    /// Reads, validates or replaces the policy, on the admin endpoint: the answer's one JSON object.
    /// - Throws: ``QueryError``, refused with `invalidPolicy` and all faults for a policy that cannot be used;
    ///   ``ZeroMQError``.
    public func policy(_ request: PolicyRequest, timeoutMilliseconds: Int) throws -> [UInt8] {
        begin(.policy, body: request.body)
        return try awaitAnswer(timeoutMilliseconds)[0]
    }

    /// Asks how the broker's clock is, or has it believe the wall clock from now on, on the admin endpoint: the answer's one
    /// JSON object.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func clock(accepting accepts: Bool, timeoutMilliseconds: Int) throws -> [UInt8] {
        begin(.clock, body: ObjectText.bytes { $0.text("do", accepts ? "accept" : "read") })
        return try awaitAnswer(timeoutMilliseconds)[0]
    }

    /// Has a backup made, on the admin endpoint; waits until it is done.
    /// - Parameter folder: an absolute path for the broker, of a folder that is not there or is empty.
    /// - Throws: ``QueryError``, refused with `backupFailed` and why; ``ZeroMQError``.
    public func backup(to folder: String, timeoutMilliseconds: Int) throws -> BackupAnswer {
        begin(.backup, body: ObjectText.bytes { $0.text("folder", folder) }, patience: Int64(timeoutMilliseconds))
        let body = try awaitAnswer(timeoutMilliseconds)[0]
        return try parse { () throws(AnswerFault) in
            try body.withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try BackupAnswer(body: UnsafeRawBufferPointer(body))
            }
        }
    }

    /// Has a recipient forgotten, on the admin endpoint; waits until nothing is kept of it.
    /// - Throws: ``QueryError``, refused with `unknown` where nothing was kept, `forgetFailed` with why it is not done yet;
    ///   ``ZeroMQError``.
    public func forget(_ request: ForgetRequest, timeoutMilliseconds: Int) throws -> ForgetAnswer {
        begin(.forget, body: request.body, patience: Int64(timeoutMilliseconds))
        let body = try awaitAnswer(timeoutMilliseconds)[0]
        return try parse { () throws(AnswerFault) in
            try body.withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try ForgetAnswer(body: UnsafeRawBufferPointer(body))
            }
        }
    }

    /// Has the broker stop, on the admin endpoint. It ends after this has returned.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func stop(timeoutMilliseconds: Int) throws -> StopAnswer {
        begin(.stop, body: Array("{}".utf8))
        let body = try awaitAnswer(timeoutMilliseconds)[0]
        return try parse { () throws(AnswerFault) in
            try body.withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try StopAnswer(body: UnsafeRawBufferPointer(body))
            }
        }
    }

    /// Where pushes for these recipients go, on the admin endpoint.
    /// - Parameter recipients: at most ``DevicesRequest/limit``.
    /// - Returns: one for each, in their order; nil for one that the broker does not know.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func devices(
        _ recipients: [DevicesRequest.Recipient], timeoutMilliseconds: Int
    ) throws -> [DeviceAddress?] {
        begin(.devices, body: DevicesRequest(recipients).body)
        let body = try awaitAnswer(timeoutMilliseconds)[0]
        return try parse { () throws(AnswerFault) in
            try body.withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try DevicesAnswer(body: UnsafeRawBufferPointer(body), count: recipients.count).addresses
            }
        }
    }

    func awaitAnswer(_ timeoutMilliseconds: Int) throws -> [[UInt8]] {
        let end = clock.milliseconds + Int64(timeoutMilliseconds)
        while true {
            if let bodies = try advance() { return bodies }
            let now = clock.milliseconds
            guard now < end else {
                question = nil
                throw QueryError(.noAnswer, endpoint, "no broker answers after \(timeoutMilliseconds) ms")
            }
            try wait(milliseconds: Int(min(end, nextTime(after: now)) - now))
        }
    }

    private func wait(milliseconds: Int) throws(ZeroMQError) {
        var poller = Poller()
        let items = try enlist(in: &poller)
        try poller.wait(milliseconds: max(0, milliseconds))
        if let items { try connection?.look(at: poller, items) }
    }
}

/// For whoever waits for several things at once.
extension QueryClient {
    /// Begins a query; the answer to an earlier one is not awaited any more.
    /// - Parameter patience: milliseconds that the broker may wait before it answers.
    func begin(_ name: RequestName, body: [UInt8], patience: Int64 = 0) {
        lastNumber += 1
        let frame: StaticString =
            switch name {
            case .read: "ration/1 read"
            case .log: "ration/1 log"
            case .plan: "ration/1 plan"
            case .snapshot: "ration/1 snapshot"
            case .explain: "ration/1 explain"
            case .status: "ration/1 status"
            case .hello: "ration/1 hello"
            case .publish: "ration/1 publish"
            case .policy: "ration/1 policy"
            case .clock: "ration/1 clock"
            case .backup: "ration/1 backup"
            case .stop: "ration/1 stop"
            case .devices: "ration/1 devices"
            case .forget: "ration/1 forget"
            case .holding: "ration/1 holding"
            }
        question = Question(number: lastNumber, name: frame, body: body, patience: patience)
    }

    /// There is a sign that the broker is there: the next try is now.
    func hurry() {
        if case .resting = phase { phase = .resting(until: 0) }
    }

    /// Whether an answer is awaited.
    var isAsking: Bool { question != nil }

    /// The connection that is waited for; nil: none.
    var connection: ClientConnection? {
        switch phase {
        case .resting: nil
        case .opening(let connection, _), .ready(let connection): connection
        }
    }

    /// Adds what is waited for to a poller.
    func enlist(in poller: inout Poller) throws(ZeroMQError) -> ClientConnection.PollItems? {
        switch phase {
        case .resting: return nil
        case .opening(let connection, _): return try connection.enlist(in: &poller, writable: true)
        case .ready(let connection):
            // A question that is not sent waits for the end of a pause, or for room.
            let isUnsent = question.map { $0.deadline == nil } ?? false
            return try connection.enlist(in: &poller, writable: isUnsent && clock.milliseconds >= pausedUntil)
        }
    }

    /// When something has to be done even if nothing comes.
    func nextTime(after now: Int64) -> Int64 {
        switch phase {
        case .resting(let time): question == nil ? .max : time
        case .opening(_, let deadline): deadline
        case .ready: min(question?.deadline ?? .max, pausedUntil > now ? pausedUntil : .max)
        }
    }

    /// Reads what a `read` has brought.
    func page(_ bodies: [[UInt8]]) throws(QueryError) -> Page {
        guard bodies.count == 2 else {
            throw QueryError(.answer, endpoint, "a page of the log has \(bodies.count) frames, expected 2")
        }
        let answer = try parse { () throws(AnswerFault) in
            try bodies[0].withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try ReadAnswer(body: UnsafeRawBufferPointer(body))
            }
        }
        return Page(answer: answer, events: bodies[1])
    }

    /// Reads what a `log` has brought.
    func logAnswer(_ bodies: [[UInt8]]) throws(QueryError) -> LogAnswer {
        try parse { () throws(AnswerFault) in
            try bodies[0].withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try LogAnswer(body: UnsafeRawBufferPointer(body))
            }
        }
    }

    /// Does all that can be done now without waiting.
    /// - Returns: the answer's frames behind the number, at least one; nil: there is no answer yet.
    /// - Throws: ``QueryError`` for a refusal, ``ZeroMQError``.
    func advance() throws -> [[UInt8]]? {
        let now = clock.milliseconds
        while true {
            switch phase {
            case .resting(let time):
                guard question != nil, now >= time else { return nil }
                pausedUntil = .min
                let connection = try ClientConnection(endpoint, in: context)
                phase = .opening(connection, deadline: now + options.deadlineMilliseconds)
            case .opening(let connection, let deadline):
                if connection.isWritable {
                    phase = .ready(connection)
                } else if connection.isLost || now >= deadline {
                    reconnect(now)
                } else {
                    return nil
                }
            case .ready(let connection):
                if let bodies = try receive(from: connection, now) { return bodies }
                guard connection.isLost || now >= question?.deadline ?? .max else {
                    try send(on: connection, now)
                    return nil
                }
                reconnect(now)
            }
        }
    }

    private func send(on connection: ClientConnection, _ now: Int64) throws(ZeroMQError) {
        guard let asked = question, asked.deadline == nil, now >= pausedUntil else { return }
        if try connection.send(asked.name, number: asked.number, body: asked.body) {
            question?.deadline = now + asked.patience + options.deadlineMilliseconds
        }
    }

    private func receive(from connection: ClientConnection, _ now: Int64) throws -> [[UInt8]]? {
        while try connection.socket.receive(into: &message) {
            guard let answer = AnswerFrames(message), let asked = question, answer.number == asked.number else {
                continue
            }
            guard answer.isNamed(Frame.error) else {
                backoff.succeed()
                question = nil
                return (2..<message.frameCount).map { message.bytes($0) }
            }
            let fault = try parse { () throws(AnswerFault) in try RequestFault(body: answer.body) }
            guard fault.isTemporary else {
                question = nil
                throw QueryError(.refused(fault), endpoint, "\(fault.message) (\(fault.code.rawValue))")
            }
            pausedUntil = now + backoff.fail(&random)
            question?.deadline = nil
        }
        return nil
    }

    private func reconnect(_ now: Int64) {
        question?.deadline = nil
        phase = .resting(until: now + backoff.fail(&random))
    }

    func parse<Value>(_ body: () throws(AnswerFault) -> Value) throws(QueryError) -> Value {
        do throws(AnswerFault) {
            return try body()
        } catch {
            throw QueryError(.answer, endpoint, error.message)
        }
    }
}
