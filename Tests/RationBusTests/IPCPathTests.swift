import Foundation
import RationBus
import Testing

@Suite("An ipc endpoint is bound only where nobody's file and nobody's socket stands")
struct IPCPathTests {
    private func failure(binding endpoint: String, in context: Context) -> ZeroMQError.Code? {
        do {
            let socket = try Socket(.router, in: context)
            try socket.bind(endpoint)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a regular file is left as it is")
    func file() throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/precious"
            try "precious".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(failure(binding: "ipc://\(path)", in: try Context()) == .exists)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test("a socket that somebody serves is not taken away")
    func liveSocket() throws {
        try withTemporaryFolder { folder in
            let context = try Context()
            let first = try Socket(.router, in: context)
            try first.bind("ipc://\(folder)/socket")
            #expect(failure(binding: "ipc://\(folder)/socket", in: try Context()) == .addressInUse)
            let client = try Socket(.dealer, in: context)
            try client.connect("ipc://\(folder)/socket")
            try client.sendWhenConnected([bytes("still here")])
            #expect(try first.nextMessage().last == "still here")
        }
    }

    @Test("what a killed process has left is bound again")
    func deadSocket() throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/socket"
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(result == 0)
            close(descriptor)
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(failure(binding: "ipc://\(path)", in: try Context()) == nil)
        }
    }
}
