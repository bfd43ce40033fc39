import RationModel
internal import RationWire

/// How a publishing client gets its connection and what it does with it.
extension PublishingClient {
    /// Does all that can be done now without waiting.
    func advance() throws {
        let now = clock.milliseconds
        var goesOn = true
        while goesOn {
            do {
                goesOn = try step(now)
            } catch let error as PublishingError {
                phase = .failed(error)
                throw error
            }
        }
    }

    /// - Returns: whether the phase has changed, so that there may be more to do.
    private func step(_ now: Int64) throws -> Bool {
        switch phase {
        case .resting(let time):
            guard now >= time else { return false }
            let connection = try ClientConnection(endpoint, in: context)
            phase = .opening(connection, deadline: now + options.deadlineMilliseconds)
            return true
        case .opening(let connection, let deadline):
            return try open(connection, deadline, now)
        case .greeting(let connection, let deadline):
            return try awaitGreeting(on: connection, deadline, now)
        case .ready(let connection):
            return try exchange(on: connection, now)
        case .failed(let error):
            throw error
        }
    }

    private func open(_ connection: ClientConnection, _ deadline: Int64, _ now: Int64) throws -> Bool {
        guard !connection.isLost, now < deadline else { return reconnect(now) }
        guard !publisher.isEmpty else {
            if connection.isWritable { phase = .ready(connection) }
            return connection.isWritable
        }
        // Requests have numbers from 1 on.
        guard try connection.send("ration/1 hello", number: 0, body: Hello.request(publisher: publisher)) else {
            return false
        }
        phase = .greeting(connection, deadline: deadline)
        return true
    }

    private func awaitGreeting(on connection: ClientConnection, _ deadline: Int64, _ now: Int64) throws -> Bool {
        while try connection.socket.receive(into: &message) {
            guard let answer = AnswerFrames(message), answer.number == 0 else { continue }
            if answer.isNamed(Frame.error) {
                let fault = try read(answer) { (body) throws(AnswerFault) in try RequestFault(body: body) }
                guard fault.isTemporary else { throw PublishingError(.refused, Self.words(for: fault)) }
                return reconnect(now)
            }
            let hello = try read(answer) { (body) throws(AnswerFault) in try Hello(body: body) }
            try reconcile(with: hello)
            phase = .ready(connection)
            return true
        }
        return connection.isLost || now >= deadline ? reconnect(now) : false
    }

    /// Receives the answers, watches the deadlines, and sends what may be sent.
    private func exchange(on connection: ClientConnection, _ now: Int64) throws -> Bool {
        while try connection.socket.receive(into: &message) {
            guard let answer = AnswerFrames(message), window.isUnderWay(answer.number) else { continue }
            guard try take(answer, now) else { return reconnect(now) }
        }
        try handOnFinished()
        if connection.isLost || now >= window.earliestDeadline ?? .max { return reconnect(now) }
        guard now >= pausedUntil else { return false }
        isBlocked = false
        while !isBlocked, let number = window.nextWaiting(within: brokerWindow) {
            let isSent = try connection.send(
                "ration/1 publish", publisher: publisherBytes, number: number, body: window.body(of: number))
            if isSent { window.markSent(number, deadline: now + options.deadlineMilliseconds) }
            isBlocked = !isSent
        }
        return false
    }

    /// Ends the connection and waits before the next try.
    /// - Returns: true: the phase has changed.
    private func reconnect(_ now: Int64) -> Bool {
        let isNamed = !publisher.isEmpty
        window.loseConnection { number, answer in
            // Without a name nothing is asked twice: an answer stands, and what was under way stays unknown.
            isNamed ? nil : answer ?? .unknown(number: number &+ numberOffset)
        }
        _ = window.takeFinished(into: &answers)
        pausedUntil = .min
        isBlocked = false
        phase = .resting(until: now + backoff.fail(&random))
        return true
    }

    func handOnFinished() throws {
        if let last = window.takeFinished(into: &answers) { try outbox?.remove(through: last) }
    }

    func read<Value>(
        _ answer: AnswerFrames, _ body: (UnsafeRawBufferPointer) throws(AnswerFault) -> Value
    ) throws(PublishingError) -> Value {
        do throws(AnswerFault) {
            return try body(answer.body)
        } catch {
            throw PublishingError(.answer, "\(endpoint) does not answer as a broker does: \(error.message)")
        }
    }

    static func words(for fault: RequestFault) -> String {
        "the broker refuses this client: \(fault.message) (\(fault.code.rawValue))"
    }
}
