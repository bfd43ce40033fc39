/// A fault of a configuration or a policy: where it is, what was expected, and what was found.
public struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// As it was named, `deploy/ration.yaml`.
    public var file: String
    /// From 1; 0 for a fault of the file as a whole.
    public var line: Int
    /// In characters, from 1.
    public var column: Int
    /// The keys that lead there, `policy.types.habit.priority`; empty for the whole document.
    public var path: String
    public var message: String

    public init(file: String, line: Int = 0, column: Int = 0, path: String = "", message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
    }

    /// `file:line:column: path: message`.
    public var description: String {
        let place = line > 0 ? "\(file):\(line):\(column): " : "\(file): "
        return place + (path.isEmpty ? "" : "\(Quoted.short(path, limit: 200)): ") + message
    }
}

/// All faults of a configuration, in the order of its lines; at least one.
public struct ConfigurationFaults: Error, Hashable, Sendable, CustomStringConvertible {
    public var faults: [ConfigurationFault]

    public init(_ faults: [ConfigurationFault]) {
        self.faults = faults
    }

    /// One line each.
    public var description: String {
        faults.map(\.description).joined(separator: "\n")
    }
}
