internal import Glibc

/// A TCP socket that takes connections; closed with its owner, unless given away.
struct ListeningSocket: ~Copyable {
    private let descriptor: Int32
    /// The bound port, also where 0 was asked for.
    let port: UInt16

    /// - Parameter address: `1.2.3.4:PORT` or `[IPV6]:PORT`; names are not looked up.
    init(_ address: String) throws(HTTPError) {
        guard let place = Address(address) else {
            throw HTTPError(code: .invalidAddress, address: address, errno: 0)
        }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(place.family, type, 0)
        guard descriptor >= 0 else { throw HTTPError(code: .open, address: address, errno: errno) }
        do throws(HTTPError) {
            port = try ListeningSocket.listen(descriptor, place, address)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Gives the descriptor away: the caller closes it.
    consuming func take() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    private static func listen(
        _ descriptor: Int32, _ place: Address, _ address: String
    ) throws(HTTPError) -> UInt16 {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard place.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            throw HTTPError(code: .bind, address: address, errno: errno)
        }
        guard Glibc.listen(descriptor, 128) == 0 else {
            throw HTTPError(code: .listen, address: address, errno: errno)
        }
        return boundPort(descriptor)
    }

    /// The port lies at the same place in the addresses of both families (ip(7), ipv6(7)).
    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
