internal import Glibc
public import RationRocksDB

/// The system's files.
public struct SystemDisk: StoreDisk {
    public init() {}

    public var environment: (any RocksEnvironment)? { nil }

    public func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    public func makeFolder(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(errnoAt: path, "cannot make the folder")
        }
        // Also one that is there: who made it may have ended before this.
        try syncFolder(SmallFile.parent(of: path))
    }

    public func syncFolder(_ path: String) throws(StoreError) {
        try SmallFile.syncFolder(path)
    }

    public func names(in folder: String) throws(StoreError) -> [String] {
        guard let stream = opendir(folder) else { throw StoreError(errnoAt: folder, "cannot read the folder") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }

    public func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    public func read(_ path: String, atMost count: Int) throws(StoreError) -> [UInt8]? {
        try SmallFile.read(path, atMost: count)
    }

    public func count(of path: String) throws(StoreError) -> UInt64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(errnoAt: path, "cannot look at it") }
        return UInt64(status.st_size)
    }

    public func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try SmallFile.write(bytes, to: path)
    }

    public func overwritten(_ path: String) throws(StoreError) -> any OverwrittenFile {
        try OpenFile(path)
    }

    public func space(at folder: String) throws(StoreError) -> (free: UInt64, total: UInt64) {
        var result = statvfs()
        guard statvfs(folder, &result) == 0 else {
            throw StoreError(errnoAt: folder, "cannot ask how much room there is")
        }
        return (UInt64(result.f_bavail) * UInt64(result.f_frsize), UInt64(result.f_blocks) * UInt64(result.f_frsize))
    }

    public func reserve(_ path: String, bytes: Int) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        if posix_fallocate(file, 0, bytes) == 0 { return true }
        unlink(path)
        return false
    }

    public func remove(_ path: String) -> Bool { unlink(path) == 0 }
}

/// An open file of the system's.
private final class OpenFile: OverwrittenFile {
    private let path: String
    private let file: Int32

    init(_ path: String) throws(StoreError) {
        self.path = path
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errnoAt: path, "cannot open it") }
    }

    deinit {
        close(file)
    }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
            throw StoreError(errnoAt: path, "cannot write it")
        }
    }

    func sync() throws(StoreError) {
        guard fdatasync(file) == 0 else { throw StoreError(errnoAt: path, "cannot sync it") }
    }
}
