import RationBus
import RationCommandLine
import RationWire

/// `ration stop`: ends a running broker.
struct StopCommand: Command {
    static let name = "stop"
    static let summary = "Have the broker decide what it has received, and end"
    static let details = [
        "As SIGTERM does. This ends when the broker has ended. A broker of 'ration up', or of a service that is always restarted, is "
            + "started again: end that instead."
    ]
    static let timeout = Option<Int64>.duration("timeout", "DURATION", default: "30s", "how long to wait for its end")
    static let options: [any OptionDeclaration] = [BrokerEndpoint.admin.option, BrokerEndpoint.config, timeout]
    static let examples = [Example("ration stop --config deploy/ration.yaml", "from anywhere on the machine")]

    private let admin: String
    private let timeoutMilliseconds: Int64

    init(_ arguments: ParsedArguments) throws {
        admin = try BrokerEndpoint.admin.address(in: arguments)
        timeoutMilliseconds = arguments[Self.timeout]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: admin, in: Context())
        let broker = try client.stop(timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        guard OtherProcess.hasEnded(broker.process, within: timeoutMilliseconds) else {
            throw CommandFailure(
                "the broker, process \(broker.process), has not ended after \(timeoutMilliseconds) ms; it goes on with that"
            )
        }
        try console.output.line("the broker of log \(broker.log.printable), process \(broker.process), has stopped")
        return .success
    }
}
