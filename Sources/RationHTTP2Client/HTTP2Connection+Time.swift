/// What a connection does by itself when time has passed.
extension HTTP2Connection {
    /// How long there is nothing to do by itself, in milliseconds; nil: for as long as nothing comes.
    public var patienceMilliseconds: Int? {
        if session.table.hasFinished || hasMore { return 0 }
        let next = [session.earliestDeadline, nextTime].compactMap { $0 }.min()
        return next.map { Int(max(0, $0 - Self.now)) }
    }

    /// When the connection itself has something to do.
    private var nextTime: Int64? {
        switch phase {
        case .idle, .ended: nil
        case .lookingUp, .connecting, .securing: attemptDeadline
        case .open: session.isReady ? pingDeadline ?? pingTime : connectDeadline
        }
    }

    private var pingTime: Int64 { lastReceived + Int64(options.keepAliveMilliseconds) }

    /// Ends what is too late, and asks a silent server for a sign of life.
    func keepTime() {
        let now = Self.now
        if let due = nextTime, due <= now { act(now) }
        session.expire(now, message: "no answer within \(options.answerMilliseconds) ms")
    }

    private func act(_ now: Int64) {
        let limit = "within \(options.connectMilliseconds) ms"
        switch phase {
        case .idle, .ended: break
        case .lookingUp: end("the name '\(authority.host)' is not found \(limit)")
        case .connecting: connect(failure: "nobody answers \(limit)")
        case .securing: end("the handshake of TLS is not finished \(limit)")
        case .open where !session.isReady: end("the server says nothing in HTTP/2 \(limit)")
        case .open where pingDeadline != nil:
            end("the server does not answer PING within \(options.answerMilliseconds) ms")
        case .open:
            session.ping()
            pingDeadline = now + Int64(options.answerMilliseconds)
        }
    }
}
