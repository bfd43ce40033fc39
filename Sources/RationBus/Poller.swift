internal import CZeroMQ
internal import Glibc

/// Waits until one of several sockets and file descriptors is ready, or time is up.
///
/// Readiness is level-triggered: a socket that still has a message is readable again at the next wait. Waiting allocates
/// nothing for up to 16 items.
public struct Poller {
    /// What to wait for.
    public struct Interest: OptionSet, Sendable {
        public let rawValue: Int16

        public init(rawValue: Int16) {
            self.rawValue = rawValue
        }

        public static let readable = Interest(rawValue: Int16(ZMQ_POLLIN))
        public static let writable = Interest(rawValue: Int16(ZMQ_POLLOUT))
    }

    private var items: [zmq_pollitem_t] = []
    /// The socket of each item; `nil` for a file descriptor.
    private var sockets: [Socket?] = []

    public init() {}

    /// - Returns: the item's index, for ``isReadable(_:)``, ``isWritable(_:)`` and ``setInterest(_:of:)``.
    public mutating func add(_ socket: Socket, _ interest: Interest = .readable) throws(ZeroMQError) -> Int {
        let handle = try socket.openHandle("poll")
        items.append(zmq_pollitem_t(socket: handle, fd: -1, events: interest.rawValue, revents: 0))
        sockets.append(socket)
        return items.count - 1
    }

    /// - Parameter fileDescriptor: stays its owner's, who keeps it open as long as the poller waits on it.
    /// - Returns: the item's index.
    public mutating func add(fileDescriptor: Int32, _ interest: Interest = .readable) -> Int {
        items.append(zmq_pollitem_t(socket: nil, fd: fileDescriptor, events: interest.rawValue, revents: 0))
        sockets.append(nil)
        return items.count - 1
    }

    /// Changes what an item is waited for; an empty set pauses it.
    public mutating func setInterest(_ interest: Interest, of index: Int) {
        items[index].events = interest.rawValue
        items[index].revents = 0
    }

    /// Waits until an item is ready. A signal does not end the wait: it goes on with what is left of the time.
    ///
    /// - Parameter milliseconds: the longest wait; 0 only looks, a negative one waits without limit.
    /// - Returns: how many items are ready; 0 when time was up.
    /// - Throws: ``ZeroMQError``; `closed` if a socket was closed meanwhile, `terminated`.
    @discardableResult
    public mutating func wait(milliseconds: Int) throws(ZeroMQError) -> Int {
        for socket in sockets {
            _ = try socket?.openHandle("poll")
        }
        let begin = Poller.monotonicNanoseconds()
        var left = milliseconds
        while true {
            let ready = zmq_poll(&items, Int32(items.count), left)
            if ready >= 0 { return Int(ready) }
            guard zmq_errno() == EINTR else { throw .last("poll") }
            if milliseconds > 0 {
                // Whole milliseconds that have passed; a wait is never shorter than asked for.
                left = max(0, milliseconds - (Poller.monotonicNanoseconds() - begin) / 1_000_000)
            }
        }
    }

    /// Whether the last wait found something to receive, or a file descriptor at its end or in error.
    public func isReadable(_ index: Int) -> Bool {
        items[index].revents & Int16(ZMQ_POLLIN | ZMQ_POLLERR) != 0
    }

    /// Whether the last wait found that something can be sent.
    public func isWritable(_ index: Int) -> Bool {
        items[index].revents & Int16(ZMQ_POLLOUT) != 0
    }

    private static func monotonicNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
