import RationBus
import RationCommandLine
import RationJSON

/// `ration status`: the broker's counters.
struct StatusCommand: Command {
    static let name = "status"
    static let summary = "Show how the broker is: its counters and its event log"
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let wait = Option<Int64?>.duration("wait", "DURATION", "wait until the broker answers, at most so long")
    static let process = Option<Int?>.number(
        "process", "NUMBER", in: 0...Int(Int32.max), "fail if another process answers than this one")
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.queries.option, BrokerEndpoint.config, json, wait, process,
    ]
    static let examples = [
        Example("ration status", "once"), Example("ration status --wait 10s", "when a broker has just been started"),
    ]

    /// How long an answer may take.
    static let patienceMilliseconds = 5_000

    private let queries: String
    private let printsJSON: Bool
    private let waitMilliseconds: Int
    private let process: Int?

    init(_ arguments: ParsedArguments) throws {
        queries = try BrokerEndpoint.queries.address(in: arguments)
        printsJSON = arguments[Self.json]
        process = arguments[Self.process]
        waitMilliseconds = arguments[Self.wait].map { Int(min($0, 1 << 40)) } ?? Self.patienceMilliseconds
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: queries, in: Context())
        let body = try client.status(timeoutMilliseconds: waitMilliseconds)
        var parser = JSONParser()
        let status = try parser.parse(body)
        if let process, status["process"]?.integer != Int64(process) {
            let other = status["process"]?.integer.map { "process \($0)" } ?? "one without a number"
            throw CommandFailure("another broker answers at \(queries): \(other), not process \(process)")
        }
        if printsJSON {
            try body.withUnsafeBytes { try console.output.line(bytes: $0) }
            return .success
        }
        var table = TextTable([.init("name"), .init("value")])
        Self.append(status, named: "", to: &table)
        for line in table.lines() { try console.output.line(line) }
        return .success
    }

    /// A row for each member; those of an object inside are `outer.inner`.
    private static func append(_ value: JSONValue, named name: String, to table: inout TextTable) {
        switch value.kind {
        case .object:
            for member in value.children {
                let key = String(decoding: member.key, as: UTF8.self)
                append(member, named: name.isEmpty ? key : "\(name).\(key)", to: &table)
            }
        case .string: table.append([name, value.text ?? ""])
        case .null: table.append([name, "-"])
        case .bool, .integer, .double, .array:
            var writer = JSONWriter()
            value.canonical(into: &writer)
            table.append([name, String(decoding: writer.bytes, as: UTF8.self)])
        }
    }
}
