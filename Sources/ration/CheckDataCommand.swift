import Glibc
import RationBroker
import RationCommandLine
import RationModel
import RationStore
import RationWire

/// `ration check-data`: whether what a broker keeps is whole and comes to what it decided.
struct CheckDataCommand: Command {
    static let name = "check-data"
    static let summary = "Check a stopped broker's data folder, or a backup: what is kept, and what was decided"
    static let details = [
        "First every row is read, as 'ration log verify' does. Then the recipients' records and the outcomes of the batches after them "
            + "are put together as a start does, every content that is pending is looked up, and batches whose intents are kept are decided "
            + "again, as far as policy, tz database and version are those that decided them. Nothing is changed.",
        "The status is 1 when something is not what was committed or decided.",
    ]
    static let data = Argument<String>.required("FOLDER", "a broker's data folder, or a backup")
    static let json = Option<Bool>.flag("json", "print one JSON object")
    static let arguments: [any ArgumentDeclaration] = [data]
    static let options: [any OptionDeclaration] = [json]
    static let examples = [Example("ration check-data /var/lib/ration", "before a copy of it is trusted")]

    private let data: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) {
        data = arguments[Self.data]
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let folder = try StoppedStore(data)
        defer { withExtendedLifetime(folder) {} }
        var rows = try StoreCheck(folder: folder.store)
        rows.run { if console.terminal.isInteractive { console.complain("reading \($0)") } }
        guard rows.isSound else {
            try LogVerification.tell(rows, of: data, asJSON: printsJSON, console)
            return .failure
        }
        let zones = try ZonesRevision(installed: InstalledZones.read())
        var check = DataCheck(
            try ReadOnlyStore(folder: folder.store), policies: InstalledPolicies(), zones: zones)
        try check.run()
        try printsJSON
            ? console.output.line(String(decoding: Self.json(rows, check), as: UTF8.self)) : tell(rows, check, console)
        return check.isSound ? .success : .failure
    }

    private func tell(_ rows: StoreCheck, _ check: DataCheck, _ console: Console) throws {
        try console.output.line("log \(rows.log.printable), batch \(rows.lastBatch)")
        try console.output.line("\(rows.rows.reduce(0) { $0 + $1.rows }) rows are what was committed")
        try console.output.line("\(check.recipients) recipients, \(check.pending) pending contents")
        try console.output.line(
            "\(check.batches) batches are kept; decided again: \(check.decidedAgain) changes of recipients")
        for omission in DataCheck.Omission.allCases {
            guard let count = check.omitted[omission] else { continue }
            try console.output.line("not decided again: \(count) batches, \(omission.words)")
        }
        for finding in check.findings { try console.output.line("wrong: \(finding.printable)") }
        if check.isSound {
            try console.output.line("all of it is what was decided")
        } else {
            console.complain("\(data.printable): it is not what was decided. \(StoreError.damageAdvice)")
        }
    }

    private static func json(_ rows: StoreCheck, _ check: DataCheck) -> [UInt8] {
        ObjectText.bytes { object in
            object.text("log", rows.log)
            object.integers(
                ("batch", Int(truncatingIfNeeded: rows.lastBatch)), ("rows", rows.rows.reduce(0) { $0 + $1.rows }),
                ("recipients", check.recipients), ("pending", check.pending), ("batches", check.batches),
                ("decidedAgain", check.decidedAgain))
            object.list("omitted", check.omitted.sorted { $0.key.rawValue < $1.key.rawValue }) { omitted, object in
                object.text("reason", omitted.key.rawValue)
                object.integers(("batches", omitted.value))
            }
            object.list("findings", check.findings)
            object.bool("sound", check.isSound)
        }
    }
}

extension DataCheck.Omission {
    fileprivate var words: String {
        switch self {
        case .earlierRevision: "under an earlier policy or tz database"
        case .otherVersion: "by another version of this program"
        case .otherZones: "as this machine's tz database is not the one that they were decided with"
        }
    }
}

/// The store of a data folder that no broker uses, or of a backup.
struct StoppedStore {
    let store: String
    private let lock: DataFolder?

    init(_ data: String) throws {
        // A backup is a store itself.
        let isBackup = access(data + "/store/store", F_OK) != 0 && access(data + "/rocksdb", F_OK) == 0
        store = isBackup ? data : data + "/store"
        guard access(store, F_OK) == 0 else { throw CommandFailure("\(store.printable): there is no store") }
        lock = isBackup ? nil : try DataFolder(data)
    }
}
