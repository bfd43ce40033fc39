internal import Glibc

/// A compiled tz database on disk.
struct ZoneDirectory {
    let path: String

    private static let passedOver: Set<String> = ["posix", "right", "localtime", "posixrules"]

    /// zic's names have at most a handful of parts; this ends a loop of linked folders.
    private static let deepest = 8

    /// The names of all zones, in no order.
    func names() throws(ZoneError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        try collect(below: "", depth: 1, into: &names)
        guard !names.isEmpty else {
            throw ZoneError(code: .noZones, path: path, errorNumber: 0, message: "no time zone files (TZif) in here")
        }
        return names
    }

    /// The release, from the first line of `tzdata.zi` (`# version 2025b`) or from `+VERSION`.
    func release() -> String? {
        let mark = "# version "
        if let line = firstLine(of: "tzdata.zi"), line.hasPrefix(mark) {
            return String(line.dropFirst(mark.count))
        }
        return firstLine(of: "+VERSION")
    }

    /// The bytes of a zone's file.
    func content(of name: String) throws(ZoneError) -> [UInt8] {
        let file = "\(path)/\(name)"
        guard let status = status(of: name) else { throw unreadable(file) }
        guard status.st_size <= ZoneFile.mostBytes else {
            throw ZoneError(
                code: .broken, path: file, errorNumber: 0,
                message: "expected at most \(ZoneFile.mostBytes) bytes, found \(status.st_size)")
        }
        guard let bytes = beginning(of: name, count: Int(status.st_size)) else { throw unreadable(file) }
        return bytes
    }

    private func collect(below folder: String, depth: Int, into names: inout [[UInt8]]) throws(ZoneError) {
        for entry in try entries(of: "\(path)/\(folder)") where depth > 1 || !Self.passedOver.contains(entry) {
            let name = folder + entry
            switch fileType(of: name) {
            case S_IFDIR where depth < Self.deepest: try collect(below: name + "/", depth: depth + 1, into: &names)
            case S_IFREG where startsWithMark(name): names.append(Array(name.utf8))
            default: break
            }
        }
    }

    private func entries(of folder: String) throws(ZoneError) -> [String] {
        guard let stream = opendir(folder) else { throw unreadable(folder) }
        defer { closedir(stream) }
        var entries: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            // `d_name` ends with a zero byte inside the entry.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { entries.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw unreadable(folder) }
        return entries
    }

    /// The type of what a name leads to, links followed, or 0 if it leads nowhere.
    private func fileType(of name: String) -> mode_t {
        status(of: name).map { $0.st_mode & S_IFMT } ?? 0
    }

    private func status(of name: String) -> stat? {
        var status = stat()
        return stat("\(path)/\(name)", &status) == 0 ? status : nil
    }

    private func startsWithMark(_ name: String) -> Bool {
        beginning(of: name, count: 4) == Array("TZif".utf8)
    }

    private func firstLine(of name: String) -> String? {
        guard let beginning = beginning(of: name, count: 128) else { return nil }
        let line = String(decoding: beginning.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    /// The first `count` bytes of a file, fewer if it is shorter, or nil if it cannot be read.
    private func beginning(of name: String, count: Int) -> [UInt8]? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var length = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            // read() writes at most the `count` bytes that the buffer has.
            length = read(descriptor, buffer.baseAddress, count)
            initializedCount = max(0, length)
        }
        return length < 0 ? nil : bytes
    }

    private func unreadable(_ path: String) -> ZoneError {
        let number = errno
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return ZoneError(
            code: .unreadable, path: path, errorNumber: number,
            message: "the time zone database cannot be read: \(reason)")
    }
}
