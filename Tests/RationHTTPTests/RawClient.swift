import Glibc
import Testing

/// A TCP connection that speaks as badly as a test wants.
final class RawClient {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "connect: \(errno)")
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// All bytes until the server closes.
    func receiveAll() throws -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == ECONNRESET { break }
            try #require(count >= 0, "receive: \(errno)")
            if count == 0 { break }
            all += buffer[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }
}

/// Sends one request and gives the whole answer.
func ask(_ port: UInt16, _ head: String, body: String = "") throws -> String {
    let client = try RawClient(port: port)
    client.send("\(head)\r\nHost: x\r\nConnection: close\r\n\r\n\(body)")
    return try client.receiveAll()
}
