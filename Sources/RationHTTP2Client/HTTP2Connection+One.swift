internal import Glibc

/// For whoever has one request at a time.
extension HTTP2Connection {
    /// Sends a request and waits for what it comes to, no longer than the connection's options say.
    /// - Throws: ``HTTP2Failure`` without an answer; ``HTTP2SetupError``.
    public func answer(to request: HTTP2Request) throws -> HTTP2Answer {
        try start(request, ticket: 0)
        var result: Result?
        while true {
            advance { _, ended in result = ended }
            if let result { return try result.get() }
            var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // An interrupted wait is a short one.
            _ = poll(&file, 1, Int32(clamping: patienceMilliseconds ?? 1_000))
        }
    }
}
