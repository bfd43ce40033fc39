import Glibc
import RationBus
import RationCommandLine
import RationConfiguration
import RationModel
import RationWire

/// `ration tail`: events as they happen.
struct TailCommand: Command {
    static let name = "tail"
    static let summary = "Follow the events: what was accepted, queued, evicted, expired, due or cancelled, and why"
    static let details = [
        "Events of the kinds delivered, opened, dismissed, action and failed tell the feedback of phones and senders; these "
            + "have no type, so that --type leaves them out.",
        "Each event is told once, in order; what was missed is read from the event log. Ctrl-C and SIGTERM end it with "
            + "status 0.",
    ]
    static let kind = Option<[String]>.list(
        "kind", "KIND", oneOf: EventKind.allCases.map { "\($0.name)" }, "only these kinds of events")
    static let type = Option<[String]>.list("type", "TYPE", "only these types of notifications")
    static let app = Option<[String]>.list("app", "APP", "only these apps")
    static let device = Option<[String]>.list("device", "DEVICE", "only these devices")
    static let id = Option<[String]>.list("id", "ID", "only the notifications of these ids")
    static let from = Option<FollowerStart>(
        "from", "WHERE",
        "begin with this event of the log, or so long ago (5m), or at a time (RFC 3339), or start for the oldest, or now",
        defaultText: "now"
    ) { texts throws(Mismatch) in try TailStart.read(texts.first) }
    static let once = Option<Bool>.flag("once", "end with the log's last event; without --from begin with the oldest")
    static let json = Option<Bool>.flag("json", "print the events as they are, CloudEvents in JSON, one a line")
    static let duration = Option<Int64?>.duration("for", "DURATION", "end after this time")
    static let count = Option<Int?>.number("count", "NUMBER", in: 1...Int.max, "end after so many events")
    static let showsSummary = Option<Bool>.flag("summary", "also count the events by type and kind")
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.events.option, BrokerEndpoint.queries.option, BrokerEndpoint.config, kind, type, app, device, id,
        from, once, json, duration, count, showsSummary,
    ]
    static let examples = [
        Example("ration tail --summary", "everything, with a table that moves"),
        Example("ration tail --kind evicted --app com.example.habits", "who lost a slot"),
        Example("ration tail --from 5m --kind due", "what came due in the last five minutes, and goes on"),
        Example("ration tail --once --json", "what the log keeps"),
    ]

    /// How often it is seen whether anybody still reads the output.
    private static let lookMilliseconds: Int64 = 1_000

    private let events: String
    private let queries: String
    private var filter = EventFilter()
    private let ids: [String]
    private let start: FollowerStart
    private let endsAtLogsEnd: Bool
    private let printsJSON: Bool
    private let milliseconds: Int64?
    private let count: Int?
    private let showsSummary: Bool

    init(_ arguments: ParsedArguments) throws {
        events = try BrokerEndpoint.events.address(in: arguments)
        queries = try BrokerEndpoint.queries.address(in: arguments)
        let kinds = arguments[Self.kind]
        filter.kinds = EventKind.allCases.filter { kinds.contains("\($0.name)") }
        filter.types = arguments[Self.type]
        filter.apps = arguments[Self.app]
        filter.devices = arguments[Self.device]
        ids = arguments[Self.id]
        endsAtLogsEnd = arguments[Self.once]
        let from = arguments[Self.from]
        start = endsAtLogsEnd && from == .now ? .start : from
        printsJSON = arguments[Self.json]
        milliseconds = arguments[Self.duration]
        count = arguments[Self.count]
        showsSummary = arguments[Self.showsSummary]
    }

    func run(_ console: Console) throws -> ExitStatus {
        // Before ZeroMQ starts its threads.
        let signals = try SignalSource([SIGINT, SIGTERM])
        let follower = try EventFollower(
            events: events, queries: queries, filter: filter, from: start, in: Context())
        let output = TailOutput(console, printsJSON: printsJSON, showsSummary: showsSummary)
        var reader = EventReader(ids: ids, isNeeded: !ids.isEmpty || !printsJSON || showsSummary)
        let clock = SystemMonotonicClock()
        let end = milliseconds.map { clock.milliseconds + min($0, 1 << 40) } ?? .max
        var left = count ?? .max
        while left > 0, clock.milliseconds < end, signals.next() == nil {
            if endsAtLogsEnd, let last = follower.endAtStart, follower.position >= last { break }
            try output.refresh()
            if console.output.isReaderGone { throw OutputClosed() }
            let wait = min(end - clock.milliseconds, output.waitMilliseconds, Self.lookMilliseconds)
            do {
                try follower.poll(timeoutMilliseconds: Int(max(0, wait)), watching: signals.fileDescriptor) { item in
                    guard try output.tell(item, &reader) else { return }
                    left -= 1
                    if left == 0 { throw Enough() }
                }
            } catch is Enough {
                break
            }
        }
        try output.finish()
        return .success
    }

    /// As many events as were asked for.
    private struct Enough: Error {}
}
