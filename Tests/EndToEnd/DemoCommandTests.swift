import Glibc
import TestProcesses
import Testing

@Suite("ration demo")
struct DemoCommandTests {
    private static let policy = "\(Executables.root)/deploy/policy.yaml"

    @Test("--dry-run prints so many intents as asked for, the same for the same seed and start")
    func dryRun() throws {
        func lines(seed: String) throws -> ChildProcess {
            let process = try ration(
                "demo", "--dry-run", "--count", "700", "--seed", seed, "--start", "2026-12-01T08:00:00Z")
            #expect(process.ending == .status(0), "\(process.errorText)")
            #expect(try JSON.lines(process.output).count == 700)
            return process
        }
        let first = try lines(seed: "7").output
        #expect(try lines(seed: "7").output == first)
        #expect(try lines(seed: "8").output != first)
    }

    @Test("--dry-run into publish: the broker takes what the demo makes")
    func dryRunIntoPublish() throws {
        let broker = try BrokerProcess(["--policy", Self.policy])
        let command = try Executables.ration()
        let script = #"set -o pipefail; "$1" demo --dry-run --count 1000 | "$1" publish --intents "$2""#
        let pipeline = try ChildProcess("bash", ["-c", script, "bash", command, broker.intents])
        let ending = try pipeline.wait()
        let status = try broker.status()
        #expect(status["intents"] == 1_000)
        // One in 2,000 is wrong on purpose.
        let rejected = try #require(status["outcomes"]?["rejected"]?.integer)
        #expect((0...10).contains(rejected))
        #expect(ending == .status(rejected == 0 ? 0 : 1), "\(pipeline.errorText)")
        #expect(try #require(status["outcomes"]?["held"]?.integer) > 0)
    }

    @Test("a signal ends it with status 0 when what it has sent is acknowledged", arguments: [SIGTERM, SIGINT])
    func signals(_ signal: Int32) throws {
        let broker = try BrokerProcess(["--policy", Self.policy])
        let demo = try broker.start("demo", "--devices", "50")
        _ = try Subscriber(broker, ["accepted/"]).next()
        demo.send(signal: signal)
        #expect(try demo.wait() == .status(0), "\(demo.errorText)")
        let report = try #require(demo.outputLines.last)
        let counts = try #require(report.firstMatch(of: /: (\d+) intents sent, (\d+) acknowledged/)?.output)
        #expect(counts.1 == counts.2, "\(report)")
        #expect(try broker.status()["intents"]?.integer == Int(counts.2))
    }

    @Test("without a broker it says so, and ends with status 1 when intents were not acknowledged")
    func noBroker() throws {
        let folder = try TemporaryFolder()
        let endpoint = "ipc://\(folder.path)/nobody"
        let process = try ration("demo", "--devices", "5", "--for", "100ms", "--intents", endpoint)
        #expect(process.ending == .status(1))
        #expect(process.outputText.contains("no broker at \(endpoint)"), "\(process.outputText)")
        #expect(process.errorText.contains("were not acknowledged"), "\(process.errorText)")
    }
}
