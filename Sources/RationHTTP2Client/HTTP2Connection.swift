internal import Glibc

/// One connection to one server over HTTP/2 and TLS: it is made with the first request, carries as many streams as the server
/// allows, and when it ends, it ends for good: what was not answered fails, and says whether the server may have it.
///
/// One thread uses it; nothing in it blocks.
public final class HTTP2Connection {
    public typealias Result = Swift.Result<HTTP2Answer, HTTP2Failure>

    enum Phase {
        /// Before the first request.
        case idle
        case lookingUp(NameLookup)
        case connecting(ClientSocket)
        case securing(ClientSocket, TLSStream)
        case open(ClientSocket, TLSStream)
        case ended
    }

    public let options: HTTP2Options
    let authority: HTTP2Authority
    let session: HTTP2Session
    let context: TLSContext
    var phase = Phase.idle
    var readiness: Readiness
    var output = OutputBuffer()
    let input: UnsafeMutableRawBufferPointer
    /// Addresses that were not tried yet, and until when the one under way is.
    var addresses: [ServerAddress] = []
    var attemptDeadline: Int64 = 0
    var connectDeadline: Int64 = 0
    /// When something has come last.
    var lastReceived: Int64 = 0
    /// Until when the server is to answer a PING; nil: it was not asked.
    var pingDeadline: Int64?
    /// About so many bytes of requests were begun since the last flush.
    private var begunBytes = 0
    /// Whether more may have come than was read.
    var hasMore = false

    /// Connects at the first request.
    /// - Throws: ``HTTP2SetupError`` for an origin that is none, certificates that cannot be read, or a kernel without files.
    public init(_ options: HTTP2Options) throws(HTTP2SetupError) {
        self.options = options
        authority = try HTTP2Authority(origin: options.origin)
        session = try HTTP2Session(authority: authority.text, streams: options.streams)
        context = try TLSContext(authorities: options.authorities)
        readiness = try Readiness()
        // Last: what is not complete is not deinitialized.
        input = .allocate(byteCount: 16_384, alignment: 16)
    }

    deinit {
        if case .open(_, let stream) = phase { stream.sayGoodbye() }
        readiness.forget()
        input.deallocate()
    }

    /// Readable when there is something to do.
    public var descriptor: Int32 { readiness.descriptor }

    /// Requests whose results were not handed over.
    public var count: Int { session.table.count }

    /// Begins a request; ``flush()`` or ``advance(_:)`` sends it. On a connection that has ended it fails.
    /// - Parameter ticket: names it in what ``advance(_:)`` hands over.
    /// - Throws: ``HTTP2SetupError`` if the kernel gives no thread for the first one.
    public func start(_ request: HTTP2Request, ticket: Int) throws(HTTP2SetupError) {
        // What the server has said since somebody listened last: it may have gone.
        if count == 0, case .open(_, let stream) = phase { receive(stream) }
        let now = Self.now
        session.start(request, ticket: ticket, deadline: now + Int64(options.answerMilliseconds))
        if case .idle = phase { try open(now) }
        // The server is to work while the next requests are made.
        begunBytes += request.fields.bytes.count + request.body.count
        if begunBytes >= Self.flushBytes { flush() }
    }

    /// What is compressed to about one record of TLS.
    private static let flushBytes = 32_768

    /// Sends what was begun, as far as the server takes it.
    public func flush() {
        guard case .open(let socket, let stream) = phase else { return }
        begunBytes = 0
        session.submitWaiting()
        while true {
            while !output.isFull, let frame = session.nextFrame() { output.append(frame) }
            guard output.count > 0 else { break }
            switch stream.write(output.record) {
            case .done(let count): output.removeFirst(count)
            case .wantsToWrite: return readiness.watch(socket.descriptor, toWrite: true)
            case .wantsToRead: return
            case .closed: return end("the server has closed the connection")
            case .failed(let message): return end(message)
            }
        }
        readiness.watch(socket.descriptor)
        if session.isOver || session.ending != nil && count == 0 {
            end(session.ending?.message ?? "the server breaks HTTP/2")
        }
    }

    /// Does all that can be done without waiting.
    /// - Parameter ended: takes each request that has ended, with its ticket.
    public func advance(_ ended: (Int, Result) -> Void) {
        goOn()
        if case .open(_, let stream) = phase { receive(stream) }
        keepTime()
        flush()
        guard session.table.hasFinished else { return }
        for slot in session.table.takeFinished() {
            let (ticket, result) = session.table.take(slot)
            ended(ticket, result)
        }
    }

    /// Reads what there is, and some more at the next time if it is much: answers make room for requests.
    private func receive(_ stream: TLSStream) {
        var left = 4 * input.count
        hasMore = false
        while left > 0 {
            switch stream.read(into: input) {
            case .done(let count):
                left -= count
                (lastReceived, pingDeadline) = (Self.now, nil)
                if let fault = session.receive(UnsafeRawBufferPointer(rebasing: input[..<count])) { return end(fault) }
            case .wantsToRead, .wantsToWrite: return
            case .closed: return end("the server has closed the connection")
            case .failed(let message): return end(message)
            }
        }
        hasMore = true
    }

    /// Ends the connection, and all that was not answered with it.
    func end(_ message: String) {
        let isOpen = if case .open = phase { session.isReady } else { false }
        let code: HTTP2Failure.Code = isOpen ? .lost : .connect
        readiness.forget()
        phase = .ended
        hasMore = false
        session.fail(code, message)
    }

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
