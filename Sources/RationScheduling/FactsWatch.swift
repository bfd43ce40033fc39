internal import CLinux
internal import Glibc

/// Tells when the facts file changes: the file itself, its write-ahead log or rollback journal, or another file in its place
/// (inotify(7)). What it misses is found by the next periodic run.
final class FactsWatch {
    /// Readable while there is something to ``take()``.
    let fileDescriptor: Int32
    private let folder: String
    private let names: Set<String>
    private let fileName: String
    private var isWatching = false

    init(file: String) throws(FactsError) {
        let file = Self.target(of: file)
        let slash = file.lastIndex(of: "/")
        folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        fileName = slash.map { String(file[file.index(after: $0)...]) } ?? file
        names = [fileName, fileName + "-wal", fileName + "-journal"]
        fileDescriptor = ration_open_inotify()
        guard fileDescriptor >= 0 else {
            throw FactsError(file: file, message: "its changes cannot be watched: \(String(cString: strerror(errno)))")
        }
        watch()
    }

    deinit {
        close(fileDescriptor)
    }

    /// Where a symbolic link leads: changes happen there. A file that is not there yet is taken by its name.
    private static func target(of file: String) -> String {
        guard let path = realpath(file, nil) else { return file }
        defer { free(path) }
        return String(cString: path)
    }

    /// Watches the folder, as soon as there is one.
    func watch() {
        guard !isWatching else { return }
        // Not what is closed or deleted: reading a file makes and removes others beside it.
        let changes = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)
        isWatching = inotify_add_watch(fileDescriptor, folder, changes) >= 0
    }

    /// Takes what has been told.
    /// - Returns: whether the facts may have changed.
    func take() -> Bool {
        var isChanged = false
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while true {
                let count = read(fileDescriptor, buffer.baseAddress, buffer.count)
                if count > 0 {
                    if isAboutFacts(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { isChanged = true }
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
        return isChanged
    }

    private func isAboutFacts(_ events: UnsafeRawBufferPointer) -> Bool {
        var (place, isChanged) = (0, false)
        let headerBytes = MemoryLayout<inotify_event>.size
        // The kernel gives whole events: a header, and as many bytes of name as it says.
        while place + headerBytes <= events.count {
            let event = events.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
            let end = min(events.count, place + headerBytes + Int(event.len))
            let bytes = events[place + headerBytes..<end].prefix { $0 != 0 }
            let name = String(decoding: bytes, as: UTF8.self)
            let mask = Int32(bitPattern: event.mask)
            if mask & Int32(IN_IGNORED) != 0 { isWatching = false }
            if mask & Int32(IN_Q_OVERFLOW) != 0 { isChanged = true }
            // A journal that is only made says nothing yet.
            let isMade = mask & Int32(IN_MODIFY) == 0
            if names.contains(name), !isMade || name == fileName { isChanged = true }
            place = end
        }
        return isChanged
    }
}
