internal import CLinux
internal import Glibc

/// A file that is readable while the one that a connection waits for is ready: the lookup's, then the socket.
struct Readiness: ~Copyable {
    let descriptor: Int32
    private var watched: (file: Int32, events: UInt32)?

    /// - Throws: ``HTTP2SetupError`` if the kernel gives no file.
    init() throws(HTTP2SetupError) {
        descriptor = ration_open_epoll()
        guard descriptor >= 0 else { throw .system("make an epoll", errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for this file in place of the one before.
    mutating func watch(_ file: Int32, toWrite: Bool = false, toRead: Bool = true) {
        let events = (toWrite ? EPOLLOUT.rawValue : 0) | (toRead ? EPOLLIN.rawValue : 0)
        if let watched, watched == (file, events) { return }
        if let watched, watched.file != file { forget() }
        var event = epoll_event()
        event.events = events
        let operation = watched == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        let code = epoll_ctl(descriptor, operation, file, &event)
        precondition(code == 0, "epoll_ctl of file \(file): \(String(cString: strerror(errno)))")
        watched = (file, events)
    }

    /// To be called before the file is closed.
    mutating func forget() {
        guard let file = watched?.file else { return }
        watched = nil
        var event = epoll_event()
        epoll_ctl(descriptor, EPOLL_CTL_DEL, file, &event)
    }
}
