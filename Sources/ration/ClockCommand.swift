import RationBus
import RationCommandLine
import RationJSON

/// `ration clock`: how the broker's clock is, and believing it.
struct ClockCommand: Command {
    static let name = "clock"
    static let summary = "Show how the broker's clock is, or accept a wall clock that has jumped"
    static let details = [
        "A wall clock that jumps forward by over a minute is not believed: nothing fires by itself, while intents are "
            + "taken by the machine's own time. It ends when the wall clock comes back, or with 'ration clock accept'."
    ]
    static let action = Argument<String?>.optional("ACTION", "show or accept; show unless given")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [action]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.admin.option, BrokerEndpoint.config, json]
    static let examples = [
        Example("ration clock", "whether now is the wall clock"),
        Example("ration clock accept", "the wall clock is right: what has come is fired"),
    ]

    private let accepts: Bool
    private let admin: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        switch arguments[Self.action] ?? "show" {
        case "show": accepts = false
        case "accept": accepts = true
        case let word: throw UsageError("'clock' takes show or accept, found '\(word.printable)'")
        }
        admin = try BrokerEndpoint.admin.address(in: arguments)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: admin, in: Context())
        let body = try client.clock(accepting: accepts, timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        if printsJSON {
            try body.withUnsafeBytes { try console.output.line(bytes: $0) }
            return .success
        }
        var parser = JSONParser()
        let answer = try parser.parse(body)
        let (now, wall) = (answer["now"]?.text ?? "", answer["wall"]?.text ?? "")
        switch answer["state"]?.text {
        case "trusted": try console.output.line("now is the wall clock: \(now)")
        case "doubted": try console.output.line("now is \(now); the wall clock, \(wall), is not believed")
        default: try console.output.line("now is \(now) and stands still; the wall clock is behind it, \(wall)")
        }
        return .success
    }
}
