internal import CLinux
internal import Glibc

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
    /// Beside those that every request has.
    public var fields: HTTP2Fields
    public var body: [UInt8]

    public init(path: String, fields: HTTP2Fields = HTTP2Fields(), body: [UInt8] = []) {
        (self.path, self.fields, self.body) = (path, fields, body)
    }
}

/// What a server has answered.
public struct HTTP2Answer: Hashable, Sendable {
    public var status: Int
    /// At most ``bodyLimit`` bytes; what comes behind them is left out.
    public var body: [UInt8]
    /// The lines of the header as they came, `name: value`, at most ``headerLimit`` bytes.
    var headerBytes: [UInt8]

    /// Answers that are worth reading are short.
    public static let bodyLimit = 64 * 1024
    static let headerLimit = 64 * 1024

    /// - Parameter headers: lines of the form `name: value`.
    public init(status: Int, headers: [String] = [], body: [UInt8] = []) {
        (self.status, self.body) = (status, body)
        headerBytes = headers.flatMap { Array($0.utf8) + [0x0A] }
    }

    init(status: Int, headerBytes: [UInt8], body: [UInt8]) {
        (self.status, self.headerBytes, self.body) = (status, headerBytes, body)
    }

    /// The fields as they came, `name: value`.
    public var headers: [String] {
        headerBytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of the first field of this name.
    /// - Parameter name: in small letters, as HTTP/2 has them.
    public func header(_ name: String) -> String? {
        let start = Array("\(name): ".utf8)
        for line in headerBytes.split(separator: 0x0A) where line.starts(with: start) {
            return String(decoding: line.dropFirst(start.count), as: UTF8.self)
        }
        return nil
    }

    /// What `retry-after` says, as a number or as a date (RFC 9110, section 10.2.3); nil: nothing, or neither.
    public var retryAfterSeconds: Int64? {
        guard let value = header("retry-after") else { return nil }
        if let seconds = Int64(value) { return max(0, seconds) }
        var parts = tm()
        guard ration_read_date(value, "%a, %d %b %Y %H:%M:%S GMT", &parts) != 0 else { return nil }
        return max(0, Int64(timegm(&parts)) - Int64(time(nil)))
    }
}

/// Why a request has no answer.
public struct HTTP2Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// No connection: the name is not found, nobody listens, TLS fails, the server speaks no HTTP/2.
        case connect
        /// The deadline has passed.
        case timeout
        /// The connection or the stream has ended before the answer.
        case lost
    }

    public var code: Code
    /// Whether the server may have acted on the request.
    public var mayHaveArrived: Bool
    public var message: String

    public init(_ code: Code, mayHaveArrived: Bool, _ message: String) {
        (self.code, self.mayHaveArrived, self.message) = (code, mayHaveArrived, message)
    }

    public var description: String { message }
}

/// What cannot be set up: a fault of this program, of its settings, or of the machine.
public struct HTTP2SetupError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public var description: String { message }
}
