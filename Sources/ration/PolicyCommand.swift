import RationBus
import RationCommandLine
import RationConfiguration
import RationJSON
import RationSimulation
import RationWire

/// `ration policy`: the policy of a running broker, and what another one would do.
struct PolicyCommand: Command {
    static let name = "policy"
    static let summary = "Show, check or replace the policy of a running broker, or compare two policies"
    static let details = [
        "show prints the policy in force as JSON, with every default, behind a line that tells its revision; it can be "
            + "put again. check asks the broker whether it would take a file; put replaces the policy. Both tell every "
            + "fault as file:line:column: path: message, with status 1, and then nothing has changed. A file is YAML or "
            + "JSON; - is standard input.",
        "A policy that was put is in force for every intent that comes later, and what is pending is replanned while "
            + "intents go on. It stays until the next put, until SIGHUP makes the broker read a file that names another, "
            + "or until the broker is started again.",
        "diff asks no broker. It runs recorded steps (as 'ration simulate' reads them) under the policy FILE, which it "
            + "calls A, and under the policy FILE2, B, and shows which counts of events and which notifications' fates "
            + "differ.",
    ]
    static let action = Argument<String>.required("ACTION", "show, check, put or diff")
    static let file = Argument<String?>.optional("FILE", "the policy, for check, put and diff")
    static let file2 = Argument<String?>.optional("FILE2", "diff: the policy to compare with")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let revision = Option<Int?>.number(
        "revision", "NUMBER", in: 1...Int.max, "show: an earlier revision; the broker keeps the last 16")
    static let wait = Option<Int64?>.duration(
        "wait", "DURATION", "put: wait until what is pending is replanned, at most so long")
    static let steps = Option<String?>.text("steps", "FILE", "diff: the steps, one a line; - is standard input")
    static let exampleCount = Option<Int?>.number(
        "examples", "NUMBER", in: 0...1_000_000, "diff: notifications that are shown of each difference; 3 unless named"
    )
    static let arguments: [any ArgumentDeclaration] = [action, file, file2]
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.admin.option, BrokerEndpoint.config, json, revision, wait, steps, exampleCount,
    ]
    static let examples = [
        Example("ration policy show", "the policy in force"),
        Example("ration policy put deploy/policy.yaml --wait 1m", "another one, until it holds for all recipients"),
        Example("ration policy diff old.yaml new.yaml --steps steps.ndjson", "what new.yaml would have changed"),
        Example("ration policy show --revision 1 > old.json && ration policy put old.json", "back to the first one"),
    ]

    private enum Action: String, CaseIterable {
        case show, check, put, diff

        /// What it takes behind its name.
        var files: [String] {
            switch self {
            case .show: []
            case .check, .put: ["FILE"]
            case .diff: ["FILE", "FILE2"]
            }
        }
    }

    private let action: Action
    private let file: String?
    private let admin: String
    let printsJSON: Bool
    private let revision: Int?
    private let waitMilliseconds: Int64?
    /// `diff` only.
    private var diff: PolicyDiff?

    init(_ arguments: ParsedArguments) throws {
        let word = arguments[Self.action]
        guard let action = Action(rawValue: word) else {
            throw UsageError(Spelling.unknown("action", word, among: Action.allCases.map(\.rawValue)))
        }
        self.action = action
        let files = [arguments[Self.file], arguments[Self.file2]].compactMap(\.self)
        guard files.count == action.files.count else {
            let expected = action.files.isEmpty ? "no FILE" : action.files.joined(separator: " and ")
            throw UsageError("'policy \(action.rawValue)' takes \(expected)")
        }
        file = files.first
        revision = arguments[Self.revision]
        waitMilliseconds = arguments[Self.wait]
        try Self.checkOptions(arguments, of: action)
        printsJSON = arguments[Self.json]
        admin = action == .diff ? "" : try BrokerEndpoint.admin.address(in: arguments)
        if action == .diff { diff = try PolicyDiff(Pair(a: files[0], b: files[1]), arguments) }
    }

    /// Each option goes with the actions that it means something to.
    private static func checkOptions(_ arguments: ParsedArguments, of action: Action) throws {
        let owners: [(any OptionDeclaration, [Action])] = [
            (revision, [.show]), (wait, [.put]), (steps, [.diff]), (exampleCount, [.diff]),
            (BrokerEndpoint.admin.option, [.show, .check, .put]), (BrokerEndpoint.config, [.show, .check, .put]),
        ]
        for (option, actions) in owners where arguments.names(option) && !actions.contains(action) {
            let names = actions.map { "'policy \($0.rawValue)'" }.joined(separator: ", ")
            throw UsageError("--\(option.name) goes with \(names)")
        }
    }

    func run(_ console: Console) throws -> ExitStatus {
        if let diff { return try diff.run(console) }
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
