import RationConfiguration
import Testing

@testable import RationCommandLine

/// One parameter of each kind.
struct PublishCommand: Command {
    static let name = "publish"
    static let summary = "Publish intents"
    static let kinds = Option<[String]>.list("kind", "KIND", oneOf: ["due", "evicted"], "only these kinds")
    static let most = Option<Int>.number("most", "COUNT", in: 1...100, default: 10, "how many at most")
    static let seed = Option<Int?>.number("seed", "NUMBER", in: 0...9, "the seed")
    static let wait = Option<Int64>.duration("wait", "DURATION", default: "5s", "how long to wait")
    static let limit = Option<Int64?>.duration("limit", "DURATION", "when to end")
    static let json = Option<Bool>.flag("json", "print JSON")
    static let publisher = Option<String?>.text("publisher", "NAME", "the publisher's name")
    static let outbox = Option<String>.text("outbox", "FILE", "where requests are kept", default: "outbox.db")
    static let app = Argument<String>.required("APP", "the app")
    static let device = Argument<String?>.optional("DEVICE", "the device")
    static let files = Argument<[String]>.rest("FILE", "files of intents")
    static let arguments: [any ArgumentDeclaration] = [app, device, files]
    static let options: [any OptionDeclaration] =
        [kinds, most, seed, wait, limit, json, publisher, outbox, BrokerEndpoint.intents.option, BrokerEndpoint.config]
    static let examples = [Example("ration publish com.app < intents.ndjson", "from standard input")]

    let given: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        given = arguments
    }

    func run(_ console: Console) throws -> RationCommandLine.ExitStatus { .success }
}

struct PlanCommand: Command {
    static let name = "plan"
    static let summary = "Show a plan"

    init(_ arguments: ParsedArguments) throws {}

    func run(_ console: Console) throws -> RationCommandLine.ExitStatus {
        for number in 1...3 { try console.output.line("line \(number)") }
        throw CommandFailure("nobody answers")
    }
}

let program = Program(
    name: "ration", summary: "Rations.", version: "1.2.3", commands: [PublishCommand.self, PlanCommand.self])

/// What `publish` was given.
func given(_ words: String...) throws -> ParsedArguments {
    guard case .run(let command) = try program.action(for: ["publish"] + words),
        let publish = command as? PublishCommand
    else { throw UsageError("not run") }
    return publish.given
}

/// What is said of a command line that is wrong.
func complaint(_ words: [String]) -> String? {
    do {
        _ = try program.action(for: words)
        return nil
    } catch {
        return "\(error)"
    }
}

@Suite("A command line is read as its command declares")
struct ParsingTests {
    @Test("absent options have their defaults")
    func defaults() throws {
        let arguments = try given("a")
        #expect(arguments[PublishCommand.kinds] == [])
        #expect(arguments[PublishCommand.most] == 10)
        #expect(arguments[PublishCommand.seed] == nil)
        #expect(arguments[PublishCommand.wait] == 5000)
        #expect(arguments[PublishCommand.limit] == nil)
        #expect(!arguments[PublishCommand.json])
        #expect(arguments[PublishCommand.publisher] == nil)
        #expect(arguments[PublishCommand.outbox] == "outbox.db")
        #expect(arguments[PublishCommand.app] == "a")
        #expect(arguments[PublishCommand.device] == nil)
        #expect(arguments[PublishCommand.files] == [])
        #expect(!arguments.names(PublishCommand.most))
    }

    @Test("a value stands behind its option or behind =, and options among arguments")
    func values() throws {
        let arguments = try given(
            "--most", "7", "a", "--seed=3", "--wait=2m", "d", "--limit", "1h", "--json", "--publisher=x=y", "f", "-",
            "g")
        #expect(arguments[PublishCommand.most] == 7)
        #expect(arguments[PublishCommand.seed] == 3)
        #expect(arguments[PublishCommand.wait] == 120_000)
        #expect(arguments[PublishCommand.limit] == 3_600_000)
        #expect(arguments[PublishCommand.json])
        #expect(arguments[PublishCommand.publisher] == "x=y")
        #expect(arguments[PublishCommand.app] == "a")
        #expect(arguments[PublishCommand.device] == "d")
        #expect(arguments[PublishCommand.files] == ["f", "-", "g"])
        #expect(arguments.names(PublishCommand.most))
    }

