import APNsSubscriber
import RationCommandLine
import RationConfiguration
import RationModel

/// `ration apns`: one push by hand, provider tokens, channels of broadcasts.
struct APNsCommand: Command {
    static let name = "apns"
    static let summary = "Send one push and show the exchange, make a provider token, manage channels of broadcasts"
    static let details = [
        "send sends one push at once, past the broker, and prints the request and the answer without the device's and the "
            + "provider's token; status 1 unless APNs has taken it. The device's token is asked of the broker, or read from a "
            + "file, so that it stands in no list of processes.",
        "token prints a provider token, which is a secret: whoever has it can push to the team's apps for an hour. With "
            + "--dry-run it prints what the token says, unsigned.",
        "channel create makes a channel and prints its identifier; channel list, channel read and channel delete show and "
            + "delete them.",
    ]
    static let action = Argument<String>.required("ACTION", "send, token or channel")
    static let work = Argument<String?>.optional("WORK", "channel: create, list, read or delete")
    static let config = Option<String?>.text("config", "FILE", "the configuration with the subscriber; has to be given")
    static let app = Option<String?>.text("app", "APP", "the app's bundle identifier; has to be given")
    static let device = Option<String?>.text(
        "device", "DEVICE", "send: to the token that the broker knows of this device")
    static let tokenFile = Option<String?>.text("token-file", "FILE", "send: to the token in this file; - is the input")
    static let sandbox = Option<Bool>.flag("sandbox", "by the sandbox; with --device as the device has told")
    static let content = Option<String>.text(
        "content", "JSON", "send: an intent's content", default: #"{"title":"Ration"}"#)
    static let identifier = Option<String>.text(
        "id", "ID", "send: the notification's id, which replaces one shown with it", default: "ration.apns.send")
    static let channel = Option<String?>.text("channel", "CHANNEL", "channel read, delete: which one")
    static let stores = Option<Bool>.flag(
        "stores", "channel create: devices that are offline get the last message later")
    static let dryRun = Option<Bool>.flag("dry-run", "print what would be sent, and send nothing")
    static let arguments: [any ArgumentDeclaration] = [action, work]
    static let options: [any OptionDeclaration] = [
        config, BrokerEndpoint.admin.option, app, device, tokenFile, sandbox, content, identifier, channel, stores,
        dryRun,
    ]
    static let examples = [
        Example("ration apns send --config deploy/ration.yaml --app com.example.habits --device phone-1", "one push"),
        Example(
            "ration apns token --config deploy/ration.yaml --app com.example.habits --dry-run", "what a token says"),
    ]

    enum Action: Equatable {
        case send, token
        case createChannel, listChannels, readChannel, deleteChannel
    }

    private let action: Action
    private let request: APNsRequest

    init(_ arguments: ParsedArguments) throws {
        guard let config = arguments[Self.config] else { throw UsageError("expected --config FILE") }
        guard let app = arguments[Self.app] else { throw UsageError("expected --app APP") }
        action = try Self.action(arguments[Self.action], arguments[Self.work])
        let targets = [arguments[Self.device], arguments[Self.tokenFile]].compactMap { $0 }
        guard action == .send || targets.isEmpty else {
            throw UsageError("--device and --token-file go with 'apns send'")
        }
        guard targets.count <= 1 else { throw UsageError("expected one of --device and --token-file") }
        let needsChannel = action == .readChannel || action == .deleteChannel
        guard needsChannel == (arguments[Self.channel] != nil) else {
            throw UsageError(
                "--channel CHANNEL goes with 'apns channel read' and 'apns channel delete', and has to be given there")
        }
        let channel = arguments[Self.channel] ?? ""
        guard channel.utf8.count <= Limits.channelBytes, channel.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw UsageError("expected at most \(Limits.channelBytes) characters of ASCII as --channel")
        }
        request = APNsRequest(
            config: config, admin: arguments[BrokerEndpoint.admin.option], app: app, device: arguments[Self.device],
            tokenFile: arguments[Self.tokenFile], isSandbox: arguments[Self.sandbox], content: arguments[Self.content],
            id: arguments[Self.identifier], channel: channel,
            storesMessage: arguments[Self.stores],
            isDry: arguments[Self.dryRun])
    }

    private static func action(_ word: String, _ work: String?) throws -> Action {
        switch (word, work) {
        case ("send", nil): return .send
        case ("token", nil): return .token
        case ("channel", "create"): return .createChannel
        case ("channel", "list"): return .listChannels
        case ("channel", "read"): return .readChannel
        case ("channel", "delete"): return .deleteChannel
        case ("channel", _):
            throw UsageError(
                "'apns channel' takes create, list, read or delete, found '\((work ?? "nothing").printable)'")
        case ("send", let more?), ("token", let more?):
            throw UsageError("'apns \(word)' takes no more words, found '\(more.printable)'")
        default: throw UsageError(Spelling.unknown("action", word, among: ["send", "token", "channel"]))
        }
    }

    func run(_ console: Console) throws -> ExitStatus {
        let exchange = try APNsExchange(request, console)
        switch action {
        case .send: return try exchange.send()
        case .token: return try exchange.showToken()
        default: return try exchange.manage(action)
        }
    }
}

/// What `ration apns` was asked for.
struct APNsRequest: Sendable {
    var config: String
    var admin: String?
    var app: String
    var device: String?
    var tokenFile: String?
    var isSandbox: Bool
    var content: String
    var id: String
    var channel: String
    var storesMessage: Bool
    var isDry: Bool
}
