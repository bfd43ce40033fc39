internal import RationJSON
import RationModel

/// Reads a notification's content (semantics.md sections 2 and 6) and writes it in canonical form: fixed order,
/// defaults and empty texts left out, `userInfo` with sorted keys. Two contents of the same value have the same bytes.
struct ContentReader {
    private var title: UnsafeRawBufferPointer?
    private var subtitle: UnsafeRawBufferPointer?
    private var body: UnsafeRawBufferPointer?
    private var category: UnsafeRawBufferPointer?
    private var threadId: UnsafeRawBufferPointer?
    private var badge: JSONValue?
    private var sound: JSONValue?
    private var level: JSONValue?
    private var relevanceScore: JSONValue?
    private var userInfo: JSONValue?

    /// Finds the members; a member of its own rule (badge, sound, …) is checked by `check`.
    mutating func readShape(_ value: JSONValue) throws(Rejection) {
        guard value.kind == .object else {
            throw Rejection(.malformed, field: "content", "expected an object, found \(value.kindName)")
        }
        self = ContentReader()
        for member in value.children where try !take(member) {
            let name = String(decoding: member.key, as: UTF8.self)
            throw Rejection(.malformed, field: "content.\(name)", "content has no field '\(name)'")
        }
    }

    private mutating func take(_ member: JSONValue) throws(Rejection) -> Bool {
        let key = member.key
        let value = member.isNull ? nil : member
        switch key.count {
        case 4 where equals(key, "body"): body = try Self.text(value)
        case 5 where equals(key, "title"): title = try Self.text(value)
        case 5 where equals(key, "badge"): badge = value
        case 5 where equals(key, "sound"): sound = value
        case 8 where equals(key, "subtitle"): subtitle = try Self.text(value)
        case 8 where equals(key, "category"): category = try Self.text(value)
        case 8 where equals(key, "threadId"): threadId = try Self.text(value)
        case 8 where equals(key, "userInfo"): userInfo = value
        case 14 where equals(key, "relevanceScore"): relevanceScore = value
        case 17 where equals(key, "interruptionLevel"): level = value
        default: return false
        }
        return true
    }

    /// A text; nil when it is absent or empty.
    private static func text(_ value: JSONValue?) throws(Rejection) -> UnsafeRawBufferPointer? {
        guard let value else { return nil }
        guard let text = value.string else {
            let name = String(decoding: value.key, as: UTF8.self)
            throw Rejection(.malformed, field: "content.\(name)", "expected a string, found \(value.kindName)")
        }
        return text.isEmpty ? nil : text
    }

    /// Checks the rules of section 6 in their order.
    /// - Returns: the interruption level, which is also kept.
    mutating func check() throws(Rejection) -> InterruptionLevel {
        guard title != nil || subtitle != nil || body != nil || badge != nil || sound != nil else {
            throw Rejection(
                .contentEmpty, field: "content",
                "expected a title, subtitle or body that is not empty, or a badge or a sound")
        }
        if let badge, badge.wholeNumber.map({ $0 < 0 }) ?? true {
            throw Rejection(.contentBadge, field: "content.badge", "expected a whole number of at least 0")
        }
        if let relevanceScore, relevanceScore.number.map({ !(0...1).contains($0) }) ?? true {
            throw Rejection(.contentRelevanceScore, field: "content.relevanceScore", "expected a number from 0 to 1")
        }
        if let sound { try Self.check(sound: sound) }
        let level = try interruptionLevel()
        if let threadId, threadId.count > Limits.threadIdBytes {
            throw Rejection(
                .contentThreadId, field: "content.threadId",
                "expected at most \(Limits.threadIdBytes) bytes, found \(threadId.count)")
        }
        if let userInfo {
            guard userInfo.kind == .object, !userInfo.children.contains(where: { equals($0.key, "aps") }) else {
                throw Rejection(.contentUserInfo, field: "content.userInfo", "expected an object without a key 'aps'")
            }
        }
        try checkPayload(level)
        return level
    }

    private func interruptionLevel() throws(Rejection) -> InterruptionLevel {
        guard let level else { return .active }
        let known = level.string.flatMap { text in InterruptionLevel.allCases.first { equals(text, $0.name) } }
        guard let known else {
            throw Rejection(
                .contentInterruptionLevel, field: "content.interruptionLevel",
                "expected passive, active, timeSensitive or critical")
        }
        return known
    }

