internal import Glibc

/// The folder of a durable store: `store` says whose it is, `rocksdb` holds it, `acknowledged` how far it goes, and
/// `ballast` keeps room for a start on a full disk. A folder with `unfinished` is being copied to.
struct StoreFolder {
    private static let formatWords = "ration store format "
    private static let logWords = "log "

    let path: String
    let disk: any StoreDisk
    /// The event log's name.
    private(set) var log: String
    private let format: StoreFormat

    var database: String { path + "/rocksdb" }
    var acknowledged: String { path + "/acknowledged" }
    var ballast: String { path + "/ballast" }
    var unfinished: String { path + "/unfinished" }
    private var identity: String { Self.identity(path) }
    static func identity(_ path: String) -> String { path + "/store" }

    /// A folder that is being made; ``name(_:)`` comes last.
    init(making path: String, log: String, format: StoreFormat = .current, on disk: any StoreDisk = SystemDisk()) {
        (self.path, self.log, self.format, self.disk) = (path, log, format, disk)
    }

    /// Opens a folder that is there, and changes nothing.
    /// - Throws: `StoreError`: `system` when there is none, `format` for a version that this program does not know,
    ///   `damaged` for one that is not whole or names no log.
    init(reading path: String, format: StoreFormat = .current) throws(StoreError) {
        self.init(making: path, log: "", format: format)
        guard let found = try read() else {
            throw StoreError(.system, path: path, "no store is there: it has no file 'store'")
        }
        guard found.version == format.version else {
            throw StoreError(
                .format, path: Self.identity(path),
                "its format is version \(found.version), and is brought up to version \(format.version) when a broker starts on it"
            )
        }
        log = found.log
    }

    /// Opens the folder, or makes it; one of an older format is brought up.
    /// - Parameter newLog: the name that a new log gets.
    /// - Throws: `StoreError`: `format` for a version that this program does not know, `damaged` for one that is not whole
    ///   or names no log.
    init(
        _ path: String, format: StoreFormat = .current, on disk: any StoreDisk = SystemDisk(), newLog: () -> String
    ) throws(StoreError) {
        self.init(making: path, log: "", format: format, on: disk)
        try disk.makeFolder(path)
        if let found = try read() {
            log = found.log
            try format.migrate(path, from: found.version) { version throws(StoreError) in
                try write(log: found.log, version: version)
            }
        } else {
            log = newLog()
            try write(log: log, version: format.version)
        }
    }

    /// What the file `store` says; nil where there is no store.
    private func read() throws(StoreError) -> (version: Int, log: String)? {
        guard !disk.isThere(unfinished) else {
            throw StoreError(
                .damaged, path: path, "it is a copy that was not finished; remove the folder and copy again")
        }
        if let text = try disk.read(identity, atMost: 4_096) {
            let found = try Self.read(text, file: identity)
            try format.check(found.version, file: identity)
            return found
        }
        for file in [database, acknowledged] where disk.isThere(file) {
            throw StoreError(
                .damaged, path: identity, "it is missing, and \(file) is there: nobody can tell which log that is of")
        }
        return nil
    }

    private static func read(_ text: [UInt8], file: String) throws(StoreError) -> (version: Int, log: String) {
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines[0].hasPrefix(formatWords), let version = Int(lines[0].dropFirst(formatWords.count)) else {
            throw StoreError(.damaged, path: file, "it does not begin with '\(formatWords)' and a version")
        }
        guard lines.count >= 3, lines[1].hasPrefix(logWords), lines[1].count > logWords.count else {
            throw StoreError(.damaged, path: file, "its second line is not '\(logWords)' and a name")
        }
        return (version, String(lines[1].dropFirst(logWords.count)))
    }

    /// Says whose the folder is: the last step of making one.
    mutating func name(_ log: String) throws(StoreError) {
        self.log = log
        try write(log: log, version: format.version)
    }

    private func write(log: String, version: Int) throws(StoreError) {
        let text = "\(Self.formatWords)\(version)\n\(Self.logWords)\(log)\n"
        try disk.replace(identity, with: Array(text.utf8))
        try disk.syncFolder(path)
    }

    /// 16 hexadecimal digits: the name of a new event log.
    static func randomLog() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = String(random.next() as UInt64, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Files that are read and written whole.
enum SmallFile {
    /// - Parameter count: bytes that are read at most.
    /// - Returns: nil for a file that is not there.
    static func read(_ path: String, atMost count: Int = 4_096) throws(StoreError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw StoreError(errnoAt: path, "cannot open it")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, count - filled) }
            guard read >= 0 else { throw StoreError(errnoAt: path, "cannot read it") }
            guard read > 0 else { break }
            filled += read
        }
        return Array(bytes.prefix(filled))
    }

    /// Writes a file so that it is there with all of its bytes or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errnoAt: temporary, "cannot make it") }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw StoreError(errnoAt: temporary, "cannot write it")
        }
        guard rename(temporary, path) == 0 else { throw StoreError(errnoAt: path, "cannot rename \(temporary) to it") }
    }

    /// The folder that a path's last part stands in.
    static func parent(of path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        if !parts.isEmpty { parts.removeLast() }
        let folder = parts.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + folder : folder.isEmpty ? "." : folder
    }

    /// Makes what was made or renamed in a folder durable.
    static func syncFolder(_ path: String) throws(StoreError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw StoreError(errnoAt: path, "cannot open it") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw StoreError(errnoAt: path, "cannot sync it") }
    }
}
