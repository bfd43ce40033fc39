internal import CMicroHTTPD

/// Answers the requests of one server: what the daemon calls in its thread.
final class Responder: Sendable {
    private let handler: HTTPServer.Handler

    init(_ handler: @escaping HTTPServer.Handler) {
        self.handler = handler
    }

    /// The daemon calls it once with the head of a request, when `state` still points to nothing, and again for its body;
    /// without a body there is a second call that says so.
    static let callback: MHD_AccessHandlerCallback = { context, connection, url, method, _, _, bodyCount, state in
        guard let context, let connection, let url, let method, let state else { return .NO }
        let responder = Unmanaged<Responder>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: method)
        if state.pointee == nil {
            state.pointee = context
            guard let refusal = responder.refusal(of: name, connection) else { return .YES }
            return send(refusal, to: connection)
        }
        guard bodyCount?.pointee == 0 else { return .NO }
        let authorization = MHD_lookup_connection_value(connection, .HEADER_KIND, "Authorization")
        let request = HTTPRequest(
            method: name, path: String(cString: url), query: query(of: connection),
            authorization: authorization.map { String(cString: $0) })
        return send(responder.handler(request), to: connection)
    }

    /// What a request gets by its head alone.
    private func refusal(of method: String, _ connection: OpaquePointer) -> HTTPResponse? {
        guard method == "GET" || method == "HEAD" else {
            return HTTPResponse(status: Int(MHD_HTTP_METHOD_NOT_ALLOWED), text: "only GET and HEAD\n")
        }
        let length = MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length")
        let isEmpty = length.map { String(cString: $0) == "0" } ?? true
        let isChunked = MHD_lookup_connection_value(connection, .HEADER_KIND, "Transfer-Encoding") != nil
        guard isEmpty, !isChunked else {
            return HTTPResponse(status: Int(MHD_HTTP_CONTENT_TOO_LARGE), text: "no request bodies\n")
        }
        return nil
    }

    private static func query(of connection: OpaquePointer) -> [String: String] {
        var query: [String: String] = [:]
        withUnsafeMutablePointer(to: &query) { query in
            _ = MHD_get_connection_values(
                connection, .GET_ARGUMENT_KIND,
                { query, _, name, value in
                    guard let name, let query = query?.assumingMemoryBound(to: [String: String].self) else {
                        return .NO
                    }
                    let key = String(cString: name)
                    if query.pointee[key] == nil {
                        query.pointee[key] = value.map { String(cString: $0) } ?? ""
                    }
                    return .YES
                }, query)
        }
        return query
    }

    private static func send(_ response: HTTPResponse, to connection: OpaquePointer) -> MHD_Result {
        var body = response.body
        // MUST_COPY: the daemon only reads the bytes, and only during the call.
        let made = body.withUnsafeMutableBytes {
            MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        if !response.contentType.isEmpty { MHD_add_response_header(made, "Content-Type", response.contentType) }
        for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
            MHD_add_response_header(made, name, value)
        }
        if response.status == Int(MHD_HTTP_METHOD_NOT_ALLOWED) {
            MHD_add_response_header(made, "Allow", "GET, HEAD")
        }
        return MHD_queue_response(connection, UInt32(clamping: response.status), made)
    }
}
