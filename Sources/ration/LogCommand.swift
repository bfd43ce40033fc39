import RationBus
import RationCommandLine
import RationConfiguration
import RationModel
import RationWire

/// `ration log`: what of the event log is kept.
struct LogCommand: Command {
    static let name = "log"
    static let summary = "Show what the event log keeps: positions, bytes, times, retention"
    static let details = [
        "The log keeps events until there are more bytes than broker.retentionBytes, or until they are older than "
            + "broker.retention. Whoever reads from a position that is kept no more is told how many events are gone."
    ]
    static let action = Argument<String?>.optional("ACTION", "show; show unless given")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [action]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.queries.option, BrokerEndpoint.config, json]
    static let examples = [Example("ration log", "how far back events can be read")]

    private let queries: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        let action = arguments[Self.action] ?? "show"
        guard action == "show" else { throw UsageError("'log' takes show, found '\(action.printable)'") }
        queries = try BrokerEndpoint.queries.address(in: arguments)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: queries, in: Context())
        let log = try client.log(LogRequest(), timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        if printsJSON {
            try log.body.withUnsafeBytes { try console.output.line(bytes: $0) }
        } else {
            for line in Self.lines(log) { try console.output.line(line) }
        }
        return .success
    }

    private static func lines(_ log: LogAnswer) -> [String] {
        var lines = ["log \(log.log.printable)"]
        if let oldest = log.oldest, let newest = log.newest {
            let (bytes, all) = (ByteCount.words(log.bytes), ByteCount.words(log.retentionBytes))
            lines.append("events \(log.first) to \(log.last), \(bytes) of \(all)")
            lines.append("from \(oldest.rfc3339) to \(newest.rfc3339), \(TimeSpan.words(from: oldest, to: newest))")
        } else {
            lines.append(log.last == 0 ? "no events yet" : "no events are kept; the last was \(log.last)")
        }
        let age = log.retentionMilliseconds.map { ", and \(TimeSpan.words(milliseconds: $0)) at most" } ?? ""
        lines.append("kept are \(ByteCount.words(log.retentionBytes)) of events at most\(age)")
        return lines
    }
}

/// Numbers of bytes for people: `1.4 GiB`.
enum ByteCount {
    private static let units: [(name: String, shift: UInt64)] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]

    static func words(_ bytes: UInt64) -> String {
        guard let unit = units.first(where: { bytes >> $0.shift > 0 }) else {
            return bytes == 1 ? "1 byte" : "\(bytes) bytes"
        }
        let whole = bytes >> unit.shift
        // Below the unit there are at most 2^40 bytes: ten times that fits.
        let tenths = (bytes & ((1 << unit.shift) - 1)) * 10 >> unit.shift
        return tenths == 0 || whole >= 100 ? "\(whole) \(unit.name)" : "\(whole).\(tenths) \(unit.name)"
    }
}
