internal import RationJSON
import RationModel

/// The rules of semantics.md section 6 for single fields, in its order: first shapes, then names.
extension IntentFields {
    /// Refuses fields that do not belong to an operation.
    func expectOnly(_ allowed: IntentFieldSet, of operation: StaticString) throws(Rejection) {
        if let field = first(outside: allowed) {
            throw Rejection(.malformed, field: "\(field)", "\(operation) has no field '\(field)'")
        }
    }

    func required(_ field: IntentField) throws(Rejection) -> JSONValue {
        guard let value = self[field] else {
            throw Rejection(.malformed, field: "\(field)", "the field '\(field)' is missing")
        }
        return value
    }

    func requiredString(_ field: IntentField) throws(Rejection) -> UnsafeRawBufferPointer {
        guard let text = try required(field).string else { throw Self.mistyped(field, expected: "a string") }
        return text
    }

    /// nil when it is absent.
    func string(_ field: IntentField) throws(Rejection) -> UnsafeRawBufferPointer? {
        guard let value = self[field] else { return nil }
        guard let text = value.string else { throw Self.mistyped(field, expected: "a string") }
        return text
    }

    static func mistyped(_ field: IntentField, expected: String) -> Rejection {
        Rejection(.malformed, field: "\(field)", "expected \(expected)")
    }

    typealias Recipient = (app: UnsafeRawBufferPointer, device: UnsafeRawBufferPointer)

    /// App and device, checked.
    func recipient() throws(Rejection) -> Recipient {
        let app = try requiredString(.app)
        let device = try requiredString(.device)
        guard Name.isPlain(app, limit: Limits.appBytes) else {
            throw Rejection(
                .app, field: "app",
                "expected 1 to \(Limits.appBytes) letters, digits, '.', '-' or '_', found \(app.count) bytes")
        }
        guard Name.isText(device, limit: Limits.deviceBytes, slashAllowed: false) else {
            throw Rejection(
                .device, field: "device",
                "expected 1 to \(Limits.deviceBytes) bytes without control characters, '/' or spaces at the ends, "
                    + "found \(device.count) bytes")
        }
        return (app, device)
    }

    static func checkID(_ id: UnsafeRawBufferPointer) throws(Rejection) {
        guard Name.isText(id, limit: Limits.idBytes, slashAllowed: true) else {
            throw Rejection(
                .id, field: "id",
                "expected 1 to \(Limits.idBytes) bytes without control characters or spaces at the ends, "
                    + "found \(id.count) bytes")
        }
    }

    static func checkType(_ type: UnsafeRawBufferPointer) throws(Rejection) {
        guard Name.isPlain(type, limit: Limits.typeBytes) else {
            throw Rejection(
                .type, field: "type",
                "expected 1 to \(Limits.typeBytes) letters, digits, '.', '-' or '_', found \(type.count) bytes")
        }
    }

    func overdue() throws(Rejection) -> Overdue {
        guard let text = try string(.overdue) else { return .drop }
        if equals(text, "deliver") { return .deliver }
        guard equals(text, "drop") else { throw Self.mistyped(.overdue, expected: "drop or deliver") }
        return .drop
    }

    func expires() throws(Rejection) -> Instant {
        guard let value = self[.expires] else { return .distantFuture }
        guard let date = value.instant else { throw Self.mistyped(.expires, expected: WireDate.expected) }
        return date
    }

    /// What a `device` intent names.
    func deviceSettings() throws(Rejection) -> DeviceSettings {
        var settings = DeviceSettings()
        settings.timeZone = try text(.timeZone)
        settings.token = try text(.token)
        if let token = settings.token, token.utf8.count > Limits.tokenBytes {
            throw Self.mistyped(.token, expected: "at most \(Limits.tokenBytes) bytes, found \(token.utf8.count)")
        }
        settings.environment = try text(.environment)
        if let environment = settings.environment, environment != "production", environment != "sandbox" {
            throw Self.mistyped(.environment, expected: "production or sandbox")
        }
        if let delivery = try string(.delivery) {
            guard let known = [Delivery.push, .local].first(where: { equals(delivery, $0.name) }) else {
                throw Self.mistyped(.delivery, expected: "push or local")
            }
            settings.delivery = known
        }
        if let reserved = self[.reserved] {
            guard let number = reserved.wholeNumber, number >= 0, number <= Limits.reserved else {
                throw Self.mistyped(.reserved, expected: "a whole number from 0 to \(Limits.reserved)")
            }
            settings.reserved = Int32(truncatingIfNeeded: number)
        }
        settings.categories = try categories()
        return settings
    }

    private func text(_ field: IntentField) throws(Rejection) -> String? {
        try string(field).map { String(decoding: $0, as: UTF8.self) }
    }

    private func categories() throws(Rejection) -> [String]? {
        guard let value = self[.categories] else { return nil }
        let expected = "at most \(Limits.categories) strings of at most \(Limits.categoryBytes) bytes"
        guard value.kind == .array, value.count <= Limits.categories else {
            throw Self.mistyped(.categories, expected: expected)
        }
        var categories: [String] = []
        for element in value.children {
            guard let text = element.text, text.utf8.count <= Limits.categoryBytes else {
                throw Self.mistyped(.categories, expected: expected)
            }
            categories.append(text)
        }
        return categories
    }
}

extension JSONValue {
    /// A number without a fraction, however it is written.
    var wholeNumber: Int64? {
        if let integer { return integer }
        guard let number, number.magnitude < 0x1p63, number.rounded(.towardZero) == number else { return nil }
        return Int64(number)
    }

    /// A date as the wire writes it: RFC 3339, or whole milliseconds.
    var instant: Instant? {
        if let string { return Instant(rfc3339: string) }
        return wholeNumber.map { Instant(milliseconds: $0) }
    }

    /// The key of an unknown member, for messages: no more of it than one can take in.
    var keyName: String { String(decoding: key.prefix(64), as: UTF8.self) }

    /// The kind in words, for messages.
    var kindName: StaticString {
        switch kind {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

enum WireDate {
    static let expected = "an RFC 3339 date or whole milliseconds"
}
