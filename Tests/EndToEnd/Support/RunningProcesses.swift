import Foundation

/// A process of this machine, as proc(5) shows it.
struct RunningProcess {
    let identifier: pid_t
    /// Its command line.
    let words: [String]

    /// Whether it still is what it was; a zombie is not.
    var isAlive: Bool { Self.words(of: identifier) == words }

    /// Those that a process has started and not waited for.
    static func children(of parent: pid_t) throws -> [RunningProcess] {
        try all().filter { Self.parent(of: $0.identifier) == parent }
    }

    /// Those whose command line contains a text.
    static func naming(_ text: String) throws -> [RunningProcess] {
        try all().filter { $0.words.contains { $0.contains(text) } }
    }

    private static func all() throws -> [RunningProcess] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            guard let identifier = pid_t(name), let words = words(of: identifier) else { return nil }
            return RunningProcess(identifier: identifier, words: words)
        }
    }

    /// - Returns: nil for one that has ended.
    private static func words(of identifier: pid_t) -> [String]? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(identifier)/cmdline"), !bytes.isEmpty
        else { return nil }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func parent(of identifier: pid_t) -> pid_t? {
        let status = FileManager.default.contents(atPath: "/proc/\(identifier)/status") ?? Data()
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return line.flatMap { pid_t($0.dropFirst(5).trimmingCharacters(in: .whitespaces)) }
    }
}
