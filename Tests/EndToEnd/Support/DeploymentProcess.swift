import Glibc
import TestProcesses
import Testing

/// A `ration up` on a configuration of its own, with endpoints in its folder.
final class DeploymentProcess {
    let process: ChildProcess
    let folder: TemporaryFolder
    private(set) var lines: [String] = []

    /// - Parameters:
    ///   - sections: what the configuration has beside the broker's section; `FOLDER` stands for the folder.
    ///   - options: further ones for the command line.
    ///   - program: another `ration`.
    ///   - environment: variables that it gets beside the test's own.
    init(
        _ sections: String, policy: String = "{}", _ options: [String] = [], in folder: TemporaryFolder? = nil,
        program: String? = nil, environment: [String: String] = [:]
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        _ = try folder.write(policy, to: "policy.yaml")
        let text = """
            broker:
              data: data
              policy: policy.yaml
              intents: ipc://FOLDER/intents
              events: ipc://FOLDER/events
              queries: ipc://FOLDER/queries
              http: off
              ballastBytes: 0
              watermarkBytes: 0
              watermarkPercent: 0

            """
        let config = try folder.write(
            (text + sections).replacing("FOLDER", with: folder.path), to: "ration.yaml")
        process = try ChildProcess(
            try program ?? Executables.ration(), ["up", "--config", config] + options, environment: environment)
    }

    var config: String { "\(folder.path)/ration.yaml" }

    /// Reads lines until one of a process contains a text.
    /// - Returns: that line, without the name.
    @discardableResult
    func wait(
        for text: String, from name: String = "up", _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        while let line = try process.nextLine(location) {
            lines.append(line)
            if Self.name(of: line) == name, line.contains(text) { return Self.text(of: line) }
        }
        throw Ended(text: text, lines: lines)
    }

    struct Ended: Error {
        var text: String
        var lines: [String]
    }

    /// The lines of a process that were read so far.
    func lines(of name: String) -> [String] {
        lines.filter { Self.name(of: $0) == name }.map(Self.text)
    }

    /// Reads all that comes, and the end.
    func finish(_ location: SourceLocation = #_sourceLocation) throws -> Ending {
        while let line = try process.nextLine(location) { lines.append(line) }
        return try process.wait(location)
    }

    func stop(_ signal: Int32 = SIGTERM, _ location: SourceLocation = #_sourceLocation) throws -> Ending {
        process.send(signal: signal)
        return try finish(location)
    }

    /// What it runs now, by the first or second word of the command line: the subcommand of `ration`.
    func children() throws -> [String: RunningProcess] {
        let children = try RunningProcess.children(of: process.identifier)
        return Dictionary(children.map { (Self.key(of: $0.words), $0) }) { $1 }
    }

    private static func key(of words: [String]) -> String {
        guard words.count > 1 else { return words.first ?? "" }
        return ["scheduler", "subscriber"].contains(words[1]) ? words[2] : words[1]
    }

    private static func name(of line: String) -> String {
        String(line.prefix { $0 != " " })
    }

    private static func text(of line: String) -> String {
        line.split(separator: " | ", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
}
