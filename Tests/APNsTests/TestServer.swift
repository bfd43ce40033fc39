import Foundation
import TestProcesses
import Testing

/// The server of `Server/apns_server.py`: HTTP/2 by h2, provider tokens checked by PyJWT.
final class TestServer {
    /// What the server has told, one line.
    struct Line: Decodable {
        struct Token: Decodable {
            var kid: String
            var iss: String
            var iat: Double
        }

        var event: String
        var connection: Int
        var stream: Int?
        var headers: [String: String]?
        var body: String?
        var status: Int?
        var last: Int?
        var most: Int?
        var token: Token?

        private enum Key: CodingKey { case event, connection, stream, headers, body, status, last, most, token }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            event = try container.decode(String.self, forKey: .event)
            connection = try container.decode(Int.self, forKey: .connection)
            stream = try container.decodeIfPresent(Int.self, forKey: .stream)
            headers = try container.decodeIfPresent([String: String].self, forKey: .headers)
            body = try container.decodeIfPresent(String.self, forKey: .body)
            status = try container.decodeIfPresent(Int.self, forKey: .status)
            last = try container.decodeIfPresent(Int.self, forKey: .last)
            most = try container.decodeIfPresent(Int.self, forKey: .most)
            // A string says why the token is none.
            token = try? container.decodeIfPresent(Token.self, forKey: .token)
        }

        var device: String { headers?[":path"]?.split(separator: "/").last.map(String.init) ?? "" }
        var identifier: String { headers?["apns-id"] ?? "" }
    }

    let port: Int
    let credentials: Credentials
    private let process: ChildProcess
    /// Gets the server's lines: they are read when a test asks for them.
    private let file: String

    /// - Parameters:
    ///   - rules: JSON, as the script takes them.
    ///   - protocolName: what it speaks over TLS, as it says.
    init(_ credentials: Credentials, rules: String = "[]", streams: Int = 1_000, protocolName: String = "h2") throws {
        self.credentials = credentials
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Server/apns_server.py")
        file = credentials.path("server-\(UUID()).log")
        process = try ChildProcess(
            "/usr/bin/python3",
            [
                "-B", script.path, credentials.certificate, credentials.certificateKey, credentials.publicKey, rules,
                "\(streams)", protocolName,
            ], input: nil, outputTo: file)
        let deadline = Deadline()
        while true {
            let head = try Data(contentsOf: URL(fileURLWithPath: file))
            if let end = head.firstIndex(of: 0x0A) {
                port = try #require(Int(String(decoding: head[..<end].dropFirst("port ".count), as: UTF8.self)))
                return
            }
            try #require(!process.hasEnded, "the server has not started: \(process.errorText)")
            try deadline.require("the server says its port", #_sourceLocation)
            usleep(5_000)
        }
    }

    /// At once: a signal that asks may be blocked, as in the thread that has started it.
    func end() {
        process.send(signal: SIGKILL)
    }

    /// Whether the server tells such a line before long.
    func tells(_ isMeant: (Line) -> Bool) throws -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while try !lines().contains(where: isMeant) {
            guard ContinuousClock.now < end else { return false }
            usleep(5_000)
        }
        return true
    }

    var origin: String { "https://localhost:\(port)" }

    /// All that the server has told so far.
    func lines() throws -> [Line] {
        let text = try Data(contentsOf: URL(fileURLWithPath: file))
        guard let end = text.lastIndex(of: 0x0A) else { return [] }
        return try text[...end].split(separator: 0x0A).dropFirst().map { line in
            try JSONDecoder().decode(Line.self, from: line)
        }
    }

    /// What the server has told once so many requests were looked at: its lines come a little later than its answers.
    /// - Parameter status: of those that are counted; nil: any.
    func requests(atLeast count: Int, status: Int? = nil) throws -> [Line] {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let requests = try lines().filter { $0.event == "request" }
            let counted = status == nil ? requests.count : requests.count { $0.status == status }
            if counted >= count || ContinuousClock.now > end { return requests }
            usleep(5_000)
        }
    }
}
