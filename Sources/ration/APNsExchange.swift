import APNsSubscriber
import RationBus
import RationCommandLine
import RationConfiguration
import RationES256
import RationHTTP2Client
import RationModel
import RationPluginKit
import RationWire

/// One exchange with APNs, shown without secrets.
struct APNsExchange {
    private static let patienceMilliseconds = 5_000
    /// A push by hand is for now: it is not kept for a device that is off for long.
    private static let validMilliseconds: Int64 = 3_600_000

    private let request: APNsRequest
    private let console: Console
    private let settings: APNsSettings
    private let broker: BrokerConfiguration
    private let key: Int

    init(_ request: APNsRequest, _ console: Console) throws {
        (self.request, self.console) = (request, console)
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration = try Configuration.read(servicesOf: request.config, InstalledServices(plugins))
        } catch {
            throw CommandFailure(error)
        }
        let all = try configuration.subscribers.filter { $0.plugin == APNs.name }.map { try APNsSettings($0.settings) }
        guard let found = all.first(where: { $0.key(ofApp: request.app) != nil }),
            let key = found.key(ofApp: request.app)
        else {
            throw CommandFailure(
                "\(request.config): no subscriber '\(APNs.name)' has a key for the app '\(request.app)'")
        }
        (settings, broker, self.key) = (found, configuration.broker, key)
    }

    private func token(issued: Instant) throws -> String {
        let names = settings.keys[key]
        do {
            return try ProviderToken.text(
                key: KeyFile.read(names.file), identifier: names.identifier, team: names.team, issued: issued)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    func showToken() throws -> ExitStatus {
        let (names, now) = (settings.keys[key], Instant.wallClock)
        let token = try token(issued: now)
        guard request.isDry else {
            try console.output.line(token)
            return .success
        }
        try console.output.line("key '\(names.name)', file \(names.file): it signs")
        try console.output.line(
            "alg ES256, kid \(names.identifier), iss \(names.team), iat \(now.milliseconds / 1_000)")
        return .success
    }

    func send() throws -> ExitStatus {
        var reader = PushContentReader()
        let content: PushContent
        do throws(Rejection) {
            content = try reader.read(Array(request.content.utf8), at: .wallClock)
        } catch {
            throw CommandFailure("--content: \(error.field): \(error.message) (\(error.code.rawValue))")
        }
        let now = Instant.wallClock
        let push = Push(
            source: Push.Source(log: "by hand", sequence: UInt64(bitPattern: now.milliseconds)), app: request.app,
            device: request.device ?? "", id: request.id, content: content,
            validUntil: now.advanced(by: Self.validMilliseconds), address: try address(content), key: key)
        guard content.kind == .broadcast || push.hasPlainToken else {
            throw CommandFailure("expected a token of hexadecimal digits, found something else")
        }
        let origin = settings.origin(isSandbox: push.address.isSandbox)
        let message = HTTP2Request(path: push.path, fields: push.fields, body: content.payload)
        let answer = try exchange(message, origin: origin, shownPath: push.shownPath)
        return answer.map { $0.status == 200 } ?? true ? .success : .failure
    }

    /// Where the push goes.
    private func address(_ content: PushContent) throws -> DeviceAddress {
        var address = DeviceAddress(token: "", isSandbox: request.isSandbox, delivery: .push, registered: nil)
        if let file = request.tokenFile {
            address.token = try Self.token(in: file)
        } else if let device = request.device {
            let admin = try request.admin ?? broker.adminEndpoint().text
            let client = QueryClient(endpoint: admin, in: try Context())
            let recipient = DevicesRequest.Recipient(app: request.app, device: device)
            let found = try client.devices([recipient], timeoutMilliseconds: Self.patienceMilliseconds)[0]
            guard let found, !found.token.isEmpty else {
                throw CommandFailure("the broker knows no token of device '\(device)' of '\(request.app)'")
            }
            address = found
        } else if content.kind != .broadcast {
            throw UsageError("expected --device DEVICE or --token-file FILE")
        }
        return address
    }

    private static func token(in file: String) throws -> String {
        let input = try LineInput(file: file, limit: Limits.tokenBytes)
        var token = ""
        if let line = try input.next({ String(decoding: $0, as: UTF8.self) }) { token = line }
        guard !token.isEmpty else { throw CommandFailure("\(file): expected a token in the first line, found none") }
        return token
    }

    func manage(_ action: APNsCommand.Action) throws -> ExitStatus {
        let message =
            switch action {
            case .createChannel: ChannelRequest.create(app: request.app, storesMessage: request.storesMessage)
            case .readChannel: ChannelRequest.read(app: request.app, channel: request.channel)
            case .deleteChannel: ChannelRequest.delete(app: request.app, channel: request.channel)
            default: ChannelRequest.list(app: request.app)
            }
        let origin = request.isSandbox ? settings.sandboxChannels : settings.channels
        guard let answer = try exchange(message, origin: origin, shownPath: message.path) else { return .success }
        if action == .createChannel, let channel = answer.header("apns-channel-id") { try console.output.line(channel) }
        return (200..<300).contains(answer.status) ? .success : .failure
    }

    /// Shows a request, sends it unless it is dry, and shows the answer.
    private func exchange(_ message: HTTP2Request, origin: String, shownPath: String) throws -> HTTP2Answer? {
        let authorization = "bearer \(try token(issued: .wallClock))"
        try console.output.line("> \(message.method.rawValue) \(origin)\(shownPath)")
        for line in message.fields.lines + ["authorization: bearer …"] { try console.output.line("> \(line)") }
        if !message.body.isEmpty { try console.output.line("> \(String(decoding: message.body, as: UTF8.self))") }
        guard !request.isDry else { return nil }
        var options = HTTP2Options(origin: origin)
        options.authorities = settings.authorities.isEmpty ? nil : settings.authorities
        options.answerMilliseconds = Int(settings.answerMilliseconds)
        var sent = message
        sent.fields.add("authorization", authorization)
        let answer: HTTP2Answer
        do {
            answer = try HTTP2Connection(options).answer(to: sent)
        } catch {
            throw CommandFailure("\(origin): \(error)")
        }
        try console.output.line("< \(answer.status)")
        for line in answer.headers { try console.output.line("< \(line)") }
        if !answer.body.isEmpty {
            try console.output.line("< \(String(decoding: answer.body, as: UTF8.self).printable)")
        }
        return answer
    }
}
