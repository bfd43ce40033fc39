import Foundation
import TestProcesses
import Testing

@testable import RationHTTP2Client

@Suite("A connection over HTTP/2", .serialized)
struct ConnectionTests {
    let credentials: Credentials

    init() throws {
        credentials = try Credentials()
    }

    private func connection(
        to origin: String, trusting authorities: Credentials? = nil, milliseconds: Int = 5_000, keepAlive: Int = 60_000
    ) throws -> HTTP2Connection {
        var options = HTTP2Options(origin: origin)
        options.authorities = (authorities ?? credentials).certificate
        (options.connectMilliseconds, options.answerMilliseconds) = (milliseconds, milliseconds)
        options.keepAliveMilliseconds = keepAlive
        return try HTTP2Connection(options)
    }

    /// A provider token is missing: the server answers with 403 and a body, unless its rules say otherwise.
    private static let request = HTTP2Request(path: "/3/device/aa", body: Array("{}".utf8))

    /// Lets a connection work until something is so.
    private func run(_ connection: HTTP2Connection, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(10)
        while try !isSo() {
            try #require(ContinuousClock.now < end, "it has not come about")
            var file = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&file, 1, Int32(min(20, connection.patienceMilliseconds ?? 20)))
            connection.advance { ticket, _ in Issue.record("request \(ticket) has ended") }
        }
    }

    private func failure(_ connection: HTTP2Connection) -> HTTP2Failure? {
        #expect(throws: HTTP2Failure.self) { try connection.answer(to: Self.request) }
    }

    @Test("An answer without a body ends its stream, which is not reset", arguments: ["POST", "GET", "DELETE"])
    func withoutBody(method: String) throws {
        let server = try TestServer(credentials)
        var connection: HTTP2Connection? = try connection(to: server.origin)
        var request = Self.request
        request.method = try #require(HTTP2Request.Method(rawValue: method))
        if request.method != .post { request.body = [] }
        request.fields.add("authorization", "bearer nothing")
        for _ in 0..<20 { #expect(try connection?.answer(to: request).status == 403) }
        let push = try TestPushes.push(1)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send([push])
        connection = nil
        #expect(try server.tells { $0.event == "disconnected" })
        let lines = try server.lines()
        #expect(lines.filter { $0.event == "request" && $0.headers?[":method"] == method }.count >= 20)
        #expect(lines.contains { $0.status == 200 } && !lines.contains { $0.event == "reset" })
    }

    @Test("An address in place of a name: the certificate has to be for it")
    func address() throws {
        let server = try TestServer(credentials)
        #expect(try connection(to: "https://127.0.0.1:\(server.port)").answer(to: Self.request).status == 403)
        let named = try Credentials(names: "DNS:localhost")
        let other = try TestServer(named)
        let failure = failure(try connection(to: "https://127.0.0.1:\(other.port)", trusting: named))
        #expect(failure?.message == "the certificate for '127.0.0.1' is not trusted: IP address mismatch")
    }

    @Test("A certificate that nobody trusts, or for another host, or a server without HTTP/2 is told as that")
    func refused() throws {
        let server = try TestServer(credentials)
        let untrusted = failure(try connection(to: server.origin, trusting: Credentials()))
        #expect(untrusted?.message.hasPrefix("the certificate for 'localhost' is not trusted: self-signed") == true)
        let others = try Credentials(names: "DNS:example.com")
        let elsewhere = try TestServer(others)
        let wrongHost = failure(try connection(to: elsewhere.origin, trusting: others))
        #expect(wrongHost?.message == "the certificate for 'localhost' is not trusted: hostname mismatch")
        let old = try TestServer(credentials, protocolName: "http/1.1")
        let wrongProtocol = failure(try connection(to: old.origin))
        #expect(wrongProtocol?.message == "the server speaks no HTTP/2: it has chosen no protocol")
        for failure in [untrusted, wrongHost, wrongProtocol] {
            #expect(failure?.code == .connect && failure?.mayHaveArrived == false)
        }
        for server in [server, elsewhere, old] { #expect(try server.lines().allSatisfy { $0.event != "request" }) }
    }

    @Test("No such name, nobody there, nobody who speaks: each within its limit, and none has the request")
    func nobody() throws {
        let name = failure(try connection(to: "https://nobody.invalid", milliseconds: 300))
        #expect(name?.message.hasPrefix("the name 'nobody.invalid' is not found") == true, "\(name?.message ?? "-")")
        let listening = try BoundSocket(isListening: true)
        let silent = failure(try connection(to: "https://127.0.0.1:\(listening.port)", milliseconds: 300))
        #expect(silent?.message == "the handshake of TLS is not finished within 300 ms")
        let nobody = try BoundSocket(isListening: false)
        let refused = failure(try connection(to: "https://127.0.0.1:\(nobody.port)"))
        #expect(refused?.message == "cannot connect: Connection refused")
        for failure in [name, silent, refused] {
            #expect(failure?.code == .connect && failure?.mayHaveArrived == false)
        }
    }

    @Test("An address that the system refuses at once costs one file, and none of another thread's")
    func refusedAtOnce() throws {
        let race = FileRace()
        for _ in 0..<300 {
            let refused = failure(try connection(to: "https://255.255.255.255"))
            try #require(refused?.message.hasPrefix("cannot connect: ") == true, "\(refused?.message ?? "-")")
        }
        #expect(race.finish() == 0)
    }

    @Test("When nothing comes the server is asked by PING, and the connection goes on")
    func ping() throws {
        let server = try TestServer(credentials)
        let connection = try connection(to: server.origin, keepAlive: 30)
        _ = try connection.answer(to: Self.request)
        try run(connection) { try server.lines().filter { $0.event == "ping" }.count >= 3 }
        _ = try connection.answer(to: Self.request)
        #expect(Set(try server.requests(atLeast: 2).map(\.connection)) == [1])
    }

    @Test("A server that does not answer PING has gone: nothing more is sent to it")
    func deadPeer() throws {
        let server = try TestServer(credentials, rules: #"[{"times":1,"slow":1000}]"#)
        let connection = try connection(to: server.origin, milliseconds: 500, keepAlive: 30)
        _ = try connection.answer(to: Self.request)
        // One that has ended has nothing to do by itself.
        try run(connection) { connection.patienceMilliseconds == nil }
        let failure = failure(connection)
        #expect(failure == HTTP2Failure(.lost, mayHaveArrived: false, "the server does not answer PING within 500 ms"))
    }

    @Test("What the server has said while nothing was under way is heard before the next request is sent")
    func goneMeanwhile() throws {
        let server = try TestServer(credentials)
        let connection = try connection(to: server.origin)
        _ = try connection.answer(to: Self.request)
        server.end()
        var file = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&file, 1, 10_000) == 1)
        let failure = failure(connection)
        #expect(failure?.code == .lost && failure?.mayHaveArrived == false)
    }

    @Test("An answer in time or none: the request fails alone, the server may have it, and the connection goes on")
    func timeout() throws {
        let server = try TestServer(credentials, rules: #"[{"times":1,"silent":true}]"#)
        let connection = try connection(to: server.origin, milliseconds: 400)
        #expect(failure(connection) == HTTP2Failure(.timeout, mayHaveArrived: true, "no answer within 400 ms"))
        #expect(try connection.answer(to: Self.request).status == 403)
        #expect(try server.tells { $0.event == "reset" && $0.connection == 1 })
    }

    @Test(
        "A body larger than the server's window goes in parts; of one that is answered before its end the rest is not sent"
    )
    func largeBody() throws {
        let server = try TestServer(credentials)
        let connection = try connection(to: server.origin)
        var request = HTTP2Request(path: "/3/device/aa", body: [UInt8](repeating: 0x61, count: 300_000))
        #expect(try connection.answer(to: request).status == 403)
        #expect(try server.requests(atLeast: 1).first?.body?.utf8.count == 300_000)
        request.path = "/early"
        let early = try connection.answer(to: request)
        #expect(early.status == 413 && early.body.isEmpty)
        #expect(try server.tells { $0.event == "reset" && $0.stream == 3 })
        #expect(try connection.answer(to: Self.request).status == 403)
    }

    @Test("Origins: a name or an address, with a port or without")
    func origins() throws {
        for (origin, host, port) in [
            ("https://api.push.apple.com", "api.push.apple.com", "443"),
            ("https://localhost:8443", "localhost", "8443"),
            ("https://[::1]:8443", "::1", "8443"), ("https://[::1]", "::1", "443"),
        ] {
            let authority = try HTTP2Authority(origin: origin)
            #expect((authority.host, authority.port) == (host, port))
        }
        for origin in [
            "http://localhost", "https://", "https://a:b", "https://a:0", "https://a/b", "https://[::1",
            "https://a:65536",
        ] {
            #expect(throws: HTTP2SetupError.self, "\(origin)") { try HTTP2Authority(origin: origin) }
        }
    }
}

/// A socket where nobody answers.
private final class BoundSocket {
    private let descriptor: Int32
    let port: UInt16

    init(isListening: Bool) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = descriptor
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, count) + (isListening ? listen(file, 8) : 0) + getsockname(file, $0, &count)
            }
        }
        try #require(code == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }
}

