import APNsSubscriber
import Foundation
import RationModel
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
}
