internal import CLinux
internal import Glibc
internal import Synchronization

/// An address of a server.
struct ServerAddress {
    var storage: sockaddr_storage
    var count: socklen_t
    var family: Int32
}

/// Looks a name up on a thread of its own, since the system's resolver blocks for as long as it likes. Whoever no longer wants to
/// wait lets go of it; the thread ends by itself then.
///
/// Each connection looks its name up anew: how long an answer holds is the resolver's business.
final class NameLookup: Sendable {
    struct Failure: Error, Hashable, Sendable {
        var message: String
    }

    /// Readable when the answer is there.
    let descriptor: Int32
    private let host: String
    private let port: String
    private let outcome = Mutex<Result<[ServerAddress], Failure>?>(nil)

    /// Begins.
    /// - Throws: ``HTTP2SetupError`` if the kernel gives no file or no thread.
    init(host: String, port: String) throws(HTTP2SetupError) {
        (self.host, self.port) = (host, port)
        descriptor = ration_open_eventfd()
        guard descriptor >= 0 else { throw .system("make an eventfd", errno) }
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { argument in
                // The argument is the retained lookup that the creator passed.
                if let argument { Unmanaged<NameLookup>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw .system("start a thread", code)
        }
        pthread_detach(thread)
    }

    deinit {
        close(descriptor)
    }

    /// nil: not yet.
    var result: Result<[ServerAddress], Failure>? { outcome.withLock { $0 } }

    private func run() {
        _ = ration_name_thread("lookup")
        let found = find()
        outcome.withLock { $0 = found }
        // Cannot fail: the counter is far from its limit.
        eventfd_write(descriptor, 1)
    }

    private func find() -> Result<[ServerAddress], Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, port, &hints, &list)
        guard code == 0 else {
            let reason = code == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(code))
            return .failure(Failure(message: "the name '\(host)' is not found: \(reason)"))
        }
        defer { freeaddrinfo(list) }
        var addresses: [ServerAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr, Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else {
                continue
            }
            var storage = sockaddr_storage()
            memcpy(&storage, address, Int(entry.ai_addrlen))
            addresses.append(ServerAddress(storage: storage, count: entry.ai_addrlen, family: entry.ai_family))
        }
        return .success(addresses)
    }
}

extension HTTP2SetupError {
    /// - Parameter code: the system's.
    static func system(_ action: String, _ code: Int32) -> HTTP2SetupError {
        HTTP2SetupError(message: "cannot \(action): \(String(cString: strerror(code)))")
    }
}
