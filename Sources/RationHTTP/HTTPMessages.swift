/// A request without a body: GET or HEAD.
public struct HTTPRequest: Equatable, Sendable {
    /// `GET` or `HEAD`; the answer to both is the same, of HEAD's only the head is sent.
    public let method: String
    /// From `/` on, without the query, `%` escapes resolved.
    public let path: String
    /// The query's values by name, escapes resolved; the first of a name counts, a name without `=` is empty.
    public let query: [String: String]
    /// The first field `Authorization` of the head; nil without one. It holds a secret: it is printed nowhere.
    public let authorization: String?

    public init(method: String, path: String, query: [String: String] = [:], authorization: String? = nil) {
        self.method = method
        self.path = path
        self.query = query
        self.authorization = authorization
    }
}

/// What a handler answers.
public struct HTTPResponse: Equatable, Sendable {
    /// 200 … 599.
    public var status: Int
    /// Empty for an answer without a body.
    public var contentType: String
    public var body: [UInt8]
    /// Further fields of the head, by name.
    public var headers: [String: String]

    public init(status: Int = 200, contentType: String, body: [UInt8], headers: [String: String] = [:]) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }

    /// A line or more of plain text.
    public init(status: Int = 200, text: String) {
        self.init(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// For a path that the handler does not know.
    public static let notFound = HTTPResponse(status: 404, text: "not found\n")
}
