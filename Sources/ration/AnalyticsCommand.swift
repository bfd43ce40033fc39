import AnalyticsSubscriber
import Glibc
import RationCommandLine
import RationConfiguration
import RationModel
import RationSubscribing

/// `ration analytics`: what the subscriber of that name has counted.
struct AnalyticsCommand: Command {
    static let name = "analytics"
    static let summary = "Show what analytics has counted: evictions and why, slots in use, delays, moves, open rates"
    static let details = [
        "Reads the file of the subscriber 'analytics', whether it runs or not. Times are UTC; the stretch of --last "
            + "begins with a whole hour. The same file and --now give the same output, byte for byte.",
        "An open rate is the part of what came due and has not failed that was opened or answered with an action, each "
            + "notification once, whenever that was told within the subscriber's setting openedWithin. It counts in the hour in "
            + "which the notification came due.",
    ]
    static let config = Option<String?>.text("config", "FILE", "the configuration that names the subscriber's file")
    static let data = Option<String?>.text("data", "FILE", "the subscriber's file itself")
    static let last = Option<Int64?>.duration("last", "DURATION", "look back so far; all there is without it")
    static let by = Option<[String]>.list(
        "by", "WHAT", oneOf: ["type", "app", "hour", "reason", "opens"],
        "which tables of counts; opens: feedback and open rates",
        defaultText: "type,reason,opens")
    static let log = Option<String?>.text("log", "NAME", "this event log", defaultText: "the one with the newest event")
    static let html = Option<String?>.text("html", "FILE", "also write one page with plots")
    static let json = Option<Bool>.flag("json", "print one JSON object")
    static let now = Option<Instant?>("now", "TIME", "take this for the time now", defaultText: nil) {
        texts throws(Mismatch) in
        guard let text = texts.first else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw Mismatch("expected a time such as 2026-12-01T08:00:00Z, found '\(Quoted.short(text))'")
        }
        return instant
    }
    static let options: [any OptionDeclaration] = [config, data, last, by, log, html, json, now]
    static let examples = [
        Example("ration analytics --config deploy/ration.yaml --last 24h", "the last day"),
        Example("ration analytics --data analytics.db --html analytics.html", "a page to look at and to pass on"),
    ]

    private let file: String
    private var request: AnalyticsReport.Request
    private let groups: [String]
    private let page: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        switch (arguments[Self.config], arguments[Self.data]) {
        case (nil, nil): throw UsageError("expected --config FILE or --data FILE")
        case (_, .some(let data)): file = data
        case (.some(let config), nil): file = try Self.file(config)
        }
        request = AnalyticsReport.Request(now: arguments[Self.now] ?? .wallClock)
        request.lastMilliseconds = arguments[Self.last]
        request.log = arguments[Self.log]
        groups = arguments[Self.by].isEmpty ? ["type", "reason", "opens"] : arguments[Self.by]
        page = arguments[Self.html]
        printsJSON = arguments[Self.json]
    }

    private static func file(_ config: String) throws -> String {
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration = try Configuration.read(servicesOf: config, InstalledServices(plugins))
        } catch {
            throw CommandFailure(error)
        }
        let files = configuration.subscribers.filter { $0.plugin == Analytics.name }
        guard let first = files.first else { throw CommandFailure("\(config): no subscriber '\(Analytics.name)'") }
        guard files.count == 1 else {
            throw CommandFailure(
                "\(config): expected one subscriber '\(Analytics.name)', found \(files.map(\.name)); name its --data")
        }
        return first.data
    }

    func run(_ console: Console) throws -> ExitStatus {
        let database = try SubscriberSnapshot.open(file)
        guard let report = try AnalyticsReport.read(database, request) else {
            throw CommandFailure("\(file): \(request.log.map { "no event log '\($0)'" } ?? "no events") yet")
        }
        if let page { try write(AnalyticsPage(report).html, to: page) }
        if printsJSON {
            try report.json.withUnsafeBytes { try console.output.line(bytes: $0) }
        } else {
            for line in report.lines(groups) { try console.output.line(line) }
        }
        return .success
    }

    /// Writes beside and renames, so that nobody sees half a page.
    private func write(_ text: String, to path: String) throws {
        func failure() -> CommandFailure {
            CommandFailure("cannot write '\(path)': \(String(cString: strerror(errno)))")
        }
        let new = "\(path).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        let output = LineOutput(descriptor: descriptor)
        try output.text(text)
        try output.flush()
        guard rename(new, path) == 0 else { throw failure() }
    }
}
