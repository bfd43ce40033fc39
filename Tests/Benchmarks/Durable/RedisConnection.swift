import Glibc

/// A connection to Redis that sends many commands before the first is answered.
final class RedisConnection {
    let descriptor: Int32
    private var output: [UInt8] = []
    private var sent = 0
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var line: [UInt8] = []
    /// Lines of answers that have not come; most answers are one.
    private(set) var underWay = 0

    /// - Throws: `BenchmarkError` with the path.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchmarkError("cannot make a socket: \(errno)") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard path.utf8.count < target.count else { return false }
            target.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { throw BenchmarkError("the path \(path) is too long for a socket") }
        let result = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw BenchmarkError("cannot connect to \(path): \(errno)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Whether something waits to be sent.
    var wantsToSend: Bool { sent < output.count }

    /// Appends a command to what is to be sent.
    func add(_ words: [UInt8]..., answerLines: Int = 1) {
        append("*", words.count)
        for word in words {
            append("$", word.count)
            output += word
            output += Self.lineEnd
        }
        underWay += answerLines
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private func append(_ sign: Unicode.Scalar, _ count: Int) {
        output.append(UInt8(ascii: sign))
        output += String(count).utf8
        output += Self.lineEnd
    }

    /// Sends what the socket takes.
    func send() throws {
        while wantsToSend {
            let count = output.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, output.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else {
                if errno == EAGAIN { return }
                if errno == EINTR { continue }
                throw BenchmarkError("Redis takes no more commands: \(errno)")
            }
            sent += count
        }
        output.removeAll(keepingCapacity: true)
        sent = 0
    }

    /// Reads what has arrived.
    /// - Parameter take: gets each line.
    /// - Throws: `BenchmarkError` with the error that Redis answers.
    func receive(_ take: ([UInt8]) -> Void = { _ in }) throws {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            throw BenchmarkError("Redis has closed the connection")
        }
        for byte in buffer[..<count] {
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            if line.first == UInt8(ascii: "-") {
                throw BenchmarkError("Redis answers \(String(decoding: line, as: UTF8.self))")
            }
            take(line)
            line.removeAll(keepingCapacity: true)
            underWay -= 1
        }
    }
}
