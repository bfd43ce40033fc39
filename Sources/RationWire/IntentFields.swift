internal import RationJSON

/// The members that an intent's object may have (semantics.md section 2).
enum IntentField: Int, CaseIterable {
    case op, app, device, id, type, prefix, content, trigger, expires, overdue, timeZone, token, environment
    case delivery, reserved, categories, quietHours, outcome, action, reason, textLength

    /// Told apart by length first: few words share one.
    @inline(__always)
    init?(_ key: UnsafeRawBufferPointer) {
        func one(_ word: StaticString, _ field: IntentField) -> IntentField? { equals(key, word) ? field : nil }
        let found: IntentField? =
            switch key.count {
            case 2: one("op", .op) ?? one("id", .id)
            case 3: one("app", .app)
            case 4: one("type", .type)
            case 5: one("token", .token)
            case 6:
                one("device", .device) ?? one("prefix", .prefix) ?? one("action", .action)
                    ?? one("reason", .reason)
            case 7:
                one("trigger", .trigger) ?? one("content", .content) ?? one("expires", .expires)
                    ?? one("overdue", .overdue) ?? one("outcome", .outcome)
            case 8: one("timeZone", .timeZone) ?? one("delivery", .delivery) ?? one("reserved", .reserved)
            case 10: one("categories", .categories) ?? one("quietHours", .quietHours) ?? one("textLength", .textLength)
            case 11: one("environment", .environment)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }
}

/// A set of members: a bit for each.
struct IntentFieldSet: OptionSet {
    let rawValue: UInt32

    @inline(__always)
    init(rawValue: UInt32) { self.rawValue = rawValue }

    @inline(__always)
    init(_ field: IntentField) { rawValue = 1 << UInt32(field.rawValue) }

    static let recipient: IntentFieldSet = [.init(.op), .init(.app), .init(.device)]
    static let schedule: IntentFieldSet = [
        .recipient, .init(.id), .init(.type), .init(.content), .init(.trigger), .init(.expires), .init(.overdue),
    ]
    static let cancel: IntentFieldSet = [.recipient, .init(.id), .init(.prefix), .init(.type)]
    static let device: IntentFieldSet = [
        .recipient, .init(.timeZone), .init(.token), .init(.environment), .init(.delivery), .init(.reserved),
        .init(.categories), .init(.quietHours),
    ]
    static let feedback: IntentFieldSet = [
        .recipient, .init(.id), .init(.outcome), .init(.action), .init(.reason), .init(.textLength),
    ]
}

/// The members of one intent, each found once; `null` counts as absent.
struct IntentFields {
    /// By field; only those that `present` names belong to this intent.
    private var values = ContiguousArray<JSONValue?>(repeating: nil, count: IntentField.allCases.count)
    private var present: IntentFieldSet = []
    /// The first member that no intent has.
    private(set) var unknown: JSONValue?

    /// Forgets the last intent.
    mutating func removeAll() {
        present = []
        unknown = nil
    }

    /// Finds the members of an intent's object.
    mutating func find(in object: JSONValue) {
        for member in object.children {
            guard let field = IntentField(member.key) else {
                unknown = unknown ?? member
                continue
            }
            guard !member.isNull else { continue }
            values[field.rawValue] = member
            present.formUnion(IntentFieldSet(field))
        }
    }

    subscript(field: IntentField) -> JSONValue? {
        present.contains(IntentFieldSet(field)) ? values[field.rawValue] : nil
    }

    /// The first field that is there and not among the allowed.
    func first(outside allowed: IntentFieldSet) -> IntentField? {
        let extra = present.subtracting(allowed)
        return extra.isEmpty ? nil : IntentField(rawValue: extra.rawValue.trailingZeroBitCount)
    }
}
