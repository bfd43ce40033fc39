internal import RationJSON
import RationModel

/// A device's quiet hours on the wire (semantics.md section 2, `device`). Whatever is wrong with them has one code.
extension IntentFields {
    /// - Returns: nil when the intent does not name them.
    func quietHours() throws(Rejection) -> DeviceQuietHours? {
        guard let value = self[.quietHours] else { return nil }
        if let word = value.string, equals(word, "policy") { return .policy }
        let path = "\(IntentField.quietHours)"
        guard value.kind == .array else {
            throw QuietHoursFields.refused(path, expected: "windows or 'policy'", value)
        }
        guard value.count <= Limits.quietWindows else {
            throw Rejection(
                .quietHours, field: path, "expected at most \(Limits.quietWindows) windows, found \(value.count)")
        }
        let windows = try QuietHoursFields.elements(of: value, at: path) { value, path throws(Rejection) in
            try QuietHoursFields(value, at: path).window()
        }
        if let fault = QuietWindow.faults(of: windows, at: path).first {
            throw Rejection(.quietHours, field: fault.path, fault.message)
        }
        return .own(windows)
    }
}

/// The members of one window.
private struct QuietHoursFields {
    private let value: JSONValue
    private let path: String

    init(_ value: JSONValue, at path: String) {
        self.value = value
        self.path = path
    }

    func window() throws(Rejection) -> QuietWindow {
        guard value.kind == .object else { throw Self.refused(path, expected: "a window", value) }
        try expectOnly(["from", "to", "days", "types", "exempt"])
        var window = QuietWindow(from: try time("from"), to: try time("to"))
        if let days = try list("days", word: Self.day) { window.days = WeekdaySet(days) }
        window.types = try list("types") { value, path throws(Rejection) in
            guard let name = value.text else { throw Self.refused(path, expected: "a type's name", value) }
            return name
        }
        if let levels = try list("exempt", word: Self.level) {
            window.exempt = levels.reduce(into: []) { $0.formUnion($1) }
        }
        return window
    }

    private func expectOnly(_ names: [StaticString]) throws(Rejection) {
        guard let unknown = value.children.first(where: { member in !names.contains { equals(member.key, $0) } }) else {
            return
        }
        let name = unknown.keyName
        throw Rejection(.quietHours, field: "\(path).\(name)", "a quiet window has no field '\(name)'")
    }

    private func time(_ name: StaticString) throws(Rejection) -> Int {
        guard let value = value[name], !value.isNull else {
            throw Rejection(.quietHours, field: "\(path).\(name)", "the field '\(name)' is missing")
        }
        guard let minutes = value.text.flatMap({ TimeOfDay.minutes($0) }) else {
            throw Self.refused("\(path).\(name)", expected: "a time such as 07:30", value)
        }
        return minutes
    }

    /// nil when it is absent.
    private func list<Element>(
        _ name: StaticString, word: (JSONValue, String) throws(Rejection) -> Element
    ) throws(Rejection) -> [Element]? {
        guard let value = value[name], !value.isNull else { return nil }
        guard value.kind == .array else { throw Self.refused("\(path).\(name)", expected: "an array", value) }
        return try Self.elements(of: value, at: "\(path).\(name)", word)
    }

    static func elements<Element>(
        of array: JSONValue, at path: String, _ element: (JSONValue, String) throws(Rejection) -> Element
    ) throws(Rejection) -> [Element] {
        var elements: [Element] = []
        for value in array.children { elements.append(try element(value, "\(path)[\(elements.count)]")) }
        return elements
    }

    private static func day(_ value: JSONValue, _ path: String) throws(Rejection) -> WeekdaySet {
        if let day = value.text.flatMap({ WeekdaySet(name: $0) }) { return day }
        throw refused(path, expected: "one of " + WeekdaySet.names.map { "\($0)" }.joined(separator: ", "), value)
    }

    private static func level(_ value: JSONValue, _ path: String) throws(Rejection) -> LevelSet {
        if let level = value.text.flatMap({ InterruptionLevel(name: $0) }) { return LevelSet(level) }
        let names = InterruptionLevel.allCases.map { "\($0.name)" }.joined(separator: ", ")
        throw refused(path, expected: "one of \(names)", value)
    }

    /// Tells what was found: a short text, or its kind.
    static func refused(_ path: String, expected: String, _ value: JSONValue) -> Rejection {
        let found =
            value.string.map { "'\(String(decoding: $0.prefix(64), as: UTF8.self))'" } ?? "\(value.kindName)"
        return Rejection(.quietHours, field: path, "expected \(expected), found \(found)")
    }
}
