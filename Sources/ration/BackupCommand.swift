import Glibc
import RationBus
import RationCommandLine
import RationWire

/// `ration backup`: a copy of what a running broker keeps.
struct BackupCommand: Command {
    static let name = "backup"
    static let summary = "Copy what a running broker keeps into a folder, while it works on"
    static let details = [
        "The copy is of one moment, and is opened and checked before this ends. On the same disk it is made of hard links to files that "
            + "never change: it takes little time, and little room at first. Copy it elsewhere, since links do not survive the disk.",
        "The broker makes it: the folder has to stand where the broker may write.",
        "'ration restore' makes a data folder of it. 'ration log verify --data FOLDER' reads all of it.",
    ]
    static let folder = Argument<String>.required("FOLDER", "a folder that is not there, or is empty")
    static let timeout = Option<Int64>.duration(
        "timeout", "DURATION", default: "1h", "how long it may take; the broker goes on with it then")
    static let json = Option<Bool>.flag("json", "print the broker's answer as it is")
    static let arguments: [any ArgumentDeclaration] = [folder]
    static let options: [any OptionDeclaration] = [BrokerEndpoint.admin.option, BrokerEndpoint.config, timeout, json]
    static let examples = [
        Example("ration backup /var/backups/ration-2026-12-01 --config deploy/ration.yaml", "now")
    ]

    private let folder: String
    private let admin: String
    private let timeoutMilliseconds: Int
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        folder = try AbsolutePath.of(arguments[Self.folder])
        admin = try BrokerEndpoint.admin.address(in: arguments)
        timeoutMilliseconds = Int(min(arguments[Self.timeout], 1 << 40))
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let client = try QueryClient(endpoint: admin, in: Context())
        // Somebody has to be there: a broker answers this at once.
        _ = try client.status(timeoutMilliseconds: StatusCommand.patienceMilliseconds)
        let backup = try client.backup(to: folder, timeoutMilliseconds: timeoutMilliseconds)
        if printsJSON {
            try backup.body.withUnsafeBytes { try console.output.line(bytes: $0) }
        } else {
            try console.output.line(
                "\(backup.folder.printable): log \(backup.log.printable), batch \(backup.batch), event \(backup.sequence), "
                    + "\(ByteCount.words(backup.bytes)), checked, in \(backup.milliseconds) ms")
        }
        return .success
    }
}

/// A path from the root on, for another process.
enum AbsolutePath {
    static func of(_ path: String) throws(CommandFailure) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let current = getcwd(nil, 0) else {
            throw CommandFailure("the current folder is not known: \(String(cString: strerror(errno)))")
        }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }
}
