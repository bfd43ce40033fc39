import TestProcesses
import Testing

@Suite("Endpoints from a configuration")
struct ConfiguredEndpointTests {
    @Test("each command finds the broker by the configuration that the broker runs with, and an option wins")
    func configuration() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            broker:
              data: data
              intents: ipc://\(folder.path)/i
              events: ipc://\(folder.path)/e
              queries: ipc://\(folder.path)/q
              http: off
            """, to: "ration.yaml")
        let broker = try ChildProcess(try Executables.ration(), ["broker", "--config", file])
        while let line = try broker.nextLine(), line != "ready" {}
        let line = IntentLine.schedule("a", trigger: #"{"after":3600}"#)
        for arguments in [
            ["publish"], ["status"], ["plan", IntentLine.app, "d1"], ["tail", "--from", "start", "--count", "1"],
            ["demo", "--devices", "1", "--for", "100ms"],
        ] {
            let command = try ChildProcess(try Executables.ration(), arguments + ["--config", file], input: line)
            #expect(try command.wait() == .status(0), "\(arguments): \(command.errorText)")
        }
        let elsewhere = try ration(
            "status", "--config", file, "--queries", "ipc://\(folder.path)/nobody", "--wait", "100ms")
        #expect(elsewhere.ending == .status(1))
        #expect(elsewhere.errorText.contains("/nobody: no broker answers"), "\(elsewhere.errorText)")
    }

    @Test("a configuration with a fault is told with its place, status 1", arguments: ["publish", "status", "tail"])
    func fault(_ command: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("broker:\n  intnts: ipc:///x\n", to: "ration.yaml")
        let process = try ration(command, "--config", file)
        #expect(process.ending == .status(1))
        #expect(process.errorText.contains("\(file):2:3"), "\(process.errorText)")
        #expect(process.errorText.contains("'intents'"), "\(process.errorText)")
    }
}
