import Glibc
import RationSupervision
import TestSupport
import Testing

/// A deployment of a broker, a subscriber, a scheduler and a job.
private func processes() -> [SupervisedProcess] {
    var broker = SupervisedProcess(name: "broker", command: ["b"], stage: 0)
    broker.readiness = ["ready"]
    broker.takesHangUp = true
    broker.patienceMilliseconds = 30_000
    var job = SupervisedProcess(name: "job", command: ["j"], stage: 3)
    job.isJob = true
    return [
        broker, SupervisedProcess(name: "subscriber", command: ["u"], stage: 1),
        SupervisedProcess(name: "scheduler", command: ["c"], stage: 2), job,
    ]
}

extension Deployment {
    /// What is to be done, without what is told.
    fileprivate mutating func steps(to now: Int64) -> [Action] {
        advance(to: now).filter { if case .tell = $0 { false } else { true } }
    }

    fileprivate mutating func words(to now: Int64) -> [String] {
        advance(to: now).compactMap { if case .tell(_, let text) = $0 { text } else { nil } }
    }

    /// One whose processes all run.
    fileprivate static func running() -> Deployment {
        var deployment = Deployment(processes())
        _ = deployment.advance(to: 0)
        deployment.probeEnded(0, .status(0), at: 0)
        _ = deployment.advance(to: 0)
        return deployment
    }
}

@Suite("A deployment")
struct DeploymentTests {
    @Test("the broker is started first, and the others in their order once it is ready")
    func starts() {
        var deployment = Deployment(processes())
        #expect(deployment.steps(to: 0) == [.start(0), .probe(0)])
        deployment.probeEnded(0, .status(1), at: 50)
        #expect(deployment.steps(to: 249) == [])
        #expect(deployment.nextDate == 250)
        #expect(deployment.steps(to: 250) == [.probe(0)])
        deployment.probeEnded(0, .status(0), at: 300)
        #expect(deployment.steps(to: 300) == [.start(1), .start(2), .start(3)])
        #expect(deployment.nextDate == nil)
    }

    @Test("a broker that is not ready for 10 s is told of, once")
    func notReady() {
        var deployment = Deployment(processes())
        _ = deployment.advance(to: 0)
        var told: [(Int64, String)] = []
        for date in stride(from: Int64(0), through: 30_000, by: 200) {
            deployment.probeEnded(0, .status(1), at: date)
            told += deployment.words(to: date).map { (date, $0) }
            _ = deployment.advance(to: date + 200)
        }
        #expect(told.map(\.0) == [10_000])
        #expect(told.first?.1.hasPrefix("is not ready after 10 s") ?? false)
    }

