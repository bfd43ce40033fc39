import Foundation
import RationBus
import TestSupport
import TestProcesses
import Testing

@Suite("A deployment whose processes are killed", .serialized)
struct KilledDeploymentTests {
    private static let kills = 24

    /// Waits for as long as chance says: a process is killed at any moment of its work.
    private static func wait(_ random: inout SplitMix64) throws {
        let deadline = Deadline(milliseconds: Int(random.next() % 600))
        var poller = Poller()
        while deadline.left > 0 { try poller.wait(milliseconds: deadline.left) }
    }

    /// A deployment whose processes have just been started.
    /// - Parameter facts: a file that is made.
    private static func atWork(_ facts: String, seed: UInt64) throws -> LooseDeployment {
        let made = try ration(
            "demo", "--facts", facts, "--devices", LooseDeployment.devices, "--seed", "\(seed % 1_000)")
        #expect(try made.wait() == .status(0), "\(made.errorText)")
        let deployment = try LooseDeployment(facts: facts)
        try deployment.startAll()
        return deployment
    }

    @Test(
        "kills of broker, schedulers and analytics at any moment end with what the facts demand, and analytics equal to the log"
    )
    func kills() throws {
        let seed = UInt64(truncatingIfNeeded: WallClock.milliseconds)
        var random = SplitMix64(seed: seed)
        let home = try TemporaryFolder()
        let facts = "\(home.path)/facts.db"
        let deployment = try Self.atWork(facts, seed: seed)
        let victims = ["broker", "analytics"] + LooseDeployment.schedulers
        for _ in 0..<Self.kills {
            try Self.wait(&random)
            let victim = victims[Int(random.next() % UInt64(victims.count))]
            try deployment.end(victim, SIGKILL)
            if random.next() % 2 == 0 { try Self.wait(&random) }
            try deployment.start(victim)
        }
        for name in ["users"] + LooseDeployment.schedulers + ["analytics"] { try deployment.end(name, SIGTERM) }
        try expectDemanded(deployment, facts, seed: seed)
        try expectCounted(deployment, seed: seed)
        try deployment.end("broker", SIGTERM)
    }

    @Test(
        "a broker that comes back from a backup, another log: all processes go on, and all that the facts demand is pending"
    )
    func restored() throws {
        let seed = UInt64(truncatingIfNeeded: WallClock.milliseconds)
        var random = SplitMix64(seed: seed)
        let home = try TemporaryFolder()
        let facts = "\(home.path)/facts.db"
        let deployment = try Self.atWork(facts, seed: seed)
        for _ in 0..<4 { try Self.wait(&random) }
        try deployment.run("backup", "\(home.path)/backup")
        // What is decided now is lost.
        for _ in 0..<4 { try Self.wait(&random) }
        try deployment.run("subscriber", "analytics", "--status")
        let before = try deployment.log()
        try deployment.end("broker", SIGKILL)
        try FileManager.default.moveItem(
            atPath: "\(deployment.folder.path)/data/store", toPath: "\(deployment.folder.path)/lost")
        let restored = try ration("restore", "\(home.path)/backup", "\(deployment.folder.path)/data")
        #expect(try restored.wait() == .status(0), "\(restored.errorText)")
        try deployment.start("broker")
        try deployment.run("status", "--wait", "20s")
        #expect(try deployment.log().log != before.log)
        for _ in 0..<2 { try Self.wait(&random) }
        for name in ["users"] + LooseDeployment.schedulers + ["analytics"] { try deployment.end(name, SIGTERM) }
        // What phones have told since the backup they tell again; nobody else knows it.
        try deployment.run("demo", "--facts", facts, "--devices", LooseDeployment.devices)
        try expectDemanded(deployment, facts, seed: seed)
        try expectCounted(deployment, seed: seed)
        try deployment.end("broker", SIGTERM)
    }

    /// Compares analytics with the log. A date may come between the two: then both are asked again.
    private func expectCounted(_ deployment: LooseDeployment, seed: UInt64) throws {
        let deadline = Deadline(milliseconds: 60_000)
        while true {
            try deployment.run("subscriber", "analytics", "--once")
            let (counted, told) = (try deployment.countedByKind(), try deployment.eventsByKind())
            if counted == told { return }
            try deadline.require("seed \(seed): analytics has \(counted), the log \(told)", #_sourceLocation)
        }
    }

    /// Compares with what a deployment that begins now makes of the same facts. A date may come between the two: then both
    /// are asked again.
    private func expectDemanded(_ deployment: LooseDeployment, _ facts: String, seed: UInt64) throws {
        let deadline = Deadline(milliseconds: 120_000)
        while true {
            let fresh = try LooseDeployment(facts: facts)
            try fresh.start("broker")
            try fresh.run("status", "--wait", "20s")
            try fresh.run("demo", "--facts", facts, "--devices", LooseDeployment.devices)
            try fresh.settle()
            try deployment.settle()
            var (demanded, pending) = (try fresh.pending(), try deployment.pending())
            // One whose time has come waits for a slot for a while; a scheduler that begins after that does not ask for it.
            let now = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            for entry in demanded.union(pending) where entry.suffix(now.count) <= now {
                demanded.remove(entry)
                pending.remove(entry)
            }
            if pending == demanded {
                #expect(!pending.isEmpty)
                return try fresh.end("broker", SIGTERM)
            }
            let lacking = demanded.subtracting(pending).sorted().prefix(5)
            let surplus = pending.subtracting(demanded).sorted().prefix(5)
            var told = ""
            if deadline.left == 0, let first = (lacking + surplus).first {
                told = "\ndemanded: \(try fresh.explained(first))\nthere: \(try deployment.explained(first))"
            }
            try fresh.end("broker", SIGTERM)
            try deadline.require("seed \(seed): lacking \(lacking), too much \(surplus)\(told)", #_sourceLocation)
        }
    }
}
