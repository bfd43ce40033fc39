import APNsSubscriber
import RationES256
import RationModel
import RationWire
import TestProcesses

/// Pushes for tests.
enum TestPushes {
    static let app = "com.example.habits"

    static func push(
        _ number: Int, content: String = #"{"title":"Water"}"#, token: String? = nil, isSandbox: Bool = false,
        registered: Int64? = nil, validUntil: Int64 = .max / 2, hasWorked: Bool = false, attempts: Int = 0, key: Int = 0
    ) throws -> Push {
        var reader = PushContentReader()
        let address = DeviceAddress(
            token: token ?? Self.token(number), isSandbox: isSandbox, delivery: .push,
            registered: registered.map { Instant(milliseconds: $0) })
        return Push(
            source: Push.Source(log: "log", sequence: UInt64(number)), app: app, device: "d\(number)", id: "n\(number)",
            content: try reader.read(Array(content.utf8), at: Instant(milliseconds: 0)),
            validUntil: Instant(milliseconds: validUntil), address: address, key: key, attempts: attempts,
            hasWorked: hasWorked)
    }

    /// Like Apple's: hexadecimal digits.
    static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// Settings that lead to a server of the tests.
    static func settings(_ server: TestServer, answerMilliseconds: Int64 = 5_000, streams: Int = 1_000) -> APNsSettings
    {
        var settings = APNsSettings()
        settings.keys = [
            APNsSettings.Key(
                name: "main", file: server.credentials.keyFile, identifier: Credentials.identifier,
                team: Credentials.team, apps: [app])
        ]
        (settings.production, settings.sandbox) = (server.origin, server.origin)
        settings.authorities = server.credentials.certificate
        settings.answerMilliseconds = answerMilliseconds
        settings.streams = streams
        return settings
    }
}

/// Sends over the real transport and keeps what is learned.
final class Sending {
    let transport: PushTransport
    let exchange: PushExchange
    private(set) var effects: [PushEffect] = []

    init(_ settings: APNsSettings, limits change: (inout PushLimits) -> Void = { _ in }) throws {
        let keys = try settings.keys.map { try KeyFile.read($0.file) }
        transport = PushTransport(settings, keys: keys)
        var limits = PushLimits()
        limits.streams = settings.streams
        change(&limits)
        exchange = PushExchange(PushSender(keys: keys.count, limits: limits), transport, clock: { .now })
    }

    func send(_ pushes: [Push], limitMilliseconds: Int64 = 30_000) throws {
        try exchange.send(pushes, limitMilliseconds: limitMilliseconds, learn: { effects.append($0) })
    }

    var endings: [String: PushEnding] {
        var endings: [String: PushEnding] = [:]
        for case .ended(let push, let ending) in effects { endings[push.device] = ending }
        return endings
    }

    var alarms: [PushAlarm] {
        effects.compactMap { if case .alarm(let alarm) = $0 { alarm } else { nil } }
    }
}
