import RationCommandLine
import RationStore
import RationWire

/// `ration log verify`: reads all of a store, or of a backup.
struct LogVerification {
    let data: String

    func run(asJSON printsJSON: Bool, _ console: Console) throws -> ExitStatus {
        let folder = try StoppedStore(data)
        defer { withExtendedLifetime(folder) {} }
        var check = try StoreCheck(folder: folder.store)
        check.run { if console.terminal.isInteractive { console.complain("reading \($0)") } }
        try Self.tell(check, of: data, asJSON: printsJSON, console)
        return check.isSound ? .success : .failure
    }

    static func tell(_ check: StoreCheck, of data: String, asJSON printsJSON: Bool, _ console: Console) throws {
        guard !printsJSON else { return try console.output.line(String(decoding: json(check), as: UTF8.self)) }
        try console.output.line("log \(check.log.printable), batch \(check.lastBatch)")
        try console.output.line("events \(check.range.first) to \(check.range.last)")
        for rows in check.rows {
            try console.output.line("\(rows.rows) rows of \(rows.family), \(ByteCount.words(rows.bytes))")
        }
        for finding in check.findings { try console.output.line("damaged: \(finding.printable)") }
        if check.omitted > 0 { try console.output.line("and \(check.omitted) more") }
        if check.isSound {
            try console.output.line("all of it is what was committed")
        } else {
            console.complain("\(data.printable): it is damaged. \(StoreError.damageAdvice)")
        }
    }

    private static func json(_ check: StoreCheck) -> [UInt8] {
        ObjectText.bytes { object in
            object.text("log", check.log)
            object.integers(
                ("batch", Int(truncatingIfNeeded: check.lastBatch)),
                ("first", Int(truncatingIfNeeded: check.range.first)),
                ("last", Int(truncatingIfNeeded: check.range.last)))
            object.list("families", check.rows) { rows, object in
                object.text("family", rows.family)
                object.integers(("rows", rows.rows), ("bytes", Int(truncatingIfNeeded: rows.bytes)))
            }
            object.list("findings", check.findings)
            object.integers(("omitted", check.omitted))
            object.bool("sound", check.isSound)
        }
    }
}
