internal import RationJSON
public import RationModel

/// Reads intents from the wire: NDJSON, one intent a line, into a batch's memory. A line that breaks a rule is rejected
/// by itself, with the first code of semantics.md section 6 that applies, and hides no other.
///
/// What depends on the batch's instant or on what is stored (unchanged, trigger dates) is decided by the core.
public struct IntentReader: ~Copyable {
    private var parser = JSONParser()
    private var fields = IntentFields()
    /// Memory to write content in, kept between lines.
    private var writer = JSONWriter()
    /// The time zones that an intent may name.
    public var zones: any ZoneChecking
    /// What apps have declared, and what becomes of a category that they have not.
    public var categories: CategoryCheck

    public init(zones: any ZoneChecking, categories: CategoryCheck = CategoryCheck()) {
        self.zones = zones
        self.categories = categories
    }

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
        let end = batch.end
        var lines = 0
        var start = 0
        while start < body.count {
            guard lines < Limits.requestLines else {
                batch.removeAll(after: end)
                throw RequestFault(.tooLarge, "a request holds at most \(Limits.requestLines) lines, this one has more")
            }
            let rest = UnsafeRawBufferPointer(rebasing: body[start...])
            let length = Lines.length(of: rest)
            // Bytes behind a line are the next lines, so that only the end of the body needs padding.
            let isLinePadded = isPadded || body.count - start - length >= 64
            readLine(UnsafeRawBufferPointer(rebasing: rest[..<length]), isPadded: isLinePadded, into: &batch)
            start += length + 1
            lines += 1
        }
        return lines
    }

    /// Reads one line.
    public mutating func readLine(_ line: UnsafeRawBufferPointer, isPadded: Bool, into batch: inout IntentBatch) {
        fields.removeAll()
        do throws(Rejection) {
            try find(line, isPadded: isPadded)
            try readIntent(lineBytes: line.count, into: &batch)
        } catch {
            let app = readable(.app, limit: Limits.appBytes, into: &batch)
            let device = readable(.device, limit: Limits.deviceBytes, into: &batch)
            let id = readable(.id, limit: Limits.idBytes, into: &batch)
            batch.reject(error, app: app, device: device, id: id)
        }
    }

    /// What a rejected line names; empty for what is no string or too long to be a name.
    private func readable(_ field: IntentField, limit: Int, into batch: inout IntentBatch) -> ByteRange {
        guard let text = fields[field]?.string, text.count <= limit else { return .empty }
        return batch.bytes.append(text)
    }

    /// Parses a line and finds its members.
    private mutating func find(_ line: UnsafeRawBufferPointer, isPadded: Bool) throws(Rejection) {
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(line, isPadded: isPadded)
        } catch {
            throw Rejection(.json, field: "", Self.description(of: error))
        }
        guard value.kind == .object else {
            throw Rejection(.malformed, field: "", "expected an object, found \(value.kindName)")
        }
        fields.find(in: value)
    }

    private static func description(of error: JSONError) -> String {
        guard let offset = error.offset else { return error.message }
        return "\(error.message) (byte \(offset) of the line)"
    }

    private mutating func readIntent(lineBytes: Int, into batch: inout IntentBatch) throws(Rejection) {
        if let unknown = fields.unknown {
            let name = unknown.keyName
            throw Rejection(.malformed, field: name, "no intent has a field '\(name)'")
        }
        let operation = try fields.requiredString(.op)
        if equals(operation, "schedule") {
            try schedule(lineBytes: lineBytes, into: &batch)
        } else if equals(operation, "cancel") {
            try cancel(into: &batch)
        } else if equals(operation, "device") {
            try device(into: &batch)
        } else if equals(operation, "remove") {
            try fields.expectOnly(.recipient, of: "remove")
            add(Intent(operation: .remove), try fields.recipient(), to: &batch)
        } else if equals(operation, "feedback") {
            try feedback(into: &batch)
        } else {
            throw Rejection(
                .malformed, field: "op",
                "expected schedule, cancel, device, remove or feedback, found "
                    + "'\(String(decoding: operation.prefix(40), as: UTF8.self))'")
        }
    }

    /// Adds an intent to the batch, with the recipient that it names and the bytes of its id, prefix or type.
    private func add(
        _ intent: Intent, _ recipient: IntentFields.Recipient, id: UnsafeRawBufferPointer? = nil,
        to batch: inout IntentBatch
    ) {
        var intent = intent
        intent.app = batch.bytes.append(recipient.app)
        intent.device = batch.bytes.append(recipient.device)
        if let id { intent.id = batch.bytes.append(id) }
        batch.intents.append(intent)
    }

    private mutating func schedule(lineBytes: Int, into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly(.schedule, of: "schedule")
        let id = try fields.requiredString(.id)
        let contentValue = try fields.required(.content)
        let triggerValue = try fields.required(.trigger)
        let type = try fields.string(.type)
        var intent = Intent(operation: .schedule)
        intent.overdue = try fields.overdue()
        intent.expires = try fields.expires()
        let trigger = try TriggerFields(triggerValue)
        let content = try ContentFields(contentValue)
        let recipient = try fields.recipient()
        try IntentFields.checkID(id)
        if let type { try IntentFields.checkType(type) }
        intent.level = try content.check()
        try content.checkPayload(intent.level, lineBytes: lineBytes, in: &writer)
        let undeclared = try categories.check(content.category, of: recipient.app)
        intent.trigger = try trigger.trigger(zones, into: &batch.bytes)
        if let type { intent.type = batch.bytes.append(type) }
        if let undeclared {
            batch.warnings.append(IntentWarning(.undeclaredCategory, intent: batch.intents.count, undeclared))
        } else if let category = content.category, categories.isLookedAt {
            intent.category = batch.bytes.append(category)
        }
        intent.content = append(content, to: &batch.bytes)
        add(intent, recipient, id: id, to: &batch)
    }

    /// Writes the canonical content into the batch's own bytes.
    private mutating func append(_ content: ContentFields, to bytes: inout ByteArena) -> ByteRange {
        swap(&writer.bytes, &bytes.bytes)
        let start = writer.bytes.count
        content.write(to: &writer)
        let count = writer.bytes.count - start
        swap(&writer.bytes, &bytes.bytes)
        return ByteRange(offset: start, count: count)
    }

    private func cancel(into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly(.cancel, of: "cancel")
        let (field, operation) = try cancelSelector()
        let selector = try fields.requiredString(field)
        if operation == .cancelPrefix && selector.isEmpty {
            throw Rejection(.malformed, field: "prefix", "expected a prefix that is not empty")
        }
        let recipient = try fields.recipient()
        if operation == .cancelID { try IntentFields.checkID(selector) }
        if operation == .cancelType { try IntentFields.checkType(selector) }
        add(Intent(operation: operation), recipient, id: selector, to: &batch)
    }

    /// What a cancel names its notifications by.
    private func cancelSelector() throws(Rejection) -> (IntentField, Intent.Operation) {
        switch (fields[.id] != nil, fields[.prefix] != nil, fields[.type] != nil) {
        case (true, false, false): return (.id, .cancelID)
        case (false, true, false): return (.prefix, .cancelPrefix)
        case (false, false, true): return (.type, .cancelType)
        case (let id, let prefix, let type):
            let count = [id, prefix, type].count { $0 }
            throw Rejection(.malformed, field: "", "cancel needs exactly one of id, prefix, type, found \(count)")
        }
    }

    private func device(into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly(.device, of: "device")
        var settings = try fields.deviceSettings()
        let recipient = try fields.recipient()
        if let zone = try fields.string(.timeZone) { try zones.check(zone, field: "timeZone") }
        settings.quietHours = try fields.quietHours()
        var intent = Intent(operation: .device)
        intent.detail = Int32(truncatingIfNeeded: batch.settings.count)
        batch.settings.append(settings)
        add(intent, recipient, to: &batch)
    }

    private func feedback(into batch: inout IntentBatch) throws(Rejection) {
        try fields.expectOnly(.feedback, of: "feedback")
        let id = try fields.requiredString(.id)
        let told = try fields.feedback()
        let recipient = try fields.recipient()
        try IntentFields.checkID(id)
        var feedback = Feedback(told.kind)
        if let action = told.action { feedback.action = batch.bytes.append(action) }
        if let reason = told.reason { feedback.failure = batch.bytes.append(reason) }
        feedback.textLength = told.textLength ?? -1
        var intent = Intent(operation: .feedback)
        intent.detail = Int32(truncatingIfNeeded: batch.feedback.count)
        batch.feedback.append(feedback)
        add(intent, recipient, id: id, to: &batch)
    }
}
