import Glibc
import TestProcesses
import Testing

/// A TCP connection that may say anything.
final class RawConnection {
    private let descriptor: Int32

    /// - Parameter address: ends in `:PORT`, on loopback.
    init(_ address: String, _ location: SourceLocation = #_sourceLocation) throws {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) }, sourceLocation: location)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "a connection to \(address)", sourceLocation: location)
    }

    deinit {
        close(descriptor)
    }

    /// Sends until all is out or the other side has closed.
    func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + start, bytes.count - start, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            start += count
        }
    }

    /// What comes until the other side closes; fails when it does not in time.
    func readToEnd(_ location: SourceLocation = #_sourceLocation) throws -> [UInt8] {
        let deadline = Deadline()
        var bytes: [UInt8] = []
        while true {
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&item, 1, Int32(deadline.left)) > 0, "the connection is closed", sourceLocation: location)
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// The answer to one HTTP request: status and body.
    static func http(
        _ address: String, _ method: String, _ path: String, _ location: SourceLocation = #_sourceLocation
    ) throws -> (status: Int, body: String) {
        let connection = try RawConnection(address, location)
        connection.send(Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        let text = String(decoding: try connection.readToEnd(location), as: UTF8.self)
        let status = try #require(Int(text.split(separator: " ").dropFirst().first ?? ""), sourceLocation: location)
        let head = try #require(text.firstRange(of: "\r\n\r\n"), sourceLocation: location)
        return (status, String(text[head.upperBound...]))
    }
}
