import Glibc

/// Reads whole files of configuration.
enum FileText {
    /// - Throws: `Mismatch` with the system's reason, or when it is over `YAMLDocument.limitBytes`.
    static func read(_ path: String) throws(Mismatch) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Mismatch("it cannot be opened: \(reason())") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= YAMLDocument.limitBytes {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Mismatch("it cannot be read: \(reason())") }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        throw Mismatch("expected at most \(YAMLDocument.limitBytes) bytes, found more")
    }

    /// A path that stands in a file: a relative one starts at the folder of that file.
    static func path(_ path: String, besideFile file: String) -> String {
        guard !path.isEmpty, !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    private static func reason() -> String {
        String(cString: strerror(errno))
    }
}
