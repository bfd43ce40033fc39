import RationBus
import RationCommandLine
import RationConfiguration
import RationJSON
import RationWire

/// `ration policy`: the policy of a running broker.
struct PolicyCommand: Command {
    static let name = "policy"
    static let summary = "Show, check or replace the policy of a running broker"
    static let details = [
        "show prints the policy in force as JSON, with every default, behind a line that tells its revision; it can be "
            + "put again. check asks the broker whether it would take a file; put replaces the policy. Both tell every "
            + "fault as file:line:column: path: message, with status 1, and then nothing has changed. A file is YAML or "
            + "JSON; - is standard input.",
        "A policy that was put is in force for every intent that comes later, and what is pending is replanned while "
            + "intents go on. It stays until the next put, until SIGHUP makes the broker read a file that names another, "
            + "or until the broker is started again.",
    ]
    static let action = Argument<String>.required("ACTION", "show, check or put")
    static let file = Argument<String?>.optional("FILE", "the policy, for check and put")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let revision = Option<Int?>.number(
        "revision", "NUMBER", in: 1...Int.max, "show: an earlier revision; the broker keeps the last 16")
    static let wait = Option<Int64?>.duration(
        "wait", "DURATION", "put: wait until what is pending is replanned, at most so long")
    static let arguments: [any ArgumentDeclaration] = [action, file]
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.admin.option, BrokerEndpoint.config, json, revision, wait,
    ]
    static let examples = [
        Example("ration policy show", "the policy in force"),
        Example("ration policy put deploy/policy.yaml --wait 1m", "another one, until it holds for all recipients"),
        Example("ration policy show --revision 1 > old.json && ration policy put old.json", "back to the first one"),
    ]

    private enum Action: String, CaseIterable {
        case show, check, put
    }

    private let action: Action
    private let file: String?
    private let admin: String
    let printsJSON: Bool
    private let revision: Int?
    private let waitMilliseconds: Int64?

    init(_ arguments: ParsedArguments) throws {
        let word = arguments[Self.action]
        guard let action = Action(rawValue: word) else {
            throw UsageError(Spelling.unknown("action", word, among: Action.allCases.map(\.rawValue)))
        }
        self.action = action
        file = arguments[Self.file]
        guard (file != nil) == (action != .show) else {
            throw UsageError(file == nil ? "'policy \(action.rawValue)' needs a FILE" : "'policy show' takes no FILE")
        }
        revision = arguments[Self.revision]
        waitMilliseconds = arguments[Self.wait]
        guard revision == nil || action == .show else { throw UsageError("--revision goes with 'policy show'") }
        guard waitMilliseconds == nil || action == .put else { throw UsageError("--wait goes with 'policy put'") }
        admin = try BrokerEndpoint.admin.address(in: arguments)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        var options = QueryClient.Options()
        // A large policy takes its time, and asking again would make the broker read it twice.
        options.deadlineMilliseconds = 30_000
        let client = QueryClient(endpoint: admin, in: try Context(), options: options)
        switch (action, file) {
        case (.check, let file?): return try check(try PolicyFile.read(file), client, console)
        case (.put, let file?): return try put(try PolicyFile.read(file), client, waitMilliseconds, console)
        default: return try show(client, console)
        }
    }

    private func show(_ client: QueryClient, _ console: Console) throws -> ExitStatus {
        let request = PolicyRequest.read(revision: revision.map(UInt64.init))
        let body = try client.policy(request, timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        guard !printsJSON else { return try printAnswer(body, console) }
        var parser = JSONParser(maximumDepth: 64, maximumValues: 1_000_000)
        let answer = try parser.parse(body)
        let (number, sequence) = (answer["revision"]?.integer ?? 0, answer["sequence"]?.integer ?? 0)
        let (at, source) = (answer["at"]?.text ?? "", (answer["source"]?.text ?? "").printable)
        try console.output.line("# revision \(number), since \(at) after event \(sequence), from \(source)")
        let backlog = answer["backlog"]?.integer ?? 0
        if backlog > 0 { try console.output.line("# \(PolicyProgress.text(backlog))") }
        if let policy = answer["policy"] { try console.output.line(policy.indented) }
        return .success
    }

    private func check(_ document: PolicyDocument, _ client: QueryClient, _ console: Console) throws -> ExitStatus {
        let request = PolicyRequest.validate(document)
        let body = try client.policy(request, timeoutMilliseconds: PolicyProgress.patienceMilliseconds)
        var parser = JSONParser(maximumValues: 1_000_000)
        let answer = try parser.parse(body)
        let faults = DocumentProblem.read(answer["faults"])
        let status = faults.isEmpty ? ExitStatus.success : .failure
        if printsJSON {
            _ = try printAnswer(body, console)
            return status
        }
        for warning in DocumentProblem.read(answer["warnings"]) {
            console.complain(ConfigurationFault(warning, of: document).warning)
        }
        for fault in faults { console.complain(ConfigurationFault(fault, of: document).description) }
        if faults.isEmpty { try console.output.line("\(document.file ?? "-"): the broker would take it") }
        return status
    }

    func printAnswer(_ body: [UInt8], _ console: Console) throws -> ExitStatus {
        try body.withUnsafeBytes { try console.output.line(bytes: $0) }
        return .success
    }
}
