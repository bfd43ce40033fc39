internal import RationJSON

/// The members that an intent's object may have (semantics.md section 2).
enum IntentField: Int, CaseIterable {
    case op, app, device, id, type, prefix, content, trigger, expires, overdue, timeZone, token, environment
    case delivery, reserved, categories, quietHours, outcome, action

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
            case 6: one("device", .device) ?? one("prefix", .prefix) ?? one("action", .action)
            case 7: one("trigger", .trigger) ?? one("content", .content) ?? one("expires", .expires)
                ?? one("overdue", .overdue) ?? one("outcome", .outcome)
            case 8: one("timeZone", .timeZone) ?? one("delivery", .delivery) ?? one("reserved", .reserved)
            case 10: one("categories", .categories) ?? one("quietHours", .quietHours)
            case 11: one("environment", .environment)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }

    var bit: UInt32 { 1 << UInt32(rawValue) }
}

/// The members of one intent, each found once; `null` counts as absent.
struct IntentFields {
    private var values = InlineArray<19, JSONValue?>(repeating: nil)
    /// A bit for each field that is there.
    private(set) var present: UInt32 = 0
    /// The first member that no intent has.
    private(set) var unknown: JSONValue?

    init(_ object: JSONValue) {
        for member in object.children {
            guard let field = IntentField(member.key) else {
                unknown = unknown ?? member
                continue
            }
            guard !member.isNull else { continue }
            values[field.rawValue] = member
            present |= field.bit
        }
    }

    subscript(field: IntentField) -> JSONValue? { values[field.rawValue] }

    /// The first field that is there and not among the allowed.
    func first(outside allowed: UInt32) -> IntentField? {
        let extra = present & ~allowed
        return extra == 0 ? nil : IntentField(rawValue: extra.trailingZeroBitCount)
    }
}
