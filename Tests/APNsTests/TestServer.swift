import Foundation
import Testing

/// A folder with what TLS and provider tokens need, made by openssl.
final class Credentials: Sendable {
    let folder: URL
    static let identifier = "ABC123DEFG"
    static let team = "TEAM123456"

    var keyFile: String { folder.appendingPathComponent("key.p8").path }
    var certificate: String { folder.appendingPathComponent("tls.pem").path }
    var certificateKey: String { folder.appendingPathComponent("tls.key").path }
    var publicKey: String { folder.appendingPathComponent("key.pub").path }

    /// - Parameter names: what the certificate is for.
    init(names: String = "DNS:localhost,IP:127.0.0.1") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-apns-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let curve = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        try openssl(["genpkey"] + curve + ["-out", keyFile])
        try openssl(["pkey", "-in", keyFile, "-pubout", "-out", publicKey])
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            certificateKey, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=\(names)",
        ])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments)")
    }
}

/// The server of `Server/apns_server.py`: HTTP/2 by h2, provider tokens checked by PyJWT.
final class TestServer: @unchecked Sendable {
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
    private let process = Process()
    private let input = Pipe()
    // Unchecked: guarded by `lock`.
    private let lock = NSLock()
    private var text = Data()

    /// - Parameters:
    ///   - rules: JSON, as the script takes them.
    ///   - protocolName: what it speaks over TLS, as it says.
    init(_ credentials: Credentials, rules: String = "[]", streams: Int = 1_000, protocolName: String = "h2") throws {
        self.credentials = credentials
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Server/apns_server.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-B", script.path, credentials.certificate, credentials.certificateKey, credentials.publicKey, rules,
            "\(streams)", protocolName,
        ]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var head = Data()
        while !head.contains(0x0A) {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the server has not started")
            head += more
        }
        let first = String(decoding: head.prefix { $0 != 0x0A }, as: UTF8.self)
        port = try #require(Int(first.dropFirst("port ".count)))
        text = head.drop { $0 != 0x0A }
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let more = handle.availableData
            guard let self, !more.isEmpty else { return handle.readabilityHandler = nil }
            lock.withLock { self.text += more }
        }
    }

    deinit {
        end()
    }

    /// At once: a signal that asks may be blocked, as in the thread that has started it.
    func end() {
        kill(process.processIdentifier, SIGKILL)
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
        let text = lock.withLock { self.text }
        guard let end = text.lastIndex(of: 0x0A) else { return [] }
        return try text[...end].split(separator: 0x0A).map { try JSONDecoder().decode(Line.self, from: $0) }
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
