/// One request over HTTP/2.
public struct HTTP2Request: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    public var method = Method.post
    /// Absolute, with its slash: `/3/device/…`.
    public var path: String
    /// Lines of the form `name: value`, without line ends.
    public var headers: [String]
    public var body: [UInt8]

    public init(path: String, headers: [String] = [], body: [UInt8] = []) {
        (self.path, self.headers, self.body) = (path, headers, body)
    }
}

/// What a server has answered.
public struct HTTP2Answer: Hashable, Sendable {
    public var status: Int
    /// At most ``bodyLimit`` bytes; what comes behind them is left out.
    public var body: [UInt8]
    /// What `retry-after` says, as a number or as a date.
    public var retryAfterSeconds: Int64?
    /// The lines of the header as they came.
    var headerBytes: [UInt8]

    /// Answers that are worth reading are short.
    public static let bodyLimit = 64 * 1024
    static let headerLimit = 64 * 1024

    /// - Parameter headers: lines of the form `name: value`.
    public init(status: Int, headers: [String] = [], body: [UInt8] = []) {
        (self.status, self.body) = (status, body)
        headerBytes = headers.flatMap { Array($0.utf8) + [0x0D, 0x0A] }
    }

    init(status: Int, headerBytes: [UInt8], body: [UInt8]) {
        (self.status, self.headerBytes, self.body) = (status, headerBytes, body)
    }

    /// The fields as they came, `name: value`, without the line of the status.
    public var headers: [String] {
        let lines = headerBytes.split { $0 == 0x0A || $0 == 0x0D }
        return lines.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix("HTTP/") }
    }

    /// The value of the first field of this name.
    /// - Parameter name: in small letters, as HTTP/2 has them.
    public func header(_ name: String) -> String? {
        let name = Array(name.utf8)
        for line in headerBytes.split(separator: 0x0A) where line.count > name.count {
            let colon = line.startIndex + name.count
            guard line[colon] == UInt8(ascii: ":"),
                zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 }
            return String(decoding: value.prefix { $0 != 0x0D }, as: UTF8.self)
        }
        return nil
    }
}

/// Why a request has no answer.
public struct HTTP2Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// No connection: the name is not found, nobody listens, TLS fails.
        case connect
        /// The deadline has passed.
        case timeout
        /// The connection or the stream has ended before the answer.
        case lost
        /// Anything else that libcurl says.
        case other
    }

    public var code: Code
    /// Whether the server may have the request.
    public var mayHaveArrived: Bool
    /// libcurl's words.
    public var message: String

    public init(_ code: Code, mayHaveArrived: Bool, _ message: String) {
        (self.code, self.mayHaveArrived, self.message) = (code, mayHaveArrived, message)
    }

    public var description: String { message }
}

/// What libcurl refuses to set up: a fault of this program or of the machine.
public struct HTTP2SetupError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public var description: String { message }
}