    @Test("what ends is started again after its delay, whatever its status; the others go on")
    func restarts() {
        var deployment = Deployment.running()
        deployment.ended(1, .signal(SIGKILL), at: 1_000)
        #expect(
            deployment.words(to: 1_000) == [
                "was ended by signal 9 (Killed); it is started again in 100 ms"
            ])
        #expect(deployment.nextDate == 1_100)
        #expect(deployment.steps(to: 1_099) == [])
        #expect(deployment.steps(to: 1_100) == [.start(1)])
        deployment.ended(1, .status(0), at: 1_100)
        #expect(deployment.steps(to: 1_299) == [])
        #expect(deployment.steps(to: 1_300) == [.start(1)])
        deployment.ended(0, .status(1), at: 1_400)
        #expect(deployment.steps(to: 1_500) == [.start(0)], "it was ready once")
    }

    @Test("one that never stays up is tried every 10 s, which is said when it begins")
    func neverUp() {
        var deployment = Deployment.running()
        var (now, told) = (Int64(0), [String]())
        for _ in 0..<9 {
            deployment.ended(2, .notStarted(ENOENT), at: now)
            told += deployment.words(to: now)
            now = deployment.nextDate ?? now
            #expect(deployment.steps(to: now) == [.start(2)])
        }
        #expect(told[6] == "cannot be started: No such file or directory; it is started again in 6400 ms")
        #expect(
            told[7]
                == "cannot be started: No such file or directory; it is started again in 10 s, as every time from now "
                + "on until it stays up: it has ended 8 times in a row")
    }

    @Test("a job that ends with 0 is done, with another status it is started again")
    func jobs() {
        var deployment = Deployment.running()
        deployment.ended(3, .status(1), at: 0)
        #expect(deployment.steps(to: 100) == [.start(3)])
        deployment.ended(3, .status(0), at: 200)
        #expect(deployment.words(to: 200) == ["ended with status 0: its work is done"])
        #expect(deployment.nextDate == nil)
    }

    @Test("it is stopped in the opposite order, each stage once the one above it has ended")
    func stops() {
        var deployment = Deployment.running()
        deployment.stop(at: 5_000)
        for index in [3, 2, 1, 0] {
            #expect(deployment.steps(to: 5_000) == [.signal(index, SIGTERM)])
            #expect(!deployment.isOver)
            deployment.ended(index, index == 2 ? .signal(SIGTERM) : .status(0), at: 5_000)
        }
        #expect(deployment.steps(to: 5_000) == [])
        #expect(deployment.isOver)
        #expect(deployment.isClean)
    }

    @Test("who does not end within its patience is killed")
    func patience() {
        var deployment = Deployment.running()
        deployment.stop(at: 1_000)
        _ = deployment.advance(to: 1_000)
        #expect(deployment.nextDate == 6_000)
        #expect(deployment.steps(to: 5_999) == [])
        #expect(deployment.steps(to: 6_000) == [.signal(3, SIGKILL)])
        #expect(deployment.steps(to: 6_001) == [])
        #expect(!deployment.isClean)
        deployment.ended(3, .signal(SIGKILL), at: 6_010)
        #expect(deployment.steps(to: 6_010) == [.signal(2, SIGTERM)])
    }

    @Test("asked a second time, it kills what is left, of all stages")
    func secondStop() {
        var deployment = Deployment.running()
        deployment.stop(at: 0)
        #expect(deployment.steps(to: 0) == [.signal(3, SIGTERM)])
        deployment.stop(at: 1)
        #expect(deployment.steps(to: 1) == (0...3).map { .signal($0, SIGKILL) })
        for index in 0...3 { deployment.ended(index, .signal(SIGKILL), at: 2) }
        #expect(deployment.steps(to: 2) == [])
        #expect(deployment.isOver && !deployment.isClean)
    }

    @Test("stopped before the broker is ready, nothing else is started, and the probe ends")
    func stopsEarly() {
        var deployment = Deployment(processes())
        _ = deployment.advance(to: 0)
        deployment.stop(at: 10)
        #expect(deployment.steps(to: 10) == [.endProbe(0), .signal(0, SIGTERM)])
        deployment.ended(0, .status(0), at: 20)
        #expect(!deployment.isOver)
        deployment.probeEnded(0, .signal(SIGKILL), at: 20)
        #expect(deployment.steps(to: 20) == [])
        #expect(deployment.isOver)
    }

    @Test("a hang-up reaches the broker alone")
    func hangUp() {
        var deployment = Deployment.running()
        deployment.hangUp()
        #expect(deployment.steps(to: 0) == [.signal(0, SIGHUP)])
    }

    @Test("whatever happens, at most one of each runs, and a stop ends all", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func anything(seed: UInt64) throws {
        for round in 0..<200 as Range<UInt64> {
            var world = World(seed: seed &* 1_000 &+ round)
            try world.live()
        }
    }
}

/// Does what a deployment asks for, and lets processes end at random.
private struct World {
    private let seed: UInt64
    private var random: SplitMix64
    private var deployment = Deployment(processes())
    private var running: Set<Int> = []
    private var probes: Set<Int> = []
    private var wasReady = false
    private var now: Int64 = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    mutating func live() throws {
        for _ in 0..<60 { try turn() }
        deployment.stop(at: now)
        for _ in 0..<400 where !deployment.isOver { try turn() }
        #expect(deployment.isOver, "seed \(seed)")
        #expect(running.isEmpty && probes.isEmpty, "seed \(seed)")
    }

    private mutating func turn() throws {
        for action in deployment.advance(to: now) { try perform(action) }
        if deployment.isOver { return }
        now += Int64(random.next() % 300)
        if random.next() % 2 == 0, let index = running.sorted().first(where: { _ in random.next() % 4 == 0 }) {
            running.remove(index)
            let ends: [ProcessEnd] = [.status(0), .status(1), .signal(SIGKILL)]
            deployment.ended(index, ends[Int(random.next() % 3)], at: now)
        }
        if let probe = probes.first, random.next() % 3 == 0 {
            probes.remove(probe)
            let isReady = random.next() % 2 == 0
            wasReady = wasReady || isReady
            deployment.probeEnded(probe, .status(isReady ? 0 : 1), at: now)
        }
    }

    private mutating func perform(_ action: Deployment.Action) throws {
        switch action {
        case .start(let index):
            try #require(running.insert(index).inserted, "seed \(seed): \(index) is started twice")
            try #require(index == 0 || wasReady, "seed \(seed): \(index) is started before the broker is ready")
            try #require(!deployment.isStopping, "seed \(seed)")
        case .probe(let index): try #require(probes.insert(index).inserted, "seed \(seed)")
        case .endProbe(let index):
            probes.remove(index)
            deployment.probeEnded(index, .signal(SIGKILL), at: now)
        case .signal(let index, let signal):
            try #require(running.contains(index), "seed \(seed): signal to \(index), which does not run")
            guard signal == SIGKILL || random.next() % 2 == 0 else { return }
            running.remove(index)
            deployment.ended(index, .signal(signal), at: now)
        case .tell: break
        }
    }
}
