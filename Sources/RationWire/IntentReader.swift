internal import RationJSON
public import RationModel

/// Reads intents from the wire: NDJSON, one intent a line, into a batch's memory. A line that breaks a rule is rejected
/// by itself, with the first code of semantics.md section 6 that applies, and hides no other.
///
/// What depends on the batch's instant or on what is stored (unchanged, trigger dates, time zones) is decided by the core.
public struct IntentReader: ~Copyable {
    private var parser = JSONParser()
    private var content = ContentReader()

    public init() {}

    /// Reads a request's body.
    /// - Parameters:
    ///   - body: at most `Limits.requestBytes`; lines end with `\n`, the last may do without.
    ///   - isPadded: whether 64 bytes after the body may be read.
    ///   - batch: gets one intent a line, a rejected one for a line that cannot be applied.
    /// - Returns: the number of lines.
    /// - Throws: `tooLarge` for more lines or bytes than a request may have; then the batch is as before.
    public mutating func read(
        _ body: UnsafeRawBufferPointer, isPadded: Bool, into batch: inout IntentBatch
    ) throws(RequestFault) -> Int {
        guard body.count <= Limits.requestBytes else {
            throw RequestFault(
                .tooLarge, "a request holds at most \(Limits.requestBytes) bytes, this one has \(body.count)")
        }
        let lines = Self.lineCount(body)
        guard lines <= Limits.requestLines else {
            throw RequestFault(.tooLarge, "a request holds at most \(Limits.requestLines) lines, this one has \(lines)")
        }
        var start = 0
        while start < body.count {
            let rest = UnsafeRawBufferPointer(rebasing: body[start...])
            let length = Lines.length(of: rest)
            // Bytes behind a line are the next lines, so that only the end of the body needs padding.
            let isLinePadded = isPadded || body.count - start - length >= 64
            readLine(UnsafeRawBufferPointer(rebasing: rest[..<length]), isPadded: isLinePadded, into: &batch)
            start += length + 1
        }
        return lines
    }

    private static func lineCount(_ body: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var start = 0
        while start < body.count {
            start += Lines.length(of: UnsafeRawBufferPointer(rebasing: body[start...])) + 1
            count += 1
        }
        return count
    }

    /// Reads one line.
    public mutating func readLine(_ line: UnsafeRawBufferPointer, isPadded: Bool, into batch: inout IntentBatch) {
        var fields: IntentFields?
        do throws(Rejection) {
            let value: JSONValue
            do throws(JSONError) {
                value = try parser.parse(line, isPadded: isPadded)
            } catch {
                throw Rejection(.json, field: "", Self.description(of: error))
            }
            guard value.kind == .object else {
                throw Rejection(.malformed, field: "", "expected an object, found \(value.kindName)")
            }
            let found = IntentFields(value)
            fields = found
            try readIntent(found, into: &batch)
        } catch {
            func text(_ field: IntentField) -> ByteRange {
                fields?[field]?.string.map { batch.bytes.append($0) } ?? .empty
            }
            let (app, device, id) = (text(.app), text(.device), text(.id))
            batch.reject(error, app: app, device: device, id: id)
        }
    }

    private static func description(of error: JSONError) -> String {
        guard let offset = error.offset else { return error.message }
        return "\(error.message) (byte \(offset) of the line)"
    }

    private mutating func readIntent(_ fields: IntentFields, into batch: inout IntentBatch) throws(Rejection) {
        if let unknown = fields.unknown {
            let name = String(decoding: unknown.key, as: UTF8.self)
            throw Rejection(.malformed, field: name, "no intent has a field '\(name)'")
        }
        guard let operation = try fields.required(.op).string else {
            throw IntentFields.mistyped(.op, expected: "a string")
        }
        if equals(operation, "schedule") {
            try schedule(fields, into: &batch)
        } else if equals(operation, "cancel") {
            try cancel(fields, into: &batch)
        } else if equals(operation, "device") {
            try device(fields, into: &batch)
        } else if equals(operation, "remove") {
            try fields.expectOnly([], of: "remove")
            try finish(Intent(operation: .remove), fields, into: &batch)
        } else if equals(operation, "feedback") {
            try feedback(fields, into: &batch)
        } else {
            throw Rejection(
                .malformed, field: "op",
                "expected schedule, cancel, device, remove or feedback, found "
                    + "'\(String(decoding: operation.prefix(40), as: UTF8.self))'")
        }
    }

