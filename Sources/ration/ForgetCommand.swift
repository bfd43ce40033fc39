import RationBus
import RationCommandLine
import RationWire

/// `ration forget`: nothing is kept of a device any more.
struct ForgetCommand: Command {
    static let name = "forget"
    static let summary = "Erase what a running broker keeps of a device"
    static let details = [
        "The device is removed as by an intent 'remove', and what is pending for it is cancelled. Then its id, the ids and contents "
            + "of its notifications and types of its own are overwritten in every event of the log and in all other files: events keep "
            + "their places, kinds and dates, so that counts stay right. Texts in kept answers to publishers go too, of whatever device.",
        "It ends when that is done; what a broker had begun when it ended is finished when it starts again. Not reached are backups, "
            + "requests kept aside (ration poison; they are named), and what subscribers keep. The device's id alone may stand in "
            + "the store's journal of files until the broker starts the next time.",
    ]
    static let app = Argument<String>.required("APP", "the app, as its services name it")
    static let device = Argument<String>.required("DEVICE", "the device")
    static let timeout = Option<Int64>.duration(
        "timeout", "DURATION", default: "1h", "how long it may take; the broker goes on with it then")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [app, device]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.admin.option, BrokerEndpoint.config, timeout, json]
    static let examples = [
        Example("ration forget com.example.habits phone-1 --config deploy/ration.yaml", "somebody asks to be forgotten")
    ]

    private let request: ForgetRequest
    private let admin: String
    private let timeoutMilliseconds: Int
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        request = ForgetRequest(app: arguments[Self.app], device: arguments[Self.device])
        admin = try BrokerEndpoint.admin.address(in: arguments)
        timeoutMilliseconds = Int(min(arguments[Self.timeout], 1 << 40))
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: admin, in: Context())
        // Somebody has to be there: a broker answers this at once.
        _ = try client.status(timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        let answer = try client.forget(request, timeoutMilliseconds: timeoutMilliseconds)
        if printsJSON {
            try answer.body.withUnsafeBytes { try console.output.line(bytes: $0) }
            return .success
        }
        try console.output.line(
            "forgotten with batch \(answer.batch), in \(answer.milliseconds) ms; erased: texts of \(answer.events) events and "
                + "\(answer.answers) kept answers")
        if !answer.poison.isEmpty {
            try console.output.line(
                "requests that are kept aside name it still, see 'ration poison': \(answer.poison.joined(separator: ", "))"
            )
        }
        return .success
    }
}
