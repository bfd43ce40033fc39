import RationBus
import RationCommandLine
import RationJSON
import RationWire

/// `ration explain`: what was decided about one notification, when and why.
struct ExplainCommand: Command {
    static let name = "explain"
    static let summary = "Tell why a notification holds a slot, waits, or is gone"
    static let details = [
        "A pending one is explained by the plan that holds now: where its type and priority come from, what moved it, "
            + "who has the slots, and what would give it one. One that has ended is explained from the event log. Below "
            + "stand the last events about it that the log keeps."
    ]
    static let app = Argument<String>.required("APP", "the app")
    static let device = Argument<String>.required("DEVICE", "the device")
    static let id = Argument<String>.required("ID", "the notification")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [app, device, id]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.queries.option, BrokerEndpoint.config, json]
    static let examples = [
        Example("ration explain com.example.habits phone-1 com.myapp.habitReminder.water", "one notification")
    ]

    private let app: String
    private let device: String
    private let id: String
    private let queries: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        app = arguments[Self.app]
        device = arguments[Self.device]
        id = arguments[Self.id]
        queries = try BrokerEndpoint.queries.address(in: arguments)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: queries, in: Context())
        let body = try QueryAnswer.body(orUnknown: { $0.message.printable }) {
            try client.explain(
                app: app, device: device, id: id, timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        }
        return try QueryAnswer.show(body, asJSON: printsJSON, console) { try show($0, console) }
    }

    private func show(_ answer: JSONValue, _ console: Console) throws {
        let sequence = answer["sequence"]?.integer ?? 0
        try console.output.line("\(app)/\(device.printable)  \(id.printable)  as of event \(sequence)")
        try console.output.line("")
        if let words = answer["words"] {
            for sentence in words.children { try console.output.line("  \((sentence.text ?? "").printable)") }
        }
        guard let events = answer["events"], events.count > 0 else { return }
        try console.output.line("")
        for line in Self.table(events).lines(width: console.terminal.isInteractive ? console.terminal.columns : .max) {
            try console.output.line(line)
        }
    }

    private static func table(_ events: JSONValue) -> TextTable {
        var table = TextTable([
            .init("event", isRight: true), .init("at"), .init("kind"), .init("why"), .init("fire date"),
            .init("batch", isRight: true), .init(""),
        ])
        for event in events.children {
            let why = ["cause", "action", "reason"].compactMap { event[$0]?.text?.printable }.joined(separator: " ")
            table.append([
                event["sequence"]?.integer.map(String.init) ?? "", event["at"]?.text ?? "", event["kind"]?.text ?? "",
                why, event["fireDate"]?.text ?? "", event["batch"]?.integer.map(String.init) ?? "",
                event["final"]?.bool == true ? "final" : "",
            ])
        }
        return table
    }
}
