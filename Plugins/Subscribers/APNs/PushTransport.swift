internal import Glibc
public import RationES256
internal import RationHTTP2Client
internal import RationJSON
public import RationModel
internal import RationSubscribing
internal import RationWire

/// Sends what a ``PushSender`` orders: a connection for each lane, provider tokens, answers. One thread uses it.
public final class PushTransport: PushSending {
    private struct Token {
        var generation = 0
        var text = ""
    }

    private let settings: APNsSettings
    private let keys: [SigningKey]
    private var tokens: [Token]
    private var connections: [PushLane: HTTP2Connection] = [:]
    /// Lanes that get nothing more: they end with their last answer.
    private var closed: Set<PushLane> = []
    private var parser = JSONParser()
    /// Used again and again.
    private var fields = HTTP2Fields()
    /// Connections that were opened, and provider tokens that were made.
    public private(set) var connectionCount = 0
    public private(set) var tokenCount = 0
    /// What was said of the last request without an answer.
    public private(set) var lastFailure: String?
    /// Why there is no connection to an origin, as it was told last.
    private var troubles: [String: String] = [:]
    /// Gets a line when no connection comes about, for each reason once, and when one does again.
    public var tell: (String) -> Void = { _ in }

    /// - Parameter keys: in the order of the settings.
    public init(_ settings: APNsSettings, keys: [SigningKey]) {
        precondition(keys.count == settings.keys.count, "\(keys.count) keys for \(settings.keys.count) of the settings")
        (self.settings, self.keys) = (settings, keys)
        tokens = Array(repeating: Token(), count: keys.count)
    }

    /// Begins what was ordered.
    /// - Parameter issued: when the order's provider token was made.
    /// - Throws: `SubscriberUnavailable`: certificates that cannot be read, a key that does not sign, a kernel without files. It
    ///   is no push's fault.
    public func start(_ order: PushSender.Order, _ push: Push, issued: Instant) throws {
        do {
            try send(order, push, issued)
        } catch {
            throw SubscriberUnavailable("\(settings.origin(isSandbox: order.lane.isSandbox)): \(error)")
        }
    }

    private func send(_ order: PushSender.Order, _ push: Push, _ issued: Instant) throws {
        let connection = try connection(order.lane)
        fields.removeAll()
        push.addFields(to: &fields)
        fields.add("authorization", try authorization(order.lane.key, order.tokenGeneration, issued))
        try connection.start(
            HTTP2Request(path: push.path, fields: fields, body: push.content.payload), ticket: order.ticket)
    }

    private func connection(_ lane: PushLane) throws -> HTTP2Connection {
        if let connection = connections[lane] { return connection }
        var options = HTTP2Options(origin: settings.origin(isSandbox: lane.isSandbox))
        options.authorities = settings.authorities.isEmpty ? nil : settings.authorities
        options.streams = settings.streams
        options.answerMilliseconds = Int(settings.answerMilliseconds)
        options.connectMilliseconds = Int(settings.answerMilliseconds)
        let connection = try HTTP2Connection(options)
        connections[lane] = connection
        connectionCount += 1
        return connection
    }

    /// One provider token a key for all its connections.
    private func authorization(_ key: Int, _ generation: Int, _ issued: Instant) throws(SigningError) -> String {
        if tokens[key].generation != generation {
            let names = settings.keys[key]
            let text = try ProviderToken.text(
                key: keys[key], identifier: names.identifier, team: names.team, issued: issued)
            tokens[key] = Token(generation: generation, text: "bearer \(text)")
            tokenCount += 1
        }
        return tokens[key].text
    }

    /// Sends nothing more on a lane.
    public func close(_ lane: PushLane) {
        guard let connection = connections[lane] else { return }
        if connection.count == 0 { connections[lane] = nil } else { closed.insert(lane) }
    }

    /// Gives up all that is under way; their connections end with it.
    public func cancelAll() {
        for (lane, connection) in connections where connection.count > 0 {
            connections[lane] = nil
            closed.remove(lane)
        }
    }

    /// Sends what was begun, and waits until something has come, or for so many milliseconds.
    public func wait(milliseconds: Int) {
        var patience = milliseconds
        var files: [pollfd] = []
        for connection in connections.values {
            connection.flush()
            files.append(pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0))
            patience = min(patience, connection.patienceMilliseconds ?? patience)
        }
        // An interrupted wait is a short one.
        _ = poll(&files, nfds_t(files.count), Int32(clamping: max(0, patience)))
    }

    /// Takes what has come.
    public func advance(_ ended: (_ ticket: Int, PushOutcome) -> Void) {
        for (lane, connection) in connections {
            connection.advance { ticket, result in ended(ticket, outcome(result, lane)) }
            if connection.count == 0, closed.remove(lane) != nil { connections[lane] = nil }
        }
    }

    /// Lets connections without pushes say that they are there.
    /// - Returns: after how many milliseconds it is to be called again; nil: only after the next pushes.
    public func tend() -> Int? {
        var patience: Int?
        for connection in connections.values where connection.count == 0 {
            connection.advance { ticket, _ in preconditionFailure("push \(ticket) has ended, and none was under way") }
            patience = [patience, connection.patienceMilliseconds].compactMap { $0 }.min()
        }
        return patience
    }

    private func outcome(_ result: HTTP2Connection.Result, _ lane: PushLane) -> PushOutcome {
        switch result {
        case .success(let answer):
            if !troubles.isEmpty { note(nil, settings.origin(isSandbox: lane.isSandbox)) }
            return .answered(read(answer))
        case .failure(let failure):
            lastFailure = failure.message
            if failure.code == .connect { note(failure.message, settings.origin(isSandbox: lane.isSandbox)) }
            switch failure.code {
            case .connect: return .failed(.notConnected)
            case .timeout: return .failed(failure.mayHaveArrived ? .silent : .notSent)
            case .lost: return .failed(.lost(mayHaveArrived: failure.mayHaveArrived))
            }
        }
    }

    /// - Parameter trouble: why there is no connection; nil: there is one.
    private func note(_ trouble: String?, _ origin: String) {
        guard troubles[origin] != trouble else { return }
        troubles[origin] = trouble
        tell(trouble.map { "no connection to \(origin): \($0)" } ?? "\(origin) answers again")
    }

    /// Reads an answer; what is not Apple's JSON has no reason.
    private func read(_ answer: HTTP2Answer) -> PushAnswer {
        var read = PushAnswer(status: answer.status)
        guard answer.status != 200 else { return read }
        read.retryAfterSeconds = answer.retryAfterSeconds
        guard !answer.body.isEmpty, let body = try? parser.parse(answer.body) else { return read }
        read.reason = Self.word(body["reason"]?.text ?? "")
        read.timestamp = body["timestamp"]?.integer.map { Instant(milliseconds: $0) }
        return read
    }

    /// A reason becomes part of metrics and intents: letters and digits, and no more of them than those have room for.
    private static func word(_ text: String) -> String {
        let plain = text.utf8.prefix(Limits.reasonBytes).filter { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
