import Foundation
import TestProcesses
import Testing

/// Where the programs are that the tests start.
enum Executables {
    /// The repository's top folder.
    static let root = URL(fileURLWithPath: #filePath).pathComponents.dropFirst().dropLast(4)
        .reduce("") { "\($0)/\($1)" }

    /// `RATION`, else the newest that is built in the repository.
    static func ration() throws -> String {
        if let path = ProcessInfo.processInfo.environment["RATION"] { return path }
        let built = ["release", "debug"].map { "\(root)/.build/\($0)/ration" }
        let dated = built.compactMap { path -> (path: String, date: Date)? in
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            return date.map { (path, $0) }
        }
        let newest = dated.max { $0.date < $1.date }
        return try #require(newest, "build 'ration' first, or name it in RATION").path
    }

    /// The one that is built with what only debug builds have for tests.
    static func debugRation() throws -> String {
        let named = ProcessInfo.processInfo.environment["RATION"].flatMap { $0.contains("/debug/") ? $0 : nil }
        let path = named ?? "\(root)/.build/debug/ration"
        try #require(FileManager.default.fileExists(atPath: path), "build 'ration' for debugging first")
        return path
    }

    /// A Python with pyzmq.
    static var python: String { ProcessInfo.processInfo.environment["RATION_PYTHON"] ?? "/usr/bin/python3" }

    static var pythonClient: String { "\(root)/deploy/clients/python/ration.py" }
}

/// Runs `ration` to its end.
func ration(
    _ arguments: String..., input: String = "", _ location: SourceLocation = #_sourceLocation
) throws -> ChildProcess {
    let process = try ChildProcess(try Executables.ration(), arguments, input: input)
    try process.wait(location)
    return process
}
