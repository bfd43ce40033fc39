/// A value of a plugin's settings, as a configuration writes it.
public indirect enum SettingValue: Hashable, Sendable {
    case text(String)
    case wholeNumber(Int64)
    case number(Double)
    case truth(Bool)
    case list([SettingValue])
    /// In the order of the document; each name once.
    case mapping([Setting])
}

/// A name with its value.
public struct Setting: Hashable, Sendable {
    public var name: String
    public var value: SettingValue

    public init(_ name: String, _ value: SettingValue) {
        (self.name, self.value) = (name, value)
    }
}

/// A setting that a plugin does not take: where it is, what was expected and what was found.
public struct SettingFault: Error, Hashable, Sendable {
    /// The path below the plugin's settings: `horizon`, `messages.day1.title`, `days[2]`.
    public var path: String
    public var message: String

    public init(path: String, _ message: String) {
        (self.path, self.message) = (path, message)
    }
}

/// All faults of a plugin's settings; at least one.
public struct SettingFaults: Error, Hashable, Sendable, CustomStringConvertible {
    public var faults: [SettingFault]

    public init(_ faults: [SettingFault]) {
        precondition(!faults.isEmpty, "faults without a fault")
        self.faults = faults
    }

    public var description: String {
        faults.map { "\($0.path): \($0.message)" }.joined(separator: "\n")
    }
}

/// A setting that a plugin knows: for messages, help and documentation.
public struct SettingDescription: Hashable, Sendable {
    public var name: String
    /// What may stand there: `a duration`, `a time of day`.
    public var form: String
    public var meaning: String
    /// As one would write it; nil: it has to be given.
    public var standard: String?

    public init(_ name: String, _ form: String, _ meaning: String, standard: String?) {
        (self.name, self.form, self.meaning, self.standard) = (name, form, meaning, standard)
    }
}
