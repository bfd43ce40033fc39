internal import CLinux
internal import Glibc

/// A process that is not a child of this one.
public enum OtherProcess {
    /// Waits for its end.
    /// - Parameter milliseconds: how long at most.
    /// - Returns: whether it has ended, reaped by its parent or not.
    public static func hasEnded(_ identifier: Int32, within milliseconds: Int64) -> Bool {
        let file = pidfd_open(identifier, 0)
        guard file >= 0 else { return errno == ESRCH }
        defer { close(file) }
        var item = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, Int32(clamping: milliseconds)) > 0
    }
}
