import Glibc
import Testing

/// A folder that is gone with its owner.
final class Folder {
    let path: String
    private var created: [String] = []

    init() throws {
        var template = Array("/tmp/ration-zones-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit {
        for name in created.reversed() { remove("\(path)/\(name)") }
        remove(path)
    }

    func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let parts = name.split(separator: "/").dropLast()
        for count in 0..<parts.count {
            let folder = parts[...count].joined(separator: "/")
            if mkdir("\(path)/\(folder)", 0o755) == 0 { created.append(folder) }
        }
        let file = try #require(fopen("\(path)/\(name)", "w"))
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
        created.append(name)
    }

    func link(_ name: String, to target: String) {
        #expect(symlink(target, "\(path)/\(name)") == 0)
        created.append(name)
    }
}
