import AnalyticsSubscriber
import Foundation
import RationBus
import RationModel
import RationSubscribing
import RationWire

/// How many events a second analytics takes, beside a bare read of the same pages: from memory, and from a broker.
struct AnalyticsBenchmark {
    /// What the project asks for.
    static let aim = 100_000.0
    private static let patienceSeconds = 30.0

    private let settings: Invocation.AnalyticsSettings
    private let folder: URL

    init(_ settings: Invocation.AnalyticsSettings) {
        self.settings = settings
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-bench-analytics-\(getpid())")
    }

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print("machine  \(Machine().description)")
        if !Machine.isOptimized { print("NOT OPTIMIZED: swift run -c release bench analytics") }
        try measureMemory(isScattered: false)
        try measureMemory(isScattered: true)
        if settings.usesBroker { try measureBroker() }
    }

    private func measureMemory(isScattered: Bool) throws {
        let log = GeneratedLog(
            count: settings.events, recipients: settings.recipients, isScattered: isScattered,
            pageEvents: settings.pageEvents)
        let order = isScattered ? "random recipients" : "recipients in turn"
        print("\n\(log.events) events of \(log.bytes / log.events) bytes, \(settings.recipients) \(order), in memory")
        var rates = Rates()
        for run in 0..<settings.runs {
            let file = folder.appendingPathComponent("memory-\(isScattered)-\(run).db").path
            try rates.add(
                bare: Timed { try Self.readBare(MemoryPages(log.pages), events: log.events) },
                counted: Timed { try Self.count(MemoryPages(log.pages), in: file) }, events: log.events)
            if run == 0 { try check(file, events: log.events) }
        }
        tell(rates)
    }

    /// A broker's log with one event of each recipient; the broker works on the other core.
    private func measureBroker() throws {
        let broker = try BrokerProcess(try BrokerProcess.path())
        let context = try Context()
        let publisher = try Publisher(broker.endpoint, in: context)
        let filling = Requests(filling: settings.events, intentsEach: 2_048)
        _ = try publisher.publish(filling)
        print("\n\(filling.intents) events of as many recipients, from a broker")
        var rates = Rates()
        var options = PageReader.Options()
        options.pageEvents = settings.pageEvents
        func pages() -> PageReader { PageReader(queries: broker.queries, in: context, options: options) }
        var events = 0
        for run in 0..<settings.runs {
            let file = folder.appendingPathComponent("broker-\(run).db").path
            let bare = try Timed { events = try Self.readBare(pages(), events: nil) }
            try rates.add(bare: bare, counted: Timed { try Self.count(pages(), in: file) }, events: events)
            if run == 0 { try check(file, events: events) }
        }
        if events < filling.intents { print("  of which the broker's log keeps \(events)") }
        tell(rates)
    }

    /// Seconds by the clock, and of this thread's processor time: what others do on the machine's cores costs little there.
    private struct Timed {
        let clock: Double
        let processor: Double

        init(_ work: () throws -> Void) rethrows {
            let start = AnalyticsBenchmark.seconds()
            processor = try Stopwatch.seconds(work)
            clock = AnalyticsBenchmark.seconds() - start
        }
    }

    /// Events a second of each run.
    private struct Rates {
        var bare: (clock: [Double], processor: [Double]) = ([], [])
        var counted: (clock: [Double], processor: [Double]) = ([], [])

        mutating func add(bare: Timed, counted: Timed, events: Int) {
            self.bare.clock.append(Double(events) / bare.clock)
            self.bare.processor.append(Double(events) / bare.processor)
            self.counted.clock.append(Double(events) / counted.clock)
            self.counted.processor.append(Double(events) / counted.processor)
        }
    }

    private func tell(_ rates: Rates) {
        func text(_ values: [Double]) -> String {
            "\(Int(values.median)) (\(Int(values.min() ?? 0)) to \(Int(values.max() ?? 0)))"
        }
        let verdict = rates.counted.clock.median >= Self.aim ? "reached" : "MISSED"
        print("  events a second           by the clock, of processor time")
        print("  read and parsed alone     \(text(rates.bare.clock)), \(text(rates.bare.processor))")
        print("  analytics                 \(text(rates.counted.clock)), \(text(rates.counted.processor))")
        print("  aim of \(Int(Self.aim)) by the clock  \(verdict)")
        print("  ratio of processor time   \(ratio(rates.counted.processor, rates.bare.processor))")
    }

    private func ratio(_ counted: [Double], _ bare: [Double]) -> String {
        String(format: "%.2f", counted.median / bare.median)
    }

    private func check(_ file: String, events: Int) throws {
        let request = AnalyticsReport.Request(now: Instant(milliseconds: 0))
        let report = try AnalyticsReport.read(try SubscriberSnapshot.open(file), request)
        guard report?.events == Int64(events) else {
            throw BenchmarkError("analytics counted \(report?.events ?? 0) events of \(events)")
        }
    }

    fileprivate static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Reads and parses all that a log has.
    @discardableResult
    private static func readBare(_ pages: any EventPages, events expected: Int?) throws -> Int {
        pages.seek(log: nil, after: 0)
        var reader = ReceivedEventReader()
        var events = 0
        var end = seconds() + patienceSeconds
        while true {
            guard seconds() < end else { throw BenchmarkError("no page came for \(patienceSeconds) seconds") }
            guard case .page(let page) = try pages.next(timeoutMilliseconds: 1_000, watching: nil) else { continue }
            end = seconds() + patienceSeconds
            try page.events.withUnsafeBytes { bytes in
                try Lines.forEach(in: bytes) { line in
                    _ = try reader.read(line)
                    events += 1
                }
            }
            if page.answer.next == page.answer.last { break }
        }
        guard expected == nil || events == expected else { throw BenchmarkError("read \(events) events") }
        return events
    }

    /// Runs analytics until it has caught up.
    private static func count(_ pages: any EventPages, in file: String) throws {
        let runner = try SubscriberRunner(
            try Analytics(settings: []), file: try SubscriberFile(file, of: "analytics"), pages: pages,
            wallClock: { Instant(milliseconds: 0) }
        ) { _ in }
        repeat { _ = try runner.turn(timeoutMilliseconds: 1_000) } while !runner.isCaughtUp
    }
}
