import Foundation

/// A small disk in memory under a broker's data folder, to be filled. Only root can have one.
final class SmallDisk {
    let folder: TemporaryFolder
    private var path: String { "\(folder.path)/data" }

    static let canMount = getuid() == 0 && (try? SmallDisk(megabytes: 1)) != nil

    init(megabytes: Int) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }

    private var freeBytes: Int {
        var status = statvfs()
        statvfs(path, &status)
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Leaves so many bytes free.
    func fill(leaving free: Int) {
        let file = open("\(path)/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 4_096)
        while freeBytes > free, write(file, zeros, zeros.count) > 0 {}
    }

    func empty() { unlink("\(path)/filler") }
}
