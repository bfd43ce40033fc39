import Glibc
import RationBroker
import RationCommandLine
import RationStore

/// `ration restore`: a data folder from a backup.
struct RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Make a data folder of a backup"
    static let details = [
        "What a broker decided after the backup is lost, and so the restored folder holds another event log, with a name of its own: "
            + "subscribers read it from its beginning beside what they have counted of the earlier log, schedulers publish "
            + "everything again, and publishers go on behind the last number that the backup has of them.",
        "Files of others in the data folder stay, such as those of subscribers and schedulers. The backup stays as it is. A restore that was interrupted leaves a folder on which no broker starts.",
    ]
    static let backup = Argument<String>.required("BACKUP", "the folder that 'ration backup' has made")
    static let data = Argument<String>.required("DATA", "the data folder; it has no store, or is not there")
    static let arguments: [any ArgumentDeclaration] = [backup, data]
    static let options: [any OptionDeclaration] = []
    static let examples = [
        Example("ration restore /var/backups/ration-2026-12-01 /var/lib/ration", "before the broker is started again")
    ]

    private let backup: String
    private let data: String

    init(_ arguments: ParsedArguments) {
        backup = arguments[Self.backup]
        data = arguments[Self.data]
    }

    func run(_ console: Console) throws -> ExitStatus {
        // Nobody starts on it meanwhile.
        let folder = try DataFolder(data)
        guard access(folder.path + "/store", F_OK) != 0 else {
            throw CommandFailure(
                "\(data.printable): it has a store, and a restore never replaces one: move \(data.printable)/store away, or name "
                    + "another folder")
        }
        let (copy, from) = try withExtendedLifetime(folder) {
            try StoreRestore.restore(backup, to: folder.path + "/store")
        }
        try console.output.line(
            "\(data.printable): batch \(copy.batch), event \(copy.sequence), \(ByteCount.words(copy.bytes)), checked")
        try console.output.line("log \(copy.log.printable), restored from log \(from.log.printable)")
        return .success
    }
}
