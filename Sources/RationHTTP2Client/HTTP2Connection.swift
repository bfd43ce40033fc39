internal import CCurl
internal import CLinux
internal import Glibc

/// One connection to one server over libcurl's multi interface: it is made with the first request, carries as many streams as
/// the server allows, and is made again by libcurl when the server goes away: what the server has refused unread goes
/// out again by itself (RFC 9113, sections 6.8 and 8.7).
///
/// One thread uses it.
public final class HTTP2Connection {
    public typealias Result = Swift.Result<HTTP2Answer, HTTP2Failure>

    public let options: HTTP2Options
    private let multi: UnsafeMutableRawPointer
    /// Readable when libcurl has something to do.
    public let descriptor: Int32
    /// When libcurl wants to be called, by the monotonic clock in milliseconds; nil: not by itself.
    private var timer: Int64?
    private var free: [Easy] = []
    /// Under way, by their tickets.
    private var running: [Int: Easy] = [:]
    private var events = [epoll_event](repeating: epoll_event(), count: 8)

    /// Connects at the first request.
    /// - Throws: ``HTTP2SetupError`` if libcurl or the kernel gives no handle.
    public init(_ options: HTTP2Options) throws(HTTP2SetupError) {
        Self.prepareLibrary
        guard let multi = curl_multi_init() else { throw HTTP2SetupError(message: "libcurl makes no multi handle") }
        descriptor = ration_open_epoll()
        guard descriptor >= 0 else {
            let code = errno
            curl_multi_cleanup(multi)
            throw HTTP2SetupError(message: "cannot make an epoll: \(String(cString: strerror(code)))")
        }
        (self.options, self.multi) = (options, multi)
        _ = ration_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = ration_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1)
        _ = ration_curl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, options.streams)
        // Unretained: the multi handle ends before the object does.
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ration_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        _ = ration_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        _ = ration_curl_multi_set_socket_watcher(multi, HTTP2Connection.watchSocket)
        _ = ration_curl_multi_set_timer_watcher(multi, HTTP2Connection.watchTimer)
    }

    deinit {
        for easy in running.values { curl_multi_remove_handle(multi, easy.handle) }
        running.removeAll()
        free.removeAll()
        curl_multi_cleanup(multi)
        close(descriptor)
    }

    /// Once a process, before other threads can use libcurl.
    private static let prepareLibrary: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()

    /// Requests under way.
    public var count: Int { running.count }

    /// Begins a request.
    /// - Parameter ticket: names it in what ``advance()`` returns; not used by another one under way.
    /// - Throws: ``HTTP2SetupError``.
    public func start(_ request: HTTP2Request, ticket: Int) throws(HTTP2SetupError) {
        precondition(running[ticket] == nil, "ticket \(ticket) is under way already")
        let easy: Easy
        if let used = free.popLast() { easy = used } else { easy = try Easy(options) }
        easy.ticket = ticket
        try easy.prepare(request, origin: options.origin)
        running[ticket] = easy
        let code = curl_multi_add_handle(multi, easy.handle)
        guard code == CURLM_OK else {
            running[ticket] = nil
            throw HTTP2SetupError(message: "libcurl takes no request: \(String(cString: curl_multi_strerror(code)))")
        }
    }

    /// Gives a request up; the server may have it.
    public func cancel(ticket: Int) {
        guard let easy = running.removeValue(forKey: ticket) else { return }
        curl_multi_remove_handle(multi, easy.handle)
        free.append(easy)
    }

    /// How long libcurl has nothing to do by itself, in milliseconds; nil: for as long as nothing comes.
    public var patienceMilliseconds: Int? {
        timer.map { Int(max(0, $0 - Self.now)) }
    }

    /// Does all that can be done without waiting.
    /// - Parameter ended: takes each request that has ended, with its ticket.
    public func advance(_ ended: (Int, Result) -> Void) {
        var running: Int32 = 0
        if let due = timer, due <= Self.now {
            timer = nil
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
        let count = epoll_wait(descriptor, &events, Int32(events.count), 0)
        for event in events.prefix(Int(max(0, count))) {
            var mask: Int32 = 0
            if event.events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_IN }
            if event.events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
            if event.events & EPOLLERR.rawValue != 0 { mask |= CURL_CSELECT_ERR }
            curl_multi_socket_action(multi, event.data.fd, mask, &running)
        }
        takeEnded(ended)
    }

    private func takeEnded(_ ended: (Int, Result) -> Void) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let easy = Easy.of(handle)
            else { continue }
            // The message is gone once its handle is removed.
            let result = easy.result(ration_curl_result(message))
            curl_multi_remove_handle(multi, handle)
            running[easy.ticket] = nil
            free.append(easy)
            ended(easy.ticket, result)
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static let watchTimer: ration_curl_timer_watcher = { _, milliseconds, context in
        guard let context else { return -1 }
        let connection = Unmanaged<HTTP2Connection>.fromOpaque(context).takeUnretainedValue()
        connection.timer = milliseconds < 0 ? nil : HTTP2Connection.now + Int64(milliseconds)
        return 0
    }

    private static let watchSocket: ration_curl_socket_watcher = { _, socket, what, context, _ in
        guard let context else { return -1 }
        let connection = Unmanaged<HTTP2Connection>.fromOpaque(context).takeUnretainedValue()
        connection.watch(socket, what)
        return 0
    }

    private func watch(_ socket: Int32, _ what: Int32) {
        var event = epoll_event()
        event.data.fd = socket
        if what & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
        if what & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
        guard what != CURL_POLL_REMOVE else {
            epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, &event)
            return
        }
        if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0 {
            epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
        }
    }
}
