internal import RationJSON
import RationModel

/// The members of a notification's content (semantics.md section 2); empty texts and `null` count as absent.
struct ContentFields {
    private(set) var title: UnsafeRawBufferPointer?
    private(set) var subtitle: UnsafeRawBufferPointer?
    private(set) var body: UnsafeRawBufferPointer?
    private(set) var category: UnsafeRawBufferPointer?
    private(set) var threadId: UnsafeRawBufferPointer?
    private(set) var badge: JSONValue?
    private(set) var sound: JSONValue?
    private(set) var level: JSONValue?
    private(set) var relevanceScore: JSONValue?
    private(set) var userInfo: JSONValue?
    private(set) var kindValue: JSONValue?
    private(set) var targetContentId: UnsafeRawBufferPointer?
    private(set) var attachments: JSONValue?
    private(set) var activity: JSONValue?
    private(set) var channel: UnsafeRawBufferPointer?

    init() {}

    /// Finds the members; a member that has a rule of its own (badge, sound, …) is checked by `check`.
    init(_ value: JSONValue) throws(Rejection) {
        guard value.kind == .object else {
            throw Rejection(.malformed, field: "content", "expected an object, found \(value.kindName)")
        }
        for member in value.children where try !take(member) {
            let name = member.keyName
            throw Rejection(.malformed, field: "content.\(name)", "content has no field '\(name)'")
        }
    }

    private mutating func take(_ member: JSONValue) throws(Rejection) -> Bool {
        let key = member.key
        let value = member.isNull ? nil : member
        switch key.count {
        case 4 where equals(key, "body"): body = try Self.text(value)
        case 4 where equals(key, "kind"): kindValue = value
        case 7 where equals(key, "channel"): channel = try Self.text(value)
        case 8 where equals(key, "activity"): activity = value
        case 11 where equals(key, "attachments"): attachments = value
        case 5 where equals(key, "title"): title = try Self.text(value)
        case 5 where equals(key, "badge"): badge = value
        case 5 where equals(key, "sound"): sound = value
        case 8 where equals(key, "subtitle"): subtitle = try Self.text(value)
        case 8 where equals(key, "category"): category = try Self.text(value)
        case 8 where equals(key, "threadId"): threadId = try Self.text(value)
        case 8 where equals(key, "userInfo"): userInfo = value
        case 14 where equals(key, "relevanceScore"): relevanceScore = value
        case 15 where equals(key, "targetContentId"): targetContentId = try Self.text(value)
        case 17 where equals(key, "interruptionLevel"): level = value
        default: return false
        }
        return true
    }

    /// A text; nil when it is absent or empty.
    private static func text(_ value: JSONValue?) throws(Rejection) -> UnsafeRawBufferPointer? {
        guard let value else { return nil }
        guard let text = value.string else {
            let name = value.keyName
            throw Rejection(.malformed, field: "content.\(name)", "expected a string, found \(value.kindName)")
        }
        return text.isEmpty ? nil : text
    }

    /// Whether there is a text to show.
    var hasAlert: Bool { title != nil || subtitle != nil || body != nil }
}