@Suite("Answers")
struct AnswerTests {
    @Test(
        "retry-after is a number of seconds or a date, and never negative",
        arguments: [("30", 30), ("0", 0), ("-5", 0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0), ("soon", nil), ("", nil)])
    func retryAfter(value: String, seconds: Int64?) {
        #expect(HTTP2Answer(status: 503, headers: ["retry-after: \(value)"]).retryAfterSeconds == seconds)
    }

    @Test("A date to come is so many seconds away")
    func date() throws {
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let value = format.string(from: Date(timeIntervalSinceNow: 3_600))
        let seconds = try #require(HTTP2Answer(status: 503, headers: ["retry-after: \(value)"]).retryAfterSeconds)
        #expect((3_590...3_600).contains(seconds))
    }

    @Test("Of an answer no more than the limits is kept")
    func limits() {
        var table = StreamTable()
        let slot = table.add(ticket: 7, body: [], deadline: 0)
        table.send(slot, as: 1)
        let bytes = [UInt8](repeating: 0x61, count: 40_000)
        for _ in 0..<3 {
            bytes.withUnsafeBufferPointer { table.takeBody(slot, $0) }
            bytes.withUnsafeBufferPointer { table.takeField(slot, $0, $0) }
            bytes.withUnsafeBufferPointer { table.takeField(slot, UnsafeBufferPointer(rebasing: $0[..<20_000]), $0) }
        }
        table.finish(slot, nil)
        for slot in table.takeFinished() {
            let (ticket, result) = table.take(slot)
            let answer = try? result.get()
            #expect(ticket == 7 && answer?.body.count == HTTP2Answer.bodyLimit)
            #expect(answer?.headers.map(\.utf8.count) == [60_002])
        }
        #expect(table.count == 0)
    }
}
