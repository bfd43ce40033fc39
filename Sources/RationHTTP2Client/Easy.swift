internal import CCurl

/// One easy handle of libcurl, used for one request after another. It belongs to the thread of its connection.
final class Easy {
    let handle: UnsafeMutableRawPointer
    /// What the caller knows the request as.
    var ticket = 0
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var method: HTTP2Request.Method?
    fileprivate var headerBytes: [UInt8] = []
    fileprivate var body: [UInt8] = []

    init(_ options: HTTP2Options) throws(HTTP2SetupError) {
        guard let handle = curl_easy_init() else { throw HTTP2SetupError(message: "libcurl makes no handle") }
        self.handle = handle
        do throws(HTTP2SetupError) {
            try configure(options)
        } catch {
            curl_easy_cleanup(handle)
            throw error
        }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
    }

    private func configure(_ options: HTTP2Options) throws(HTTP2SetupError) {
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // A stream of the connection that there is, in place of another connection.
        try set(CURLOPT_PIPEWAIT, 1)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PROTOCOLS_STR, "https")
        // Not by whatever the environment says.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities = options.authorities { try set(CURLOPT_CAINFO, authorities) }
        try set(CURLOPT_CONNECTTIMEOUT_MS, options.connectMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, options.answerMilliseconds)
        // A name is looked up for each connection; a connection is used for as long as it works.
        try set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        try set(CURLOPT_MAXAGE_CONN, 30 * 86_400)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_TCP_KEEPIDLE, options.keepAliveSeconds)
        try set(CURLOPT_TCP_KEEPINTVL, max(1, options.keepAliveSeconds / 4))
        // Unretained: the handle ends before the object does.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(ration_curl_set_pointer(handle, CURLOPT_PRIVATE, context))
        try check(ration_curl_set_pointer(handle, CURLOPT_WRITEDATA, context))
        try check(ration_curl_set_pointer(handle, CURLOPT_HEADERDATA, context))
        try check(ration_curl_set_writer(handle, CURLOPT_WRITEFUNCTION, Easy.takeBody))
        try check(ration_curl_set_writer(handle, CURLOPT_HEADERFUNCTION, Easy.takeHeader))
    }

    /// Makes the handle ready for the next request.
    func prepare(_ request: HTTP2Request, origin: String) throws(HTTP2SetupError) {
        headerBytes.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
        try set(CURLOPT_URL, origin + request.path)
        try setHeaders(request.headers)
        if request.method == .post {
            try check(ration_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            try check(
                request.body.withUnsafeBytes {
                    ration_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? Self.nothing)
                })
        }
        guard method != request.method else { return }
        method = request.method
        switch request.method {
        case .post: try set(CURLOPT_POST, 1)
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .delete: try set(CURLOPT_HTTPGET, 1)
        }
        let word: String? = request.method == .delete ? request.method.rawValue : nil
        try check(ration_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, word))
    }

    /// What an empty body is copied from.
    private nonisolated(unsafe) static let nothing = UnsafeRawPointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    private func setHeaders(_ lines: [String]) throws(HTTP2SetupError) {
        var list: UnsafeMutablePointer<curl_slist>?
        // libcurl's own are left out: the name without a value.
        for line in ["accept:", "expect:", "content-type: application/json", "user-agent: ration"] + lines {
            list = curl_slist_append(list, line)
        }
        let before = headers
        headers = list
        try check(ration_curl_set_list(handle, CURLOPT_HTTPHEADER, list))
        curl_slist_free_all(before)
    }

    /// What a request has come to.
    func result(_ code: CURLcode) -> Result<HTTP2Answer, HTTP2Failure> {
        guard code == CURLE_OK else { return .failure(failure(code)) }
        var status = 0
        _ = ration_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        var answer = HTTP2Answer(status: status, headerBytes: headerBytes, body: body)
        var seconds: curl_off_t = 0
        if ration_curl_get_size(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK, seconds > 0 {
            answer.retryAfterSeconds = Int64(seconds)
        }
        return .success(answer)
    }

    private func failure(_ code: CURLcode) -> HTTP2Failure {
        // Set just before the request is sent (CURLINFO_PRETRANSFER_TIME_T(3)).
        var sent: curl_off_t = 0
        _ = ration_curl_get_size(handle, CURLINFO_PRETRANSFER_TIME_T, &sent)
        let message = String(cString: curl_easy_strerror(code))
        let kind: HTTP2Failure.Code =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
                CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
                .connect
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM,
                CURLE_PARTIAL_FILE, CURLE_WEIRD_SERVER_REPLY:
                .lost
            default: .other
            }
        return HTTP2Failure(kind, mayHaveArrived: kind != .connect && sent > 0, message)
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTP2SetupError) {
        try check(ration_curl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTP2SetupError) {
        try check(ration_curl_set_text(handle, option, value))
    }

    private func check(_ code: CURLcode) throws(HTTP2SetupError) {
        guard code != CURLE_OK else { return }
        throw HTTP2SetupError(message: "libcurl refuses an option: \(String(cString: curl_easy_strerror(code)))")
    }

    static func of(_ handle: UnsafeMutableRawPointer) -> Easy? {
        var context: UnsafeMutableRawPointer?
        guard ration_curl_get_pointer(handle, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else { return nil }
        return Unmanaged<Easy>.fromOpaque(context).takeUnretainedValue()
    }

    private static let takeBody: ration_curl_writer = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let easy = Unmanaged<Easy>.fromOpaque(context).takeUnretainedValue()
        Easy.append(bytes, size * count, to: &easy.body, limit: HTTP2Answer.bodyLimit)
        return size * count
    }

    private static let takeHeader: ration_curl_writer = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let easy = Unmanaged<Easy>.fromOpaque(context).takeUnretainedValue()
        Easy.append(bytes, size * count, to: &easy.headerBytes, limit: HTTP2Answer.headerLimit)
        return size * count
    }

    private static func append(_ bytes: UnsafePointer<CChar>, _ count: Int, to all: inout [UInt8], limit: Int) {
        let taken = min(count, max(0, limit - all.count))
        all.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: taken))
    }
}
