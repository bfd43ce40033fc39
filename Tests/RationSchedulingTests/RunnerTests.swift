import Glibc
import RationBus
import RationModel
import RationSQLite
import Synchronization
import Testing

@testable import RationScheduling

private let hour = Scene.hour

/// A runner in its own thread, over sockets, in front of a simulated broker.
private final class RunnerScene {
    let folder: Folder
    let facts: FactsFile
    let server: BrokerServer
    let context: Context
    var options: SchedulerOptions
    private let signals = SignalBox()
    private let notices = NoticeBox()

    init() throws {
        folder = try Folder()
        facts = try FactsFile(folder.facts)
        context = try Context()
        server = try BrokerServer(in: context)
        options = SchedulerOptions(
            name: "rows", facts: folder.facts, state: folder.state, queries: ["wanted": FactsFile.query],
            intentsEndpoint: server.intents, queriesEndpoint: server.queries)
        (options.gapMilliseconds, options.settleMilliseconds, options.everyMilliseconds) = (1, 20, 3_600_000)
    }

    func start() throws {
        let start = Handover((options, context, signals, notices))
        notices.reset()
        startThread {
            let (options, context, signals, notices) = start.value
            do {
                let runner = try SchedulerRunner(
                    RowScheduler(), options, zones: NoZones(), in: context, signals: signals.signals,
                    now: { Instant(milliseconds: 1_000_000) }, tell: notices.add)
                try runner.run()
                notices.end(nil)
            } catch {
                notices.end("\(error)")
            }
        }
    }

    func once() throws {
        let runner = try SchedulerRunner(
            RowScheduler(), options, zones: NoZones(), in: context, now: { Instant(milliseconds: 1_000_000) },
            tell: notices.add)
        try runner.runOnce(timeoutMilliseconds: 10_000)
    }

    func signal(_ signal: SchedulerSignal) { signals.send(signal) }

    var texts: [String] { notices.texts }

    /// Waits until something was told, or the end.
    func wait(_ what: String, _ location: SourceLocation = #_sourceLocation, until isReached: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isReached() {
            try #require(ContinuousClock.now < end, "in time: \(what); \(texts)", sourceLocation: location)
            notices.waitForNews()
        }
    }

    func waitForRun(_ number: Int, _ reason: String, _ location: SourceLocation = #_sourceLocation) throws {
        try wait("run \(number) (\(reason))", location) { texts.contains { $0.hasPrefix("run \(number) (\(reason))") } }
    }

    /// The end of the runner.
    func end(_ location: SourceLocation = #_sourceLocation) throws {
        signal(.stop)
        try wait("the end", location) { notices.hasEnded }
        #expect(notices.failure == nil, sourceLocation: location)
    }

    var failure: String? { notices.failure }
    var hasEnded: Bool { notices.hasEnded }

    var ids: [String] { server.with { $0.pending.keys.map(\.id).sorted() } }
}

/// Signals of a test.
private final class SignalBox: Sendable {
    private let waiting = Mutex<[SchedulerSignal]>([])
    private let wakeup: Wakeup

    init() {
        do { wakeup = try Wakeup() } catch { preconditionFailure("\(error)") }
    }

    func send(_ signal: SchedulerSignal) {
        waiting.withLock { $0.append(signal) }
        wakeup.signal()
    }

    var signals: SchedulerSignals {
        SchedulerSignals(fileDescriptor: wakeup.fileDescriptor) { [self] in
            wakeup.drain()
            return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }
}

/// What a runner has told.
private final class NoticeBox: Sendable {
    private struct Told {
        var texts: [String] = []
        var hasEnded = false
        var failure: String?
    }

    private let told = Mutex(Told())
    private let wakeup: Wakeup

    init() {
        do { wakeup = try Wakeup() } catch { preconditionFailure("\(error)") }
    }

    func reset() {
        told.withLock { $0 = Told() }
    }

    func add(_ notice: SchedulerNotice) {
        told.withLock { told in
            switch notice {
            case .line(let text), .complaint(let text): told.texts.append(text)
            }
        }
        wakeup.signal()
    }

    func end(_ failure: String?) {
        told.withLock { ($0.hasEnded, $0.failure) = (true, failure) }
        wakeup.signal()
    }

    var texts: [String] { told.withLock { $0.texts } }
    var hasEnded: Bool { told.withLock { $0.hasEnded } }
    var failure: String? { told.withLock { $0.failure } }

    func waitForNews() {
        var item = pollfd(fd: wakeup.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, 100)
        wakeup.drain()
    }
}

@Suite("A scheduler's runner")
struct RunnerTests {
    private func wish(_ id: String) -> Wish { Wish(id, at: Scene.at(hour)) }

