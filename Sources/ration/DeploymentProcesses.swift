import RationConfiguration
import RationSupervision

/// The processes that a configuration stands for.
struct DeploymentProcesses {
    private enum Stage: Int {
        case broker, subscribers, schedulers, processes
    }

    private let configuration: Configuration
    private let file: String

    /// - Parameter file: where the configuration was read, for the processes to read it too.
    init(_ configuration: Configuration, file: String) {
        (self.configuration, self.file) = (configuration, file)
    }

    /// In the order in which they are started.
    var all: [SupervisedProcess] {
        let subscribers = configuration.subscribers.map { subscriber in
            process(subscriber.name, ["subscriber", subscriber.name], .subscribers, patienceMilliseconds: 15_000)
        }
        let schedulers = configuration.schedulers.map { scheduler in
            process(scheduler.name, ["scheduler", scheduler.name], .schedulers, patienceMilliseconds: 10_000)
        }
        return [broker] + subscribers + schedulers + configuration.processes.map(other)
    }

    private var broker: SupervisedProcess {
        var broker = process("broker", ["broker"], .broker, patienceMilliseconds: 30_000)
        broker.readiness = [
            ownProgram, "status", "--wait", "5s", "--process", SupervisedProcess.ownNumber, "--config", file,
        ]
        broker.takesHangUp = true
        return broker
    }

    private func process(
        _ name: String, _ words: [String], _ stage: Stage, patienceMilliseconds: Int64
    ) -> SupervisedProcess {
        var process = SupervisedProcess(
            name: name, command: [ownProgram] + words + ["--config", file], stage: stage.rawValue)
        process.patienceMilliseconds = patienceMilliseconds
        return process
    }

    private func other(_ configuration: ProcessConfiguration) -> SupervisedProcess {
        var command = configuration.command
        if command[0] == ProcessConfiguration.ownProgram { command[0] = ownProgram }
        var process = SupervisedProcess(name: configuration.name, command: command, stage: Stage.processes.rawValue)
        process.isJob = true
        return process
    }

    /// Says which endpoints nobody could find, since the system would choose their ports.
    static func checkEndpoints(of broker: BrokerConfiguration, in file: String) throws(ConfigurationFaults) {
        let endpoints = [("intents", broker.intents), ("events", broker.events), ("queries", broker.queries)]
        let faults = endpoints.filter { $0.1.text.hasSuffix(":0") || $0.1.text.hasSuffix(":*") }.map { name, endpoint in
            ConfigurationFault(
                file: file, path: "broker.\(name)",
                message: "expected a port that the other processes can find, found '\(endpoint)'")
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
    }
}
