import Foundation

/// The files of a store, to be copied and damaged.
struct FileTree {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// All files, as paths inside the folder, sorted.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    func names(ending suffix: String) throws -> [String] { try names().filter { $0.hasSuffix(suffix) } }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    /// The write-ahead logs, oldest first; none where there is no folder.
    func logs() throws -> [String] {
        FileManager.default.fileExists(atPath: path) ? try names(ending: ".log") : []
    }

    /// The write-ahead log that is written to.
    func newestLog() throws -> (name: String, count: Int) {
        let logs = try logs()
        let name = logs[logs.endIndex - 1]
        return (name, try bytes(name).count)
    }

    /// Copies all, in place of what is there.
    func copy(to destination: String) throws -> FileTree {
        if FileManager.default.fileExists(atPath: destination) {
            try FileManager.default.removeItem(atPath: destination)
        }
        try FileManager.default.copyItem(atPath: path, toPath: destination)
        return FileTree(destination)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func truncate(_ name: String, to count: Int) throws {
        try write(Array(try bytes(name).prefix(count)), to: name)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }
}
