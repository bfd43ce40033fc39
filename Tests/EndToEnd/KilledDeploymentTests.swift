import Glibc
import RationBus
import TestSupport
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

    @Test(
        "kills of broker, schedulers and analytics at any moment end with what the facts demand, and analytics equal to the log"
    )
    func kills() throws {
        let seed = UInt64(truncatingIfNeeded: WallClock.milliseconds)
        var random = SplitMix64(seed: seed)
        let home = try TemporaryFolder()
        let facts = "\(home.path)/facts.db"
        let made = try ration(
            "demo", "--facts", facts, "--devices", LooseDeployment.devices, "--seed", "\(seed % 1_000)")
        #expect(try made.wait() == .status(0), "\(made.errorText)")
        let deployment = try LooseDeployment(facts: facts)
        try deployment.startAll()
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
            let (demanded, pending) = (try fresh.pending(), try deployment.pending())
            try fresh.end("broker", SIGTERM)
            if pending == demanded {
                #expect(!pending.isEmpty)
                return
            }
            let lacking = demanded.subtracting(pending).sorted().prefix(5)
            let surplus = pending.subtracting(demanded).sorted().prefix(5)
            try deadline.require("seed \(seed): lacking \(lacking), too much \(surplus)", #_sourceLocation)
        }
    }
}
