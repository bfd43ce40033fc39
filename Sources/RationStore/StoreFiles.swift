internal import Glibc

/// The files of a store's folder, as they are copied, counted and removed.
enum StoreFiles {
    /// The names in a folder, sorted.
    static func names(in folder: String) throws(StoreError) -> [String] {
        guard let stream = opendir(folder) else { throw StoreError(errnoAt: folder, "cannot read the folder") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Bytes of all files in a folder and the folders in it.
    static func bytes(in folder: String) throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        for name in try names(in: folder) {
            let path = folder + "/" + name
            let status = try status(of: path)
            sum += isFolder(status) ? try bytes(in: path) : UInt64(status.st_size)
        }
        return sum
    }

    private static func status(of path: String) throws(StoreError) -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw StoreError(errnoAt: path, "cannot look at it") }
        return status
    }

    private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    /// Makes a folder, which must not be there, or must be empty.
    static func makeEmpty(_ folder: String) throws(StoreError) {
        if mkdir(folder, 0o700) == 0 { return try SmallFile.syncFolder(SmallFile.parent(of: folder)) }
        guard errno == EEXIST else { throw StoreError(errnoAt: folder, "cannot make the folder") }
        if let found = try names(in: folder).first {
            throw StoreError(.system, path: folder, "the folder is not empty: it has '\(found)'")
        }
    }

    /// Copies the files of a folder into a new one, and syncs them; there are no folders in it.
    static func copy(_ folder: String, to destination: String) throws(StoreError) {
        guard mkdir(destination, 0o700) == 0 else { throw StoreError(errnoAt: destination, "cannot make the folder") }
        for name in try names(in: folder) { try copyFile(folder + "/" + name, to: destination + "/" + name) }
        try SmallFile.syncFolder(destination)
    }

    static func copyFile(_ path: String, to destination: String) throws(StoreError) {
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw StoreError(errnoAt: path, "cannot open it") }
        defer { close(from) }
        let to = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw StoreError(errnoAt: destination, "cannot make it") }
        defer { close(to) }
        try copyBytes(from, to, path, destination)
        guard fsync(to) == 0 else { throw StoreError(errnoAt: destination, "cannot sync it") }
    }

    private static func copyBytes(
        _ from: Int32, _ to: Int32, _ path: String, _ destination: String
    ) throws(StoreError) {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(from, &bytes, bytes.count)
            guard count >= 0 else { throw StoreError(errnoAt: path, "cannot read it") }
            guard count > 0 else { return }
            var written = 0
            while written < count {
                let more = bytes.withUnsafeBytes { write(to, $0.baseAddress! + written, count - written) }
                guard more > 0 else { throw StoreError(errnoAt: destination, "cannot write it") }
                written += more
            }
        }
    }

    /// Removes what an attempt has left, as far as that is possible: its error is the one to be told.
    static func discard(_ path: String) {
        if unlink(path) == 0 { return }
        guard let stream = opendir(path) else { return }
        closedir(stream)
        for name in (try? names(in: path)) ?? [] { discard(path + "/" + name) }
        rmdir(path)
    }
}
