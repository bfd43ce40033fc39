@testable import PlannerModel
import Glibc

/// A file that cannot be read, with `errno`.
struct FileFault: Error {
    var path: String
    var number: Int32
}

/// The bytes of a file.
func readFile(_ path: String) throws(FileFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFault(path: path, number: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 { return bytes }
        if count < 0 && errno != EINTR { throw FileFault(path: path, number: errno) }
        bytes += chunk.prefix(max(0, count))
    }
}
