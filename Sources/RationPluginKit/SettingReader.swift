public import RationModel

/// Reads a plugin's settings, and collects all their faults, each with its path, what was expected and what was found. What is
/// absent takes its standard, and so does what is faulty, so that the reading goes on.
public struct SettingReader {
    /// Bytes of a text that a setting gives.
    public static let textBytes = 2048

    private let settings: [Setting]
    /// What precedes the names: empty, or `steps.day1.`.
    private let prefix: String
    /// The names that were asked for.
    private var known: [String] = []
    public private(set) var faults: [SettingFault] = []

    public init(_ settings: [Setting]) {
        self.init(settings, prefix: "")
    }

    private init(_ settings: [Setting], prefix: String) {
        (self.settings, self.prefix) = (settings, prefix)
    }

    /// The value of a setting, of whatever form; nil if it is absent.
    public mutating func value(_ name: String) -> SettingValue? {
        known.append(name)
        return settings.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Notes a fault of a setting of this level.
    public mutating func fault(_ name: String, _ message: String) {
        faults.append(SettingFault(path: prefix + name, message))
    }

    /// Notes a fault of the form `expected …, found …`.
    public mutating func fault(_ name: String, expected: String, found: SettingValue) {
        fault(name, "expected \(expected), found \(found.shown)")
    }

    /// A setting's value as something else.
    /// - Parameters:
    ///   - expected: for the fault: `a duration from 1h to 30d`.
    ///   - read: nil for a value that it does not take.
    public mutating func read<Value>(
        _ name: String, expected: String, standard: Value, _ read: (SettingValue) -> Value?
    ) -> Value {
        guard let value = value(name) else { return standard }
        guard let found = read(value) else {
            fault(name, expected: expected, found: value)
            return standard
        }
        return found
    }

    /// The members of a mapping, each of them a mapping with names of its own.
    /// - Parameter read: reads one; what it does not ask for is a fault.
    /// - Returns: nil if the setting is absent.
    public mutating func mappings<Value>(
        _ name: String, _ read: (_ name: String, _ members: inout SettingReader) -> Value
    ) -> [Value]? {
        guard let value = value(name) else { return nil }
        guard case .mapping(let entries) = value else {
            fault(name, expected: "a mapping", found: value)
            return nil
        }
        return entries.compactMap { entry in
            guard case .mapping(let members) = entry.value else {
                fault("\(name).\(entry.name)", expected: "a mapping", found: entry.value)
                return nil
            }
            var reader = SettingReader(members, prefix: "\(prefix)\(name).\(entry.name).")
            let value = read(entry.name, &reader)
            reader.refuseUnknown()
            faults += reader.faults
            return value
        }
    }

    /// Ends the reading.
    /// - Throws: all faults, if there are any.
    public func finish() throws(SettingFaults) {
        guard faults.isEmpty else { throw SettingFaults(faults) }
    }

    private mutating func refuseUnknown() {
        for setting in settings where !known.contains(where: { $0.utf8.elementsEqual(setting.name.utf8) }) {
            fault(setting.name, "expected one of \(known.joined(separator: ", ")), found '\(setting.name)'")
        }
    }
}

extension SettingValue {
    /// The value as a message shows it: cut, and by its form if it is no scalar.
    var shown: String {
        switch self {
        case .text(let text): text.utf8.count <= 64 ? "'\(text)'" : "a text of \(text.utf8.count) bytes"
        case .wholeNumber(let number): "\(number)"
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .list(let values): values.isEmpty ? "an empty list" : "a list"
        case .mapping: "a mapping"
        }
    }
}
