import TestProcesses
import Testing

/// The last table that `ration tail --summary` has written.
struct SummaryTable {
    static let kinds = ["accepted", "queued", "evicted", "expired", "due", "cancelled"]

    private var rows: [String: [String: Int]] = [:]

    init(_ process: ChildProcess, _ location: SourceLocation = #_sourceLocation) throws {
        let lines = process.outputLines.map { $0.split(separator: " ").map(String.init) }
        let header = try #require(
            lines.lastIndex { $0.first == "type" }, "a table: \(process.errorText)", sourceLocation: location)
        try #require(lines[header] == ["type"] + Self.kinds, sourceLocation: location)
        for words in lines[(header + 1)...] where words.count == 1 + Self.kinds.count {
            rows[words[0]] = Dictionary(zip(Self.kinds, words.dropFirst().compactMap { Int($0) })) { $1 }
        }
    }

    /// How many events there were; nil for a type without a row.
    subscript(_ type: String, _ kind: String) -> Int? { rows[type]?[kind] }
}