    /// Checks app and device and adds the intent.
    private func finish(
        _ intent: Intent, _ fields: IntentFields, into batch: inout IntentBatch
    ) throws(Rejection) {
        var intent = intent
        let (app, device) = try fields.recipient()
        intent.app = batch.bytes.append(app)
        intent.device = batch.bytes.append(device)
        batch.intents.append(intent)
    }

    private mutating func schedule(_ fields: IntentFields, into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly([.id, .type, .content, .trigger, .expires, .overdue], of: "schedule")
        let id = try fields.requiredString(.id)
        let contentValue = try fields.required(.content)
        let triggerValue = try fields.required(.trigger)
        let type = try fields.string(.type)
        var intent = Intent(operation: .schedule)
        intent.overdue = try fields.overdue()
        if let expires = fields[.expires] {
            guard let date = expires.instant else { throw IntentFields.mistyped(.expires, expected: WireDate.expected) }
            intent.expires = date
        }
        let trigger = try TriggerFields(triggerValue)
        try content.readShape(contentValue)
        let (app, device) = try fields.recipient()
        try IntentFields.checkID(id)
        if let type { try IntentFields.checkType(type) }
        intent.level = try content.check()
        intent.trigger = try trigger.trigger()
        intent.app = batch.bytes.append(app)
        intent.device = batch.bytes.append(device)
        intent.id = batch.bytes.append(id)
        if let type { intent.type = batch.bytes.append(type) }
        intent.content = content.appendCanonical(to: &batch.bytes)
        batch.intents.append(intent)
    }

    private func cancel(_ fields: IntentFields, into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly([.id, .prefix, .type], of: "cancel")
        let selectors: [(IntentField, Intent.Operation)] = [
            (.id, .cancelID), (.prefix, .cancelPrefix), (.type, .cancelType),
        ]
        let named = selectors.filter { fields[$0.0] != nil }
        guard named.count == 1, let (field, operation) = named.first else {
            throw Rejection(
                .malformed, field: "", "cancel needs exactly one of id, prefix, type, found \(named.count)")
        }
        let selector = try fields.requiredString(field)
        if operation == .cancelPrefix && selector.isEmpty {
            throw Rejection(.malformed, field: "prefix", "expected a prefix that is not empty")
        }
        _ = try fields.recipient()
        if operation == .cancelID { try IntentFields.checkID(selector) }
        if operation == .cancelType { try IntentFields.checkType(selector) }
        var intent = Intent(operation: operation)
        intent.id = batch.bytes.append(selector)
        try finish(intent, fields, into: &batch)
    }

    private func device(_ fields: IntentFields, into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly(
            [.timeZone, .token, .environment, .delivery, .reserved, .categories, .quietHours], of: "device")
        let settings = try fields.deviceSettings()
        _ = try fields.recipient()
        if fields[.quietHours] != nil {
            throw Rejection(
                .quietHours, field: "quietHours", "a device's own quiet hours are not supported by this version")
        }
        var intent = Intent(operation: .device)
        intent.detail = Int32(truncatingIfNeeded: batch.settings.count)
        batch.settings.append(settings)
        try finish(intent, fields, into: &batch)
    }

    private func feedback(_ fields: IntentFields, into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly([.id, .outcome, .action], of: "feedback")
        let id = try fields.requiredString(.id)
        let outcome = try fields.requiredString(.outcome)
        let outcomes: [StaticString] = ["delivered", "opened", "dismissed", "action", "failed"]
        guard outcomes.contains(where: { equals(outcome, $0) }) else {
            throw Rejection(
                .malformed, field: "outcome", "expected delivered, opened, dismissed, action or failed, found another")
        }
        _ = try fields.string(.action)
        _ = try fields.recipient()
        try IntentFields.checkID(id)
        var intent = Intent(operation: .feedback)
        intent.id = batch.bytes.append(id)
        try finish(intent, fields, into: &batch)
    }
}
