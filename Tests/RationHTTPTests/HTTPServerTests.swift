import Glibc
import RationHTTP
import Testing

@Suite("HTTP")
struct HTTPServerTests {
    /// Answers `/echo` with what it understood, and nothing else.
    private static func start(
        _ address: String = "127.0.0.1:0", limits: HTTPLimits = HTTPLimits()
    ) throws -> HTTPServer {
        try HTTPServer(address: address, limits: limits) { request in
            guard request.path == "/echo" else { return .notFound }
            let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return HTTPResponse(text: ([request.method, request.path] + query).joined(separator: " "))
        }
    }

    @Test("GET gets status, type, length and body")
    func get() throws {
        let server = try Self.start()
        let answer = try ask(server.port, "GET /echo HTTP/1.1")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\nContent-Type: text/plain; charset=utf-8\r\n"))
        #expect(answer.contains("\r\nContent-Length: 9\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nGET /echo"))
    }

    @Test("the handler gets path and query with escapes resolved; the first value of a name counts")
    func query() throws {
        let server = try Self.start()
        let answer = try ask(server.port, "GET /e%63ho?b=x%20y&a=1&a=2&c HTTP/1.1")
        #expect(answer.hasSuffix("GET /echo a=1 b=x y c="))
    }

    @Test("HEAD gets GET's head without a body")
    func head() throws {
        let server = try Self.start()
        let answer = try ask(server.port, "HEAD /echo HTTP/1.1")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\nContent-Length: 10\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test("an unknown path is 404")
    func unknown() throws {
        let server = try Self.start()
        #expect(try ask(server.port, "GET /else HTTP/1.1").hasPrefix("HTTP/1.1 404 "))
    }

    @Test("other methods are 405 and told what is allowed", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get"])
    func method(name: String) throws {
        let server = try Self.start()
        let answer = try ask(server.port, "\(name) /echo HTTP/1.1\r\nContent-Length: 3", body: "abc")
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(answer.contains("\r\nAllow: GET, HEAD\r\n"))
    }

    @Test(
        "a request with a body is 413", arguments: ["Content-Length: 3", "Transfer-Encoding: chunked"])
    func body(header: String) throws {
        let server = try Self.start()
        #expect(try ask(server.port, "GET /echo HTTP/1.1\r\n\(header)", body: "abc").hasPrefix("HTTP/1.1 413 "))
        #expect(try ask(server.port, "GET /echo HTTP/1.1\r\nContent-Length: 0").hasPrefix("HTTP/1.1 200 "))
    }

    @Test(
        "bytes that are not a request cost their connection only",
        arguments: [
            Garbage("a TLS hello", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n"),
            Garbage("a word", "nonsense\r\n\r\n"),
            Garbage("a method only", "GET\r\n\r\n"),
            Garbage("a long head", "GET /echo HTTP/1.1\r\nX: \(String(repeating: "y", count: 100_000))\r\n\r\n"),
        ])
    func garbage(_ garbage: Garbage) throws {
        let server = try Self.start()
        let other = try RawClient(port: server.port)
        let client = try RawClient(port: server.port)
        client.send(garbage.bytes)
        let answer = try client.receiveAll()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1."))
        #expect(!answer.contains(" 200 "))
        other.send("GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(try other.receiveAll().hasSuffix("GET /echo"))
    }

    @Test("the handler gets the first Authorization, and its further fields stand in the answer's head")
    func fields() throws {
        let server = try HTTPServer(address: "127.0.0.1:0") { request in
            HTTPResponse(
                status: 204, contentType: "", body: [],
                headers: ["X-Given": request.authorization ?? "none", "X-More": "1"])
        }
        let answer = try ask(server.port, "GET / HTTP/1.1\r\nauthorization: Bearer a\r\nAuthorization: Bearer b")
        #expect(answer.hasPrefix("HTTP/1.1 204 "))
        #expect(answer.contains("\r\nX-Given: Bearer a\r\n") && answer.contains("\r\nX-More: 1\r\n"))
        #expect(!answer.contains("Content-Type"))
        #expect(try ask(server.port, "GET / HTTP/1.1").contains("\r\nX-Given: none\r\n"))
    }

    @Test("an address is numeric and has a port")
    func addresses() {
        for address in ["127.0.0.1:0", "[::1]:7468"] { #expect(HTTPServer.isAddress(address)) }
        for address in ["", "127.0.0.1", "localhost:1", "::1:1", "1.2.3.4:65536"] {
            #expect(!HTTPServer.isAddress(address), "\(address)")
        }
    }

    @Test("one connection serves several requests")
    func keepAlive() throws {
        let server = try Self.start()
        let client = try RawClient(port: server.port)
        client.send("GET /echo HTTP/1.1\r\nHost: x\r\n\r\nHEAD /echo HTTP/1.1\r\nHost: x\r\n\r\n")
        client.send("GET /echo?last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answer = try client.receiveAll()
        #expect(answer.split(separator: "HTTP/1.1 200 OK").count == 3)
        #expect(answer.hasSuffix("GET /echo last="))
    }

    @Test("200 connections at a time are all answered")
    func many() throws {
        let server = try Self.start()
        try askInTurn(server.port, open: 200, answered: 200)
    }

    @Test("connections over the limit cost nobody else the answer, and later ones are served again")
    func overLimit() throws {
        var limits = HTTPLimits()
        limits.connections = 4
        let server = try Self.start(limits: limits)
        try askInTurn(server.port, open: 40, answered: 4)
        #expect(try ask(server.port, "GET /echo HTTP/1.1").hasSuffix("GET /echo"))
    }

    /// Opens all connections before the first asks; at least so many get an answer.
    private func askInTurn(_ port: UInt16, open count: Int, answered: Int) throws {
        let clients = try (0..<count).map { _ in try RawClient(port: port) }
        for client in clients {
            client.send("GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        }
        let answers = try clients.map { try $0.receiveAll() }
        #expect(answers.count { $0.hasSuffix("GET /echo") } >= answered)
        #expect(answers.allSatisfy { $0.isEmpty || $0.hasSuffix("GET /echo") })
    }

    @Test("a silent connection is closed when its time is up")
    func timeout() throws {
        var limits = HTTPLimits()
        limits.timeoutSeconds = 1
        let server = try Self.start(limits: limits)
        let client = try RawClient(port: server.port)
        client.send("GET /ech")
        #expect(try !client.receiveAll().contains(" 200 "))
    }

    @Test("a stopped server has closed its port, and stopping twice is once")
    func stop() throws {
        let server = try Self.start()
        let address = "127.0.0.1:\(server.port)"
        let taken = #expect(throws: HTTPError.self) { _ = try Self.start(address) }
        #expect(taken == HTTPError(code: .bind, address: address, errno: EADDRINUSE))
        #expect(taken?.isRetryable == true)
        // The server closes this connection, so the kernel keeps its port for a minute.
        _ = try ask(server.port, "GET /echo HTTP/1.1")
        server.stop()
        server.stop()
        let next = try Self.start(address)
        #expect(next.port == server.port)
    }

    @Test("an IPv6 address stands in brackets")
    func ipv6() throws {
        #expect(try Self.start("[::1]:0").port > 0)
    }

    @Test(
        "what is no numeric address and port is refused with the address",
        arguments: [
            "", "7467", "localhost:7467", "127.0.0.1:", "127.0.0.1:65536", "::1:7467", "[::1]", "[127.0.0.1]:1",
        ])
    func address(text: String) {
        let error = #expect(throws: HTTPError.self) { _ = try Self.start(text) }
        #expect(error == HTTPError(code: .invalidAddress, address: text, errno: 0))
        #expect(error?.isRetryable == false)
    }
}

/// What a client sends that is no request, by name.
struct Garbage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: String

    init(_ name: String, _ bytes: String) {
        testDescription = name
        self.bytes = bytes
    }
}
