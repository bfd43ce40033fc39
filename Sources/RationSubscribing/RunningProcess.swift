internal import Glibc

/// The lock that the one process that runs a subscriber holds, on a file beside the data: a record lock of POSIX, which
/// the kernel takes back when the process ends, however it ends, and whose holder it names.
///
/// It is a file of its own, since closing any descriptor of a file ends all of a process's record locks on it, SQLite's
/// too (fcntl(2)).
public final class RunningProcess {
    private let descriptor: Int32

    /// - Parameter data: the subscriber's data; the lock's file is `DATA.lock`.
    /// - Throws: ``SubscriberError``: `running` with the other's id, `file` if the lock's file cannot be opened.
    public init(_ data: String) throws(SubscriberError) {
        descriptor = try Self.open(data)
        var lock = Self.lock
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            let holder = Self.holder(descriptor)
            // The file is closed when this throws, since it was opened.
            throw SubscriberError(
                .running, "another process\(holder.map { ", \($0)," } ?? "") runs this subscriber on '\(data)'")
        }
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: the id of the process that runs the subscriber; nil if none does.
    /// - Throws: ``SubscriberError`` if the lock's file cannot be opened.
    public static func identifier(_ data: String) throws(SubscriberError) -> Int32? {
        guard access(data + ".lock", F_OK) == 0 else { return nil }
        let descriptor = try open(data)
        defer { close(descriptor) }
        return holder(descriptor)
    }

    private static var lock: flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var lock = lock
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }

    private static func open(_ data: String) throws(SubscriberError) -> Int32 {
        let descriptor = Glibc.open(data + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw SubscriberError(.file, "cannot open '\(data).lock': \(String(cString: strerror(errno)))")
        }
        return descriptor
    }
}
