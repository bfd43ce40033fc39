internal import CNGHTTP2

/// The protocol of one connection, by nghttp2, without its socket and its clock: bytes go in and out, requests end.
final class HTTP2Session {
    let session: OpaquePointer
    var table = StreamTable()
    private var fields: RequestFields
    private let streams: Int
    /// Streams that nghttp2 has.
    var openCount = 0
    /// Whether the server's first frame has come: before, nobody knows how many streams it allows.
    var isReady = false
    /// What becomes of requests that begin now, since the connection ends or has ended; nil: they are sent.
    var ending: HTTP2Failure?
    /// No request that was not finished has an earlier deadline; nil: there is none.
    private(set) var earliestDeadline: Int64?

    /// - Parameter streams: at once, at most.
    /// - Throws: ``HTTP2SetupError`` without memory.
    init(authority: String, streams: Int) throws(HTTP2SetupError) {
        self.streams = streams
        fields = RequestFields(authority: authority)
        var made: OpaquePointer?
        guard let callbacks = Self.callbacks, nghttp2_session_client_new(&made, callbacks, nil) == 0, let made else {
            throw HTTP2SetupError(message: "nghttp2 makes no session")
        }
        session = made
        // Unretained: the session ends before the object does.
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(HTTP2Answer.headerLimit)),
        ]
        let code = nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        guard code == 0 else { throw HTTP2SetupError(message: "nghttp2 takes no settings: \(Self.text(code))") }
    }

    deinit {
        nghttp2_session_del(session)
    }

    // MARK: - Requests

    /// - Parameter deadline: by the clock of ``expire(_:message:)``.
    func start(_ request: HTTP2Request, ticket: Int, deadline: Int64) {
        earliestDeadline = min(earliestDeadline ?? deadline, deadline)
        let slot = table.add(ticket: ticket, body: request.body, deadline: deadline)
        if let ending {
            table.finish(slot, ending)
        } else if isReady, !table.isAnyWaiting, openCount < streamLimit {
            submit(request, slot)
        } else {
            table.wait(slot, request)
        }
    }

    private var streamLimit: Int {
        min(streams, Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)))
    }

    /// Hands waiting requests to nghttp2, as many as the server allows.
    func submitWaiting() {
        guard isReady, table.isAnyWaiting else { return }
        let limit = streamLimit
        while openCount < limit, let (slot, request) = table.nextWaiting() { submit(request, slot) }
    }

    private func submit(_ request: HTTP2Request, _ slot: Int) {
        // Not 0, which stands for no request.
        let place = UnsafeMutableRawPointer(bitPattern: slot + 1)
        var provider = nghttp2_data_provider(source: nghttp2_data_source(ptr: place), read_callback: Self.readBody)
        let session = session
        let id = fields.with(request) { list, count in
            request.body.isEmpty
                ? nghttp2_submit_request(session, nil, list, count, nil, place)
                : nghttp2_submit_request(session, nil, list, count, &provider, place)
        }
        guard id > 0 else {
            // The numbers of streams have an end, and so has memory: another connection is to carry it.
            let failure = HTTP2Failure(.lost, mayHaveArrived: false, Self.text(id))
            ending = failure
            table.finish(slot, failure)
            return
        }
        openCount += 1
        table.send(slot, as: id)
    }

    // MARK: - Bytes

    /// Takes what the server has sent.
    /// - Returns: why the connection is of no use any more; nil: it is.
    func receive(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
        let taken = nghttp2_session_mem_recv(session, start, bytes.count)
        return taken < 0 ? "the server breaks HTTP/2: \(Self.text(Int32(taken)))" : nil
    }

    /// The next frame to send, valid until the next call; nil: there is none now.
    func nextFrame() -> UnsafeRawBufferPointer? {
        var start: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &start)
        // Less than 0 is without memory; the requests end by their deadlines then.
        return count > 0 ? UnsafeRawBufferPointer(start: start, count: count) : nil
    }

    /// Whether the protocol has come to its end.
    var isOver: Bool { nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 }

    /// Asks the server for a sign of life.
    func ping() {
        // Without memory there is none; the connection ends as if it had not been answered.
        nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    // MARK: - Ends

    /// Ends what was to be answered by now.
    func expire(_ now: Int64, message: String) {
        guard let earliest = earliestDeadline, earliest <= now else { return }
        table.finish(where: { $0.deadline <= now }) { stream in
            if stream.id > 0 { abandon(stream.id) }
            return HTTP2Failure(.timeout, mayHaveArrived: stream.id > 0, message)
        }
        earliestDeadline = table.streams.lazy.filter { $0.phase == .waiting || $0.phase == .sent }.map(\.deadline).min()
    }

    private func abandon(_ id: Int32) {
        nghttp2_session_set_stream_user_data(session, id, nil)
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, NGHTTP2_CANCEL.rawValue)
    }

    /// Ends all requests, since the connection has ended, and those to come.
    func fail(_ code: HTTP2Failure.Code, _ message: String) {
        ending = HTTP2Failure(code, mayHaveArrived: false, message)
        table.finish(where: { _ in true }) { stream in
            HTTP2Failure(code, mayHaveArrived: code != .connect && stream.id > 0, message)
        }
        earliestDeadline = nil
    }

    static func text(_ code: Int32) -> String { String(cString: nghttp2_strerror(code)) }
}
