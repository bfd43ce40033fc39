internal import CLinux
internal import Glibc
internal import Synchronization

/// What is to be written to a descriptor that may block for long: a thread of its own writes it, so that a slow terminal stops
/// nobody. When whoever reads has gone, the rest is dropped.
final class OutputQueue: Sendable {
    /// Bytes that may wait.
    static let limitBytes = 4 * 1024 * 1024

    private struct State {
        var bytes: [UInt8] = []
        /// Bytes that the thread has taken and not written yet.
        var taken = 0
        var isEnding = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    /// Readable when there is something for the thread to do, and when it has made room.
    private let work: Int32
    let room: Int32

    /// - Parameter descriptor: stays open, and the caller's.
    init(descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        work = ration_open_eventfd()
        room = ration_open_eventfd()
        guard work >= 0, room >= 0 else { throw SystemError(operation: "make an eventfd", code: errno) }
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { argument in
                // The argument is the retained queue that its maker passed.
                if let argument { Unmanaged<OutputQueue>.fromOpaque(argument).takeRetainedValue().write() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw SystemError(operation: "start a thread", code: code)
        }
        pthread_detach(thread)
    }

    deinit {
        close(work)
        close(room)
    }

    var isFull: Bool {
        state.withLock { $0.bytes.count + $0.taken >= Self.limitBytes }
    }

    /// Appends bytes, which stay together. Nothing is refused: who asks ``isFull`` before goes beyond it by one append.
    func append(_ bytes: [UInt8]) {
        let isFirst = state.withLock { state in
            if state.hasEnded { return false }
            state.bytes += bytes
            return state.bytes.count == bytes.count
        }
        if isFirst { Self.signal(work) }
    }

    /// Waits until all is written, but not for longer than it may take.
    func finish(withinMilliseconds patience: Int32) {
        state.withLock { $0.isEnding = true }
        Self.signal(work)
        let deadline = MonotonicTime.milliseconds + Int64(patience)
        while !state.withLock({ $0.hasEnded }) {
            let left = deadline - MonotonicTime.milliseconds
            guard left > 0 else { return }
            Self.wait(room, milliseconds: Int32(left))
        }
    }

    /// The thread's work.
    private func write() {
        _ = ration_name_thread("output")
        var isOpen = true
        while let bytes = next() {
            if isOpen { isOpen = Self.write(bytes, to: descriptor) }
        }
        Self.signal(room)
    }

    /// The bytes that wait; nil at the end.
    private func next() -> [UInt8]? {
        while true {
            let result = state.withLock { state -> (bytes: [UInt8], isEnd: Bool) in
                let bytes = state.bytes
                state.bytes = []
                state.taken = bytes.count
                state.hasEnded = bytes.isEmpty && state.isEnding
                return (bytes, state.hasEnded)
            }
            Self.signal(room)
            if result.isEnd { return nil }
            if !result.bytes.isEmpty { return result.bytes }
            Self.wait(work, milliseconds: -1)
        }
    }

    /// - Returns: false when nobody reads any more.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            // There are bytes, so that they have an address.
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func signal(_ descriptor: Int32) {
        var one: UInt64 = 1
        // It fails only when it is signalled already.
        _ = Glibc.write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for a signal and takes it.
    static func wait(_ descriptor: Int32, milliseconds: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, milliseconds)
        var value: UInt64 = 0
        _ = read(descriptor, &value, MemoryLayout<UInt64>.size)
    }
}

enum MonotonicTime {
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