    @Test("a list is repeated or holds commas")
    func lists() throws {
        #expect(try given("a", "--kind", "due", "--kind", "evicted")[PublishCommand.kinds] == ["due", "evicted"])
        #expect(try given("a", "--kind=due,evicted")[PublishCommand.kinds] == ["due", "evicted"])
    }

    @Test("behind -- all are arguments")
    func endOfOptions() throws {
        let arguments = try given("--json", "--", "--most", "-h")
        #expect(arguments[PublishCommand.app] == "--most")
        #expect(arguments[PublishCommand.device] == "-h")
    }

    @Test(
        "a wrong command line says what was meant",
        arguments: [
            ("", "expected a command: publish, plan"),
            ("plublish a", "unknown command 'plublish', did you mean 'publish'?"),
            ("frobnicate", "unknown command 'frobnicate', expected one of publish, plan, help"),
            ("help pln", "unknown command 'pln', did you mean 'plan'?"),
            ("--verison", "unknown option '--verison', did you mean '--version'?"),
            ("publish --intnets x a", "unknown option '--intnets' for 'publish', did you mean '--intents'?"),
            ("plan --zzz", "unknown option '--zzz' for 'plan', expected one of --help"),
            ("publish a -j", "unknown option '-j' for 'publish'; options have long names"),
            ("publish a --most", "option '--most' needs a value: --most=COUNT"),
            ("publish a --most --json", "option '--most' needs a value: --most=COUNT"),
            ("publish a --most 0", "option '--most': expected a whole number from 1 to 100, found '0'"),
            ("publish a --most 101", "option '--most': expected a whole number from 1 to 100, found '101'"),
            ("publish a --most +5", "option '--most': expected a whole number from 1 to 100, found '+5'"),
            ("publish a --most 5 --most 6", "option '--most' is given twice"),
            ("publish a --wait 5", "option '--wait': expected a duration such as 500ms, 90s, 5m, 1h or 7d, found '5'"),
            ("publish a --json=1", "option '--json' takes no value"),
            ("publish a --kind eivcted", "option '--kind': unknown value 'eivcted', did you mean 'evicted'?"),
            ("publish a --kind due,", "option '--kind': expected a value, found an empty one"),
            ("publish", "'publish' needs APP: the app"),
            ("plan x", "'plan' takes no argument 'x'"),
            (
                "publish a --intents 5",
                "option '--intents': expected tcp://ADDRESS:PORT or ipc://PATH, found '5'"
            ),
        ])
    func complaints(line: String, expected: String) {
        #expect(complaint(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test("an endpoint is the option's, else the configuration's, else the default")
    func endpoints() throws {
        #expect(try BrokerEndpoint.intents.address(in: given("a")) == "tcp://127.0.0.1:7464")
        #expect(try BrokerEndpoint.intents.address(in: given("a", "--intents=ipc://x", "--config=none")) == "ipc://x")
        #expect(throws: CommandFailure("none: it cannot be opened: No such file or directory")) {
            try BrokerEndpoint.intents.address(in: given("a", "--config=none"))
        }
    }

    @Test("every key of the broker's section is an option of the broker")
    func brokerOptions() {
        let names = BrokerOptions.all.map(\.name)
        #expect(
            names == [
                "config", "data", "policy", "categories", "intents", "events", "queries", "admin", "http",
                "retentionBytes", "retention", "watermarkBytes", "watermarkPercent", "ballastBytes",
            ])
    }
}
