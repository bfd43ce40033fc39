import RationBus
import RationCommandLine
import RationWire

/// `ration snapshot`: the plans of all devices.
struct SnapshotCommand: Command {
    static let name = "snapshot"
    static let summary = "Print the plans of all devices, one a line, each with the event up to which it is true"
    static let details = [
        "Each line is what 'ration plan --json' prints. Read on from a line's sequence with 'ration tail --from' to follow "
            + "what changes after it. Devices are read a page at a time, and each page is of one moment."
    ]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.queries.option, BrokerEndpoint.config]
    static let examples = [Example("ration snapshot > plans.ndjson", "what every phone holds and what waits")]

    private let queries: String

    init(_ arguments: ParsedArguments) throws {
        queries = try BrokerEndpoint.queries.address(in: arguments)
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: queries, in: Context())
        var request = SnapshotRequest()
        repeat {
            let page = try client.snapshot(request, timeoutMilliseconds: StatusCommand.patienceMilliseconds)
            try page.plans.withUnsafeBytes { plans in
                try Lines.forEach(in: plans) { try console.output.line(bytes: $0) }
            }
            request.after = page.answer.next
        } while !request.after.isEmpty
        try console.output.flush()
        return .success
    }
}
