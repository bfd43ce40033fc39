import RationBus
import RationCommandLine
import RationJSON
import RationModel
import RationWire

/// `ration plan`: what a device holds and what waits.
struct PlanCommand: Command {
    static let name = "plan"
    static let summary = "Show what a device holds and what waits for a slot"
    static let app = Argument<String>.required("APP", "the app")
    static let device = Argument<String>.required("DEVICE", "the device")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [app, device]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.queries.option, BrokerEndpoint.config, json]
    static let examples = [Example("ration plan com.example.habits phone-1", "the plan of one phone")]

    private let app: String
    private let device: String
    private let queries: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        app = arguments[Self.app]
        device = arguments[Self.device]
        queries = try BrokerEndpoint.queries.address(in: arguments)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: queries, in: Context())
        let body = try QueryAnswer.body(orUnknown: { _ in "the broker knows no device '\(device)' of app '\(app)'" }) {
            try client.plan(app: app, device: device, timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        }
        return try QueryAnswer.show(body, asJSON: printsJSON, console) { try show($0, console) }
    }

    private func show(_ plan: JSONValue, _ console: Console) throws {
        let (held, queued) = (plan["held"], plan["queued"])
        let (heldCount, queuedCount) = (held?.count ?? 0, queued?.count ?? 0)
        let sequence = plan["sequence"]?.integer ?? 0
        try console.output.line("\(app)/\(device): \(heldCount) held, \(queuedCount) queued, as of event \(sequence)")
        for (title, list) in [("held", held), ("queued", queued)] {
            guard let list, list.count > 0 else { continue }
            try console.output.line("")
            for line in table(list, isNumbered: title == "held", title).lines(width: width(console)) {
                try console.output.line(line)
            }
        }
    }

    private func width(_ console: Console) -> Int {
        console.terminal.isInteractive ? console.terminal.columns : .max
    }

    private func table(_ list: JSONValue, isNumbered: Bool, _ title: String) -> TextTable {
        let now = Instant.wallClock
        var table = TextTable([
            .init(title, isRight: isNumbered), .init("id"), .init("type"), .init("p", isRight: true),
            .init("fire date"),
            .init("in", isRight: true), .init("requested date"), .init(""),
        ])
        for (index, entry) in list.children.enumerated() {
            let fireDate = entry["fireDate"]?.text ?? ""
            table.append([
                isNumbered ? "\(index + 1)" : "", (entry["id"]?.text ?? "").printable, entry["type"]?.text ?? "",
                entry["priority"]?.integer.map(String.init) ?? "", fireDate,
                Instant(rfc3339: fireDate).map { TimeSpan.words(from: now, to: $0) } ?? "",
                entry["requestedDate"]?.text ?? "", entry["repeats"]?.bool == true ? "repeats" : "",
            ])
        }
        return table
    }
}
