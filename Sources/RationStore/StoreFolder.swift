internal import Glibc

/// The folder of a durable store: `store` says whose it is, `rocksdb` holds it, `acknowledged` how far it goes, and
/// `ballast` keeps room for a start on a full disk.
struct StoreFolder {
    /// Of the whole folder.
    static let formatVersion = 2
    private static let formatWords = "ration store format "
    private static let logWords = "log "

    let path: String
    let disk: any StoreDisk
    /// The event log's name.
    let log: String

    var database: String { path + "/rocksdb" }
    var acknowledged: String { path + "/acknowledged" }
    var ballast: String { path + "/ballast" }
    private var identity: String { Self.identity(path) }
    private static func identity(_ path: String) -> String { path + "/store" }

    /// Opens the folder, or makes it.
    /// - Parameter newLog: the name that a new log gets.
    /// - Throws: `StoreError`: `format` for a later version's, `damaged` for one that names no log.
    init(_ path: String, on disk: any StoreDisk = SystemDisk(), newLog: () -> String) throws(StoreError) {
        self.path = path
        self.disk = disk
        try disk.makeFolder(path)
        if let text = try disk.read(Self.identity(path), atMost: 4_096) {
            log = try Self.log(in: text, file: Self.identity(path))
        } else {
            log = newLog()
            let text = "\(Self.formatWords)\(Self.formatVersion)\n\(Self.logWords)\(log)\n"
            try disk.replace(identity, with: Array(text.utf8))
            try disk.syncFolder(path)
        }
    }

    private static func log(in text: [UInt8], file: String) throws(StoreError) -> String {
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines[0].hasPrefix(formatWords), let version = Int(lines[0].dropFirst(formatWords.count)) else {
            throw StoreError(.damaged, path: file, "it does not begin with '\(formatWords)' and a version")
        }
        guard version == formatVersion else {
            throw StoreError(
                .format, path: file, "its format is version \(version); this program knows version \(formatVersion)")
        }
        guard lines.count == 3, lines[1].hasPrefix(logWords), lines[1].count > logWords.count, lines[2].isEmpty else {
            throw StoreError(.damaged, path: file, "its second line is not '\(logWords)' and a name")
        }
        return String(lines[1].dropFirst(logWords.count))
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

    /// Makes what was made or renamed in a folder durable.
    static func syncFolder(_ path: String) throws(StoreError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw StoreError(errnoAt: path, "cannot open it") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw StoreError(errnoAt: path, "cannot sync it") }
    }
}
