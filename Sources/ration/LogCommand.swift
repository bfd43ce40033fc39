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
            + "broker.retention. Whoever reads from a position that is kept no more is told how many events are gone.",
        "'ration log verify --data FOLDER' reads all of a store, whose broker is stopped, or of a backup: every row's checksum, the chain "
            + "of batches, events without holes. It changes nothing, and tells exactly what is damaged; the status is 1 then.",
    ]
    static let action = Argument<String?>.optional("ACTION", "show or verify; show unless given")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [action]
    static let data = Option<String?>.text("data", "FOLDER", "verify the store in this data folder, or this backup")
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.queries.option, BrokerEndpoint.config, data, json,
    ]
    static let examples = [
        Example("ration log", "how far back events can be read"),
        Example("ration log verify --data /var/lib/ration", "whether all that is kept can be read"),
    ]

    private let queries: String
    /// What is to be verified.
    private let data: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        let data = arguments[Self.data]
        switch (arguments[Self.action] ?? "show", data) {
        case ("show", nil), ("verify", _?): break
        case ("show", _): throw UsageError("--data goes with 'log verify'")
        case ("verify", nil): throw UsageError("'log verify' needs --data FOLDER")
        case (let word, _): throw UsageError("'log' takes show or verify, found '\(word.printable)'")
        }
        self.data = data
        queries = try BrokerEndpoint.queries.address(in: arguments)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        if let data { return try LogVerification(data: data).run(asJSON: printsJSON, console) }
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
