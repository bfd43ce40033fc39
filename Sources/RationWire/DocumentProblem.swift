public import RationJSON

/// A fault or a warning of a policy's document as the admin endpoint tells it. The file is the one that the client named.
public struct DocumentProblem: Hashable, Sendable {
    /// From 1; 0 where there is none: the fault of a whole document, or of one that came as JSON within the request.
    public var line: Int
    /// In characters, from 1; 0 without a line.
    public var column: Int
    /// The keys that lead there, `types.habit.priority`; empty for the whole document.
    public var path: String
    /// What was expected and what was found.
    public var message: String

    public init(line: Int = 0, column: Int = 0, path: String, message: String) {
        self.line = line
        self.column = column
        self.path = path
        self.message = message
    }

    init(_ value: JSONValue) {
        line = Int(clamping: value["line"]?.integer ?? 0)
        column = Int(clamping: value["column"]?.integer ?? 0)
        path = value["path"]?.text ?? ""
        message = value["message"]?.text ?? ""
    }

    private func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        if line > 0 {
            members.integer("line", Int64(line), to: &writer)
            members.integer("column", Int64(column), to: &writer)
        }
        members.text("path", path, to: &writer)
        members.text("message", message, to: &writer)
        members.end(&writer)
    }

    /// Writes a list of them.
    public static func write(_ problems: [DocumentProblem], to writer: inout JSONWriter) {
        writer.byte(UInt8(ascii: "["))
        for (index, problem) in problems.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            problem.write(to: &writer)
        }
        writer.byte(UInt8(ascii: "]"))
    }

    /// Reads a list of them; empty for any other value.
    public static func read(_ value: JSONValue?) -> [DocumentProblem] {
        value?.children.map { DocumentProblem($0) } ?? []
    }
}