    /// A name, or `{name, critical, volume}`.
    private static func check(sound: JSONValue) throws(Rejection) {
        func refused(_ field: String, _ message: String) -> Rejection {
            Rejection(.contentSound, field: field, message)
        }
        if let name = sound.string {
            guard !name.isEmpty else { throw refused("content.sound", "expected a name that is not empty") }
            return
        }
        guard sound.kind == .object, let name = sound["name"]?.string, !name.isEmpty else {
            throw refused("content.sound", "expected a name, or {name, critical, volume}")
        }
        for member in sound.children where !member.isNull {
            if equals(member.key, "critical") {
                guard member.bool != nil else { throw refused("content.sound.critical", "expected true or false") }
            } else if equals(member.key, "volume") {
                guard let volume = member.number, (0...1).contains(volume) else {
                    throw refused("content.sound.volume", "expected a number from 0 to 1")
                }
            } else if !equals(member.key, "name") {
                let name = String(decoding: member.key, as: UTF8.self)
                throw refused("content.sound.\(name)", "a sound has no field '\(name)'")
            }
        }
    }

    /// Writes the canonical content to a batch's bytes.
    func appendCanonical(to bytes: inout ByteArena) -> ByteRange {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes.bytes)
        let start = writer.bytes.count
        write(to: &writer)
        let count = writer.bytes.count - start
        swap(&writer.bytes, &bytes.bytes)
        return ByteRange(offset: start, count: count)
    }

    private func write(to writer: inout JSONWriter) {
        var members = MemberWriter(&writer)
        members.text("title", title, to: &writer)
        members.text("subtitle", subtitle, to: &writer)
        members.text("body", body, to: &writer)
        members.value("badge", badge, to: &writer)
        if let sound {
            members.name("sound", to: &writer)
            Self.write(sound, critical: "true", to: &writer)
        }
        members.text("threadId", threadId, to: &writer)
        members.text("category", category, to: &writer)
        if let level, level.string.map({ !equals($0, "active") }) ?? false {
            members.value("interruptionLevel", level, to: &writer)
        }
        members.value("relevanceScore", relevanceScore, to: &writer)
        members.value("userInfo", userInfo, to: &writer)
        members.end(&writer)
    }

    /// The APNs payload that this content makes, as UTF-8 JSON without spaces, is at most 4,096 bytes.
    private func checkPayload(_ level: InterruptionLevel) throws(Rejection) {
        var size = 0
        for text in [title, subtitle, body, category, threadId] { size += text?.count ?? 0 }
        // Escapes make a byte six at most; names and brackets of all fields are below 256 bytes.
        guard userInfo != nil || sound != nil || size * 6 + 256 > Limits.payloadBytes else { return }
        let bytes = payload(level).bytes.count
        guard bytes <= Limits.payloadBytes else {
            throw Rejection(
                .contentTooLarge, field: "content",
                "expected an APNs payload of at most \(Limits.payloadBytes) bytes, found \(bytes)")
        }
    }

    /// `{"aps":{"alert":{…},…},…userInfo}` in Apple's names.
    private func payload(_ level: InterruptionLevel) -> JSONWriter {
        var writer = JSONWriter(capacity: 512)
        var root = MemberWriter(&writer)
        root.name("aps", to: &writer)
        var aps = MemberWriter(&writer)
        if title != nil || subtitle != nil || body != nil {
            aps.name("alert", to: &writer)
            var alert = MemberWriter(&writer)
            alert.text("title", title, to: &writer)
            alert.text("subtitle", subtitle, to: &writer)
            alert.text("body", body, to: &writer)
            alert.end(&writer)
        }
        aps.value("badge", badge, to: &writer)
        if let sound {
            aps.name("sound", to: &writer)
            Self.write(sound, critical: "1", to: &writer)
        }
        aps.text("thread-id", threadId, to: &writer)
        aps.text("category", category, to: &writer)
        if level != .active {
            aps.name("interruption-level", to: &writer)
            writer.string(level == .timeSensitive ? "time-sensitive" : "\(level.name)")
        }
        aps.value("relevance-score", relevanceScore, to: &writer)
        aps.end(&writer)
        if let userInfo {
            for member in userInfo.children {
                root.name(member.key, to: &writer)
                member.canonical(into: &writer)
            }
        }
        root.end(&writer)
        return writer
    }

    /// A sound's name, or its members in fixed order.
    /// - Parameter critical: how a true `critical` is written; a false one is left out.
    private static func write(_ sound: JSONValue, critical: StaticString, to writer: inout JSONWriter) {
        guard sound.kind == .object else { return sound.canonical(into: &writer) }
        var members = MemberWriter(&writer)
        members.value("name", sound["name"], to: &writer)
        if sound["critical"]?.bool == true {
            members.name("critical", to: &writer)
            writer.raw(critical)
        }
        if let volume = sound["volume"], !volume.isNull { members.value("volume", volume, to: &writer) }
        members.end(&writer)
    }
}
