import Foundation
import TestProcesses
import Testing

/// The sample deployment on a small database of facts.
@Suite("The sample deployment", .serialized)
struct WholeDeploymentTests {
    /// The sections of `deploy/ration.yaml` behind the broker's.
    private static func sections(_ more: String = "") throws -> String {
        let sample = try String(contentsOfFile: "\(Executables.root)/deploy/ration.yaml", encoding: .utf8)
        let start = try #require(sample.range(of: "\nschedulers:"))
        return String(sample[start.lowerBound...]).replacing("/var/lib/ration", with: "FOLDER") + more
    }

    private static func start(devices: Int) throws -> DeploymentProcess {
        let folder = try TemporaryFolder()
        let facts = try ration("demo", "--facts", "\(folder.path)/facts.db", "--devices", "\(devices)")
        #expect(try facts.wait() == .status(0), "\(facts.errorText)")
        let live = "ration, demo, --facts, FOLDER/facts.db, --live, --config, FOLDER/ration.yaml"
        return try DeploymentProcess(sections("processes:\n  users: {command: [\(live)]}\n"), in: folder)
    }

    private static let schedulers = ["habit", "onboarding", "depletion", "inactivity"]

    @Test("every scheduler publishes what the demo's facts demand, with exactly the sample's queries")
    func publishes() throws {
        let deployment = try Self.start(devices: 200)
        for name in Self.schedulers {
            let line = try deployment.find("run 1 (", from: name)
            let words = line.split(separator: " ").map(String.init)
            let place = try #require(words.firstIndex { $0.hasPrefix("scheduled") }, "\(line)")
            #expect(Int(words[place - 1]) ?? 0 > 0, "\(line)")
            // What stands on a phone's own clock may have passed where the phone is.
            let rejected = try #require(words.firstIndex { $0.hasPrefix("rejected") }, "\(line)")
            #expect(
                words[rejected - 1] == "0" || words[rejected + 1].hasPrefix("(trigger.never"), "\(line)")
        }
        #expect(try deployment.stop() == .status(0))
        #expect(!deployment.lines.contains { $0.contains("started again") }, "\(deployment.lines.suffix(60))")
    }

    @Test("each process that is killed is named and started again, and the end is clean")
    func restarts() throws {
        let deployment = try Self.start(devices: 50)
        try deployment.wait(for: "users started")
        for name in Self.schedulers + ["analytics", "demo", "broker"] {
            let victim = try #require(deployment.children()[name], "\(name)")
            kill(victim.identifier, SIGKILL)
            let process = name == "demo" ? "users" : name
            try deployment.wait(for: "\(process) was ended by signal 9 (Killed); it is started again")
            try deployment.wait(for: "\(process) started")
        }
        try deployment.wait(for: "ready", from: "broker")
        #expect(try deployment.stop() == .status(0))
    }
}

extension DeploymentProcess {
    /// The first line of a process that contains a text, of those that were read or are still to come.
    fileprivate func find(_ text: String, from name: String) throws -> String {
        try lines(of: name).first { $0.contains(text) } ?? wait(for: text, from: name)
    }
}
