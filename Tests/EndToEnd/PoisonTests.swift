import Foundation
import RationBus
import TestProcesses
import Testing

@Suite("A request that ends the broker", .serialized)
struct PoisonTests {
    private static let deadly = "deadly-notification"
    /// Without Swift's long look at a crash.
    private static let quick = ["SWIFT_BACKTRACE": "enable=no"]
    private let hour = WallClock.milliseconds + 3_600_000

    private func line(_ id: String, on device: String) -> String { IntentLine.schedule(id, on: device, at: hour) }

    /// A deployment whose broker dies of a text, in debug builds.
    private static func start() throws -> DeploymentProcess {
        try DeploymentProcess(
            "", program: Executables.debugRation(), environment: ["RATION_DIES_ON": deadly].merging(quick) { $1 })
    }

    private func publish(_ deployment: DeploymentProcess, _ name: String, _ lines: [String]) throws -> ChildProcess {
        try ChildProcess(
            try Executables.ration(),
            [
                "publish", "--config", deployment.config, "--publisher", name, "--batch", "1", "--json", "--timeout",
                "60s",
            ],
            input: ndjson(lines))
    }

    @Test(
        "under 'ration up' it ends it twice, then it is refused and kept aside, and all others beside it are decided once"
    )
    func refused() throws {
        let deployment = try Self.start()
        try deployment.wait(for: "ready", from: "broker")
        let deadly = line(Self.deadly, on: "d7")
        let publisher = try publish(
            deployment, "p",
            (0..<7).map { line("n", on: "d\($0)") } + [deadly] + (8..<15).map { line("n", on: "d\($0)") })
        let others = try publish(deployment, "q", (20..<40).map { line("n", on: "d\($0)") })
        try deployment.wait(for: "alarm: the broker has crashed while it decided", from: "broker")
        try deployment.wait(for: "alarm: a request has ended the broker twice", from: "broker")
        #expect(try publisher.wait(milliseconds: 60_000) == .status(1))
        #expect(try others.wait(milliseconds: 60_000) == .status(0), "\(others.errorText)")
        #expect(
            publisher.errorText.contains("poison: this request has ended the broker twice"), "\(publisher.errorText)")
        #expect(deployment.lines(of: "up").count { $0.hasPrefix("broker was ended by signal") } == 2)
        let tail = try ration("tail", "--config", deployment.config, "--once", "--json")
        let devices = try JSON.lines(tail.output).compactMap { $0["data"]?["device"]?.text }
        let expected = [0, 1, 2, 3, 4, 5, 6] + Array(8..<15) + Array(20..<40)
        #expect(devices.sorted() == expected.map { "d\($0)" }.sorted())
        // Listed and shown, and refused again, also after a start.
        let list = try ration("poison", "--config", deployment.config, "--json")
        let entry = try #require(JSON.lines(list.output).first)
        #expect(entry["publisher"]?.text == "p" && entry["number"]?.integer == 8)
        let name = try #require(entry["name"]?.text)
        let shown = try ration("poison", name, "--config", deployment.config)
        #expect(shown.outputText == deadly + "\n")
        #expect(try ration("poison", "--config", deployment.config).outputText.hasPrefix(name))
        kill(try #require(deployment.children()["broker"]).identifier, SIGKILL)
        try deployment.wait(for: "ready", from: "broker")
        let again = try publish(deployment, "r", [line("n", on: "d50"), deadly, line("n", on: "d51")])
        #expect(try again.wait() == .status(1))
        #expect(again.errorText.contains("poison: "), "\(again.errorText)")
        #expect(try JSON.lines(again.output).count == 2)
        #expect(deployment.lines(of: "up").count { $0.hasPrefix("broker was ended by signal") } == 3)
        #expect(try deployment.stop() == .status(0))
    }

    @Test("a broker that is killed from outside blames no request")
    func killed() throws {
        let folder = try TemporaryFolder()
        var broker = try BrokerProcess(in: folder, environment: Self.quick)
        for round in 0..<6 {
            let publisher = try broker.start("publish", "--publisher", "p\(round)", "--batch", "1", input: nil)
            publisher.write(ndjson((0..<2_000).map { line("n\($0)", on: "d\(round)-\($0 % 50)") }))
            _ = try publisher.nextLine()
            #expect(try broker.stop(round % 2 == 0 ? SIGKILL : SIGABRT) != .status(0))
            broker = try BrokerProcess(in: folder, environment: Self.quick)
            #expect(!broker.process.errorText.contains("crashed"), "\(broker.process.errorText)")
        }
        #expect(try ration("poison", "--data", "\(folder.path)/data").outputText == "none\n")
    }
}
