import APNsSubscriber
import Foundation
import RationModel
import RationSubscribing
import TestProcesses
import Testing

extension Instant {
    static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}

@Suite("Pushes over a real connection", .serialized)
struct ExchangeTests {
    let credentials: Credentials

    init() throws {
        credentials = try Credentials()
    }

    private func server(_ rules: String = "[]", streams: Int = 1_000) throws -> TestServer {
        try TestServer(credentials, rules: rules, streams: streams)
    }

    @Test("A push arrives with Apple's headers and a token that PyJWT verifies")
    func onePush() throws {
        let server = try server()
        let sending = try Sending(TestPushes.settings(server))
        let push = try TestPushes.push(1, content: #"{"title":"Wäter","interruptionLevel":"timeSensitive"}"#)
        try sending.send([push])
        #expect(sending.endings == ["d1": .delivered])
        let request = try #require(try server.requests(atLeast: 1).first)
        #expect(request.status == 200)
        #expect(request.headers?[":path"] == "/3/device/\(TestPushes.token(1))")
        #expect(request.headers?["apns-topic"] == TestPushes.app)
        #expect(request.headers?["apns-push-type"] == "alert")
        #expect(request.headers?["apns-priority"] == "10")
        #expect(request.headers?["apns-collapse-id"] == "n1")
        #expect(request.identifier == push.identifier)
        #expect(request.token?.kid == Credentials.identifier && request.token?.iss == Credentials.team)
        #expect(request.body == #"{"aps":{"alert":{"title":"Wäter"},"interruption-level":"time-sensitive"}}"#)
        #expect(try server.lines().first?.event == "connected")
    }

    private func pushes(_ numbers: Range<Int>) throws -> [Push] {
        try numbers.map { try TestPushes.push($0) }
    }

    /// How often the server has answered each push with this status.
    private func counts(_ requests: [TestServer.Line], _ status: Int) -> [String: Int] {
        requests.filter { $0.status == status }.reduce(into: [:]) { $0[$1.identifier, default: 0] += 1 }
    }

    /// Whether each of these pushes was answered with 200 exactly once.
    private func expectOnce(
        _ requests: [TestServer.Line], _ pushes: [Push], _ location: SourceLocation = #_sourceLocation
    ) {
        let counts = counts(requests, 200)
        #expect(counts.count == pushes.count, sourceLocation: location)
        for push in pushes { #expect(counts[push.identifier] == 1, "\(push.device)", sourceLocation: location) }
    }

    @Test("A connection carries one stream until its first answer, then many, and one provider token is for all")
    func oneStreamFirst() throws {
        let server = try server(#"[{"times":1,"delay":0.2},{"delay":0.05}]"#)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send(pushes(1..<200))
        let requests = try server.requests(atLeast: 199)
        expectOnce(requests, try pushes(1..<200))
        #expect(Set(requests.map(\.connection)) == [1])
        #expect(requests.first?.stream == 1 && sending.transport.tokenCount == 1)
        #expect(Set(requests.compactMap { $0.token?.iat }).count == 1)
        // The first stream was answered before the second one began.
        #expect(try server.lines().filter { $0.event == "request" }.first?.device == TestPushes.token(1))
    }

    @Test("A server that allows one stream gets one at a time, and all of them", arguments: [1, 1_000])
    func concurrentStreams(limit: Int) throws {
        let server = try server(#"[{"delay":0.005}]"#, streams: limit)
        var sending: Sending? = try Sending(TestPushes.settings(server))
        try sending?.send(pushes(1..<400))
        expectOnce(try server.requests(atLeast: 399), try pushes(1..<400))
        #expect(sending?.transport.connectionCount == 1)
        sending = nil
        let end = ContinuousClock.now + .seconds(30)
        while try !server.lines().contains(where: { $0.event == "disconnected" }), ContinuousClock.now < end {
            usleep(5_000)
        }
        let most = try #require(try server.lines().first { $0.event == "disconnected" }?.most)
        #expect(limit == 1 ? most == 1 : most > 1 && most <= 1_000)
    }

    @Test("Answers in another order reach their pushes")
    func outOfOrder() throws {
        let bad = TestPushes.token(7)
        let rules =
            #"[{"times":1},{"device":"\#(bad)","status":410,"reason":"Unregistered","timestamp":1,"hold":5},{"hold":5}]"#
        let server = try server(rules)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send(pushes(1..<17))
        for number in 1..<17 {
            #expect(sending.endings["d\(number)"] == (number == 7 ? .failed(reason: "Unregistered") : .delivered))
        }
    }

    @Test("GOAWAY in the middle: streams above its last go again on a new connection, the others do not")
    func goAway() throws {
        let server = try server(#"[{"times":1},{"times":1,"from":60,"goaway":true},{"delay":0.02}]"#)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send(pushes(1..<300))
        let requests = try server.requests(atLeast: 299)
        let last = try #require(try server.lines().first { $0.event == "goaway" }?.last)
        expectOnce(requests, try pushes(1..<300))
        #expect(Set(requests.map(\.connection)) == [1, 2])
        #expect(requests.allSatisfy { $0.connection == 2 || ($0.stream ?? 0) <= last })
    }

    @Test("A connection that is cut: what had no answer goes again with the same apns-id, and all arrive")
    func dropped() throws {
        let server = try server(#"[{"times":1},{"times":1,"from":40,"drop":true},{"delay":0.02}]"#)
        let sending = try Sending(TestPushes.settings(server))
        let pushes = try pushes(1..<200)
        try sending.send(pushes)
        #expect(sending.endings.count == 199 && sending.endings.values.allSatisfy { $0 == .delivered })
        let counts = counts(try server.requests(atLeast: 199, status: 200), 200)
        #expect(Set(counts.keys) == Set(pushes.map(\.identifier)) && counts.values.allSatisfy { $0 <= 2 })
    }

    @Test("429, 500 and 503 are put off, by what the server asks for; their neighbours are sent once")
    func patience() throws {
        let rules = """
            [{"times":1},{"device":"\(TestPushes.token(5))","status":429,"reason":"TooManyRequests","headers":{"retry-after":"30"}},
             {"device":"\(TestPushes.token(6))","status":500,"reason":"InternalServerError"}]
            """
        let server = try server(rules)
        let sending = try Sending(TestPushes.settings(server))
        let before = Instant.now
        try sending.send(pushes(1..<50))
        guard case .deferred(let soon, 1, "TooManyRequests") = sending.endings["d5"],
            case .deferred(let late, 1, "InternalServerError") = sending.endings["d6"]
        else {
            Issue.record("\(sending.endings)")
            return
        }
        #expect((30_000...40_000).contains(soon.milliseconds - before.milliseconds))
        #expect((900_000...910_000).contains(late.milliseconds - before.milliseconds))
        let others = try pushes(1..<50).filter { $0.id != "n5" && $0.id != "n6" }
        expectOnce(try server.requests(atLeast: 49), others)
    }

    @Test("503: the key waits in this environment, and nothing more is sent to it")
    func away() throws {
        let server = try server(#"[{"status":503,"reason":"ServiceUnavailable","headers":{"retry-after":"60"}}]"#)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send(pushes(1..<50))
        #expect(sending.endings.count == 49)
        let isPutOff = sending.endings.values.allSatisfy { if case .deferred = $0 { true } else { false } }
        #expect(isPutOff)
        #expect(try server.requests(atLeast: 1).count == 1)
    }

    @Test("403 once: one new provider token, one retry, on a new connection")
    func expiredOnce() throws {
        let server = try server(#"[{"times":1,"status":403,"reason":"ExpiredProviderToken"}]"#)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send(pushes(1..<20))
        let requests = try server.requests(atLeast: 20)
        expectOnce(requests, try pushes(1..<20))
        #expect(requests.filter { $0.status == 403 }.count == 1 && requests.first?.connection == 1)
        #expect(requests.dropFirst().allSatisfy { $0.connection == 2 })
        #expect(sending.transport.tokenCount == 2 && sending.alarms.isEmpty)
    }

    @Test(
        "403 always: the key is stopped after one retry, with an alarm",
        arguments: ["ExpiredProviderToken", "InvalidProviderToken"])
    func refusedAlways(reason: String) throws {
        let server = try server(#"[{"status":403,"reason":"\#(reason)"}]"#)
        let sending = try Sending(TestPushes.settings(server))
        try sending.send(pushes(1..<20))
        #expect(try server.requests(atLeast: 2).count == 2)
        #expect(sending.alarms == [.keyStopped(key: 0, reason: reason)])
        try sending.send(pushes(20..<40))
        #expect(try server.requests(atLeast: 2).count == 2)
        #expect(sending.endings.count == 39)
    }

    @Test("410: later than the last registration the token is dead; earlier it is not")
    func unregistered() throws {
        let server = try server(#"[{"status":410,"reason":"Unregistered","timestamp":2000}]"#)
        let sending = try Sending(TestPushes.settings(server))
        let pushes = try [
            TestPushes.push(1, registered: 1_999), TestPushes.push(2, registered: 2_000),
            TestPushes.push(3, registered: 2_001),
            TestPushes.push(4, registered: nil),
        ]
        try sending.send(pushes)
        let dead = sending.effects.compactMap {
            if case .tokenIsDead(let push, let since) = $0 { (push.device, since) } else { nil }
        }
        #expect(Set(dead.map(\.0)) == ["d1", "d4"] && dead.allSatisfy { $0.1 == Instant(milliseconds: 2_000) })
        #expect(sending.endings.values.allSatisfy { $0 == .failed(reason: "Unregistered") })
    }

    @Test("A server that never answers is timed out, on one connection after another; the pushes are put off")
    func silence() throws {
        let server = try server(#"[{"silent":true}]"#)
        let sending = try Sending(TestPushes.settings(server, answerMilliseconds: 300)) { limits in
            limits.connectionMilliseconds = 10
        }
        try sending.send(pushes(1..<4), limitMilliseconds: 6_000)
        #expect(sending.endings.count == 3)
        for ending in sending.endings.values {
            guard case .deferred(_, 1, PushReason.noAnswer) = ending else {
                Issue.record("\(ending)")
                continue
            }
        }
        #expect(Set(try server.requests(atLeast: 9).map(\.connection)).count >= 3)
    }

    @Test("A server that falls silent: what it has not answered goes on over a new connection")
    func silentConnection() throws {
        let server = try server(#"[{"times":20},{"connection":1,"silent":true}]"#)
        let sending = try Sending(TestPushes.settings(server, answerMilliseconds: 500))
        let pushes = try pushes(1..<100)
        try sending.send(pushes)
        expectOnce(try server.requests(atLeast: 99, status: 200), pushes)
    }

    @Test("A server that reads slowly gets all")
    func slowReading() throws {
        let server = try server(#"[{"times":1},{"times":3,"slow":0.3}]"#)
        let sending = try Sending(TestPushes.settings(server))
        let body = String(repeating: "x", count: 3_900)
        let pushes = try (1..<300).map { try TestPushes.push($0, content: #"{"title":"\#(body)"}"#) }
        try sending.send(pushes)
        expectOnce(try server.requests(atLeast: 299), pushes)
    }

    @Test("Nobody listens: the pushes are put off when time is up, and nothing is lost")
    func nobody() throws {
        var settings = TestPushes.settings(try server())
        settings.production = "https://localhost:1"
        let sending = try Sending(settings)
        try sending.send(pushes(1..<20), limitMilliseconds: 300)
        #expect(sending.endings.count == 19)
        for ending in sending.endings.values {
            guard case .deferred(_, 0, PushReason.noConnection) = ending else {
                if case .deferred(_, 0, PushReason.interrupted) = ending { continue }
                Issue.record("\(ending)")
                continue
            }
        }
    }

    @Test("A server whose certificate is not trusted gets nothing, and why is told once")
    func untrusted() throws {
        let server = try server()
        var settings = TestPushes.settings(server)
        let other = try Credentials()
        settings.authorities = other.certificate
        let sending = try Sending(settings) { limits in limits.connectionMilliseconds = 10 }
        var told: [String] = []
        sending.transport.tell = { told.append($0) }
        try sending.send(pushes(1..<3), limitMilliseconds: 300)
        #expect(sending.endings.count == 2 && !sending.endings.values.contains(.delivered))
        #expect(try server.lines().allSatisfy { $0.event != "request" })
        #expect(
            told.count == 1 && told.first?.contains("the certificate for 'localhost' is not trusted") == true, "\(told)"
        )
        #expect(sending.transport.connectionCount > 1)
    }

    @Test("Certificates that cannot be read are no push's fault")
    func unreadable() throws {
        var settings = TestPushes.settings(try server())
        settings.authorities = "/nowhere.pem"
        let sending = try Sending(settings)
        #expect(throws: SubscriberUnavailable.self) { try sending.send([TestPushes.push(1)]) }
    }

    @Test("Production and sandbox are connections of their own, by the device's environment")
    func environments() throws {
        let (production, sandbox) = (try server(), try server())
        var settings = TestPushes.settings(production)
        settings.sandbox = sandbox.origin
        let sending = try Sending(settings)
        try sending.send((1..<20).map { try TestPushes.push($0, isSandbox: $0 % 2 == 0) })
        #expect(try production.requests(atLeast: 10).count == 10)
        #expect(try sandbox.requests(atLeast: 9).count == 9)
        #expect(sending.transport.tokenCount == 1 && sending.transport.connectionCount == 2)
    }
}
