import Glibc
import RationBus
import RationCommandLine
import RationModel

/// `ration publish`: intents from files or standard input to the broker, and what became of them.
struct PublishCommand: Command {
    static let name = "publish"
    static let summary = "Publish intents, a line of JSON each, and tell what became of them"
    static let details = [
        "Lines gather into requests of up to --batch; what is there is sent as soon as the input pauses. Each "
            + "acknowledgement is a line of counts on standard output, each problem a line on standard error: place, id, "
            + "code, field, message. The status is 0 when every intent was taken, else 1.",
        "With --outbox requests are stored before they are sent, and what has no acknowledgement at the end is sent first "
            + "by the next run. Requests of a publisher are decided once, however often they are sent; with --publisher= "
            + "(an empty name) that is not so, and nothing is sent twice.",
    ]
    static let files = Argument<[String]>.rest("FILE", "intents, one a line; - or none for standard input")
    static let publisher = Option<String?>.text(
        "publisher", "NAME", "a stable name that nobody else uses at the same time",
        defaultText: "the outbox's, or publish-HOST-PROCESS")
    static let outbox = Option<String?>.text(
        "outbox", "FILE", "keep unacknowledged requests here", defaultText: "in memory")
    static let batch = Option<Int>.number(
        "batch", "NUMBER", in: 1...Limits.requestLines, default: 256, "intents of one request, at most")
    static let timeout = Option<Int64>.duration(
        "timeout", "DURATION", default: "30s", "give up when no acknowledgement comes for so long")
    static let json = Option<Bool>.flag("json", "print the acknowledgements as they are, one a line")
    static let quiet = Option<Bool>.flag("quiet", "print problems only")
    static let arguments: [any ArgumentDeclaration] = [files]
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.intents.option, BrokerEndpoint.config, publisher, outbox, batch, timeout, json, quiet,
    ]
    static let examples = [
        Example("ration publish intents.ndjson", "a file"),
        Example(
            "generate | ration publish --outbox habits.outbox", "a live stream that survives a crash of either side"),
    ]

    private let files: [String]
    private let intents: String
    private let publisher: String?
    private let outboxFile: String?
    private let batch: Int
    private let timeoutMilliseconds: Int64
    private let style: PublishReport.Style

    init(_ arguments: ParsedArguments) throws {
        files = arguments[Self.files].isEmpty ? ["-"] : arguments[Self.files]
        intents = try BrokerEndpoint.intents.address(in: arguments)
        publisher = arguments[Self.publisher]
        outboxFile = arguments[Self.outbox]
        batch = arguments[Self.batch]
        timeoutMilliseconds = arguments[Self.timeout]
        guard !(arguments[Self.json] && arguments[Self.quiet]) else {
            throw UsageError("--json and --quiet do not go together")
        }
        guard outboxFile == nil || publisher != "" else {
            throw UsageError("--outbox needs a publisher's name: an empty one has no numbers")
        }
        style = arguments[Self.json] ? .json : arguments[Self.quiet] ? .quiet : .counts
    }

    func run(_ console: Console) throws -> ExitStatus {
        let (name, outbox) = try openOutbox()
        let client = try PublishingClient(endpoint: intents, publisher: name, outbox: outbox, in: Context())
        let session = PublishSession(
            client: client, timeoutMilliseconds: timeoutMilliseconds, report: PublishReport(console, style),
            outboxFile: outboxFile)
        for file in files {
            guard try publish(file, session) else { return .failure }
        }
        return try session.finish() ? .success : .failure
    }

    private func openOutbox() throws -> (name: String, outbox: any Outbox) {
        if let outboxFile {
            let random = String(UInt64.random(in: .min ... .max), radix: 16)
            let outbox = try SQLiteOutbox(
                file: outboxFile, publisher: publisher, newPublisher: "publish-\(Self.hostName)-\(random)")
            return (outbox.publisher, outbox)
        }
        return (publisher ?? "publish-\(Self.hostName)-\(getpid())", MemoryOutbox())
    }

    /// This machine's name, short enough for a publisher's.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        let result = gethostname(&name, name.count - 1)
        let bytes = name.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }.prefix(24), as: UTF8.self)
        return result == 0 && !text.isEmpty ? text : "host"
    }

    /// Publishes the lines of one file.
    /// - Returns: false when the broker does not answer any more.
    private func publish(_ file: String, _ session: PublishSession) throws -> Bool {
        let input = try LineInput(file: file, limit: RequestPacker.longestLineBytes)
        var packer = RequestPacker(file: file == "-" ? "standard input" : file, lines: batch)
        let pauses = !Self.isRegular(file)
        while true {
            if pauses, input.needsMore {
                guard try session.submit(packer.take()), try session.waitForLine(of: input) else { return false }
            }
            let isTaken = try input.next { line in
                try packer.add(line, number: input.lineNumber, session)
            }
            guard let isTaken else { break }
            guard isTaken else { return false }
        }
        return try session.submit(packer.take())
    }

    private static func isRegular(_ file: String) -> Bool {
        var status = stat()
        let result = file == "-" ? fstat(STDIN_FILENO, &status) : stat(file, &status)
        return result == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