    @Test("it runs at its beginning, on a signal and when the facts change, and ends when it is told to")
    func triggers() throws {
        let scene = try RunnerScene()
        try scene.facts.set([wish("t.1")])
        try scene.start()
        try scene.waitForRun(1, "start")
        #expect(scene.ids == ["t.1"])
        scene.signal(.run)
        try scene.waitForRun(2, "signal")
        try scene.facts.set([wish("t.2")])
        try scene.waitForRun(3, "facts changed")
        #expect(scene.ids == ["t.2"])
        try scene.end()
        try scene.server.stop()
    }

    @Test("it runs every so often, and reading the facts is no change of them")
    func periodic() throws {
        let scene = try RunnerScene()
        (scene.options.everyMilliseconds, scene.options.retryMilliseconds) = (300, 0)
        try scene.facts.database.run("PRAGMA journal_mode=WAL") { _ in }
        try scene.facts.set([wish("t.1")])
        try scene.start()
        try scene.waitForRun(1, "start")
        scene.server.with { $0.evict(place("t.1")) }
        try scene.wait("a periodic run") { scene.texts.contains { $0.contains("(periodic): 1 recipients, 1 changed") } }
        #expect(scene.ids == ["t.1"])
        #expect(!scene.texts.contains { $0.contains("(facts changed)") })
        try scene.end()
        try scene.server.stop()
    }

    @Test("another file in the place of the facts is a change")
    func replacedFile() throws {
        let scene = try RunnerScene()
        try scene.facts.set([wish("t.1")])
        try scene.start()
        try scene.waitForRun(1, "start")
        let other = try FactsFile(scene.folder.path + "/other.db")
        try other.set([wish("t.2")])
        rename(scene.folder.path + "/other.db", scene.folder.facts)
        try scene.waitForRun(2, "facts changed")
        #expect(scene.ids == ["t.2"])
        try scene.end()
        try scene.server.stop()
    }

    @Test("facts that cannot be read are told and tried again, and nothing is cancelled meanwhile")
    func badFacts() throws {
        let scene = try RunnerScene()
        try scene.facts.set([wish("t.1")])
        try scene.start()
        try scene.waitForRun(1, "start")
        try scene.facts.database.run("ALTER TABLE wanted RENAME TO moved")
        try scene.wait("the fault") {
            scene.texts.contains { $0.hasPrefix("no run: ") && $0.contains("no such table: wanted") }
        }
        #expect(scene.ids == ["t.1"])
        try scene.facts.database.run("ALTER TABLE moved RENAME TO wanted")
        try scene.facts.set([wish("t.2")])
        try scene.wait("another run") { scene.ids == ["t.2"] }
        try scene.end()
        try scene.server.stop()
    }

    @Test(
        "a broker with another log gets everything again, whatever its numbers", arguments: [nil, 0, 1, 9] as [UInt64?])
    func newLog(last: UInt64?) throws {
        let scene = try RunnerScene()
        for id in ["t.1", "t.2", "t.3"] {
            try scene.facts.set([wish(id)])
            try scene.once()
        }
        scene.server.with { broker in
            var data = SimulatedBroker.Data()
            data.last = last == 0 ? nil : last
            data.pending[place("t.2")] = .init(date: Scene.at(hour), expires: .max, title: "", deliver: false)
            broker.restore(data, log: "log-2")
        }
        try scene.once()
        #expect(scene.ids == ["t.3"])
        try scene.server.stop()
    }

    @Test("a state that is an old copy is mended: it numbers behind the broker and publishes everything again")
    func oldCopy() throws {
        let scene = try RunnerScene()
        try scene.facts.set([wish("t.1")])
        try scene.once()
        scene.server.with { $0.data.last = 7 }
        try scene.facts.set([wish("t.2")])
        try scene.once()
        #expect(scene.ids == ["t.2"])
        #expect(scene.texts.contains { $0.hasSuffix("numbering anew, publishing everything again") })
        try scene.server.stop()
    }

    @Test("without a broker one run fails in time, and what was numbered is sent by the next")
    func noBroker() throws {
        let scene = try RunnerScene()
        try scene.facts.set([wish("t.1")])
        scene.server.setAnswering(false)
        let runner = try SchedulerRunner(
            RowScheduler(), scene.options, zones: NoZones(), in: scene.context,
            now: { Instant(milliseconds: 1_000_000) }, tell: { _ in })
        #expect(throws: BrokerSilent.self) { try runner.runOnce(timeoutMilliseconds: 300) }
        try scene.server.stop()
    }

    @Test("the end comes soon, also while the broker is away")
    func stopWithoutBroker() throws {
        let scene = try RunnerScene()
        scene.server.setAnswering(false)
        try scene.start()
        try scene.end()
        try scene.server.stop()
    }
}
