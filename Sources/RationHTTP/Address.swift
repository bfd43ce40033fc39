internal import Glibc

/// A numeric address and port, as the kernel takes it.
struct Address {
    let family: Int32
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// - Parameter text: `1.2.3.4:PORT` or `[IPV6]:PORT`.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
        else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address.sin6_addr) == 1 else {
                return nil
            }
            family = AF_INET6
            length = Address.store(address, in: &storage)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard inet_pton(AF_INET, String(host), &address.sin_addr) == 1 else { return nil }
            family = AF_INET
            length = Address.store(address, in: &storage)
        }
    }

    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            // The kernel's rule: every kind of address begins like a sockaddr, and the storage holds any of them.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    private static func store<Value>(_ value: Value, in storage: inout sockaddr_storage) -> socklen_t {
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: value, as: Value.self) }
        return socklen_t(MemoryLayout<Value>.size)
    }
}
