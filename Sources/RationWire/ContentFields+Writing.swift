internal import RationJSON
import RationModel

/// The two forms in which content is written: Ration's own, which is stored and compared, and Apple's, which is counted.
extension ContentFields {
    /// Writes the canonical content: fixed order, defaults and empty texts left out, `userInfo` with sorted keys. Two
    /// contents of the same value have the same bytes.
    func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.text("title", title, to: &writer)
        members.text("subtitle", subtitle, to: &writer)
        members.text("body", body, to: &writer)
        members.value("badge", badge, to: &writer)
        if let name = sound?.string {
            members.text("sound", name, to: &writer)
        } else if let sound {
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
        writeKind(&members, to: &writer)
        members.end(&writer)
    }

    /// Writes `{"aps":{"alert":{…},…},…userInfo}` in Apple's names.
    /// - Parameter time: when it is sent, which a live activity is told.
    func writePayload(_ level: InterruptionLevel, at time: Instant, to writer: inout JSONWriter) {
        var root = MemberWriter()
        root.name("aps", to: &writer)
        switch knownKind {
        case .alert: writeAPS(level, to: &writer)
        case .background: writer.raw(#"{"content-available":1}"#)
        case .liveActivity, .broadcast: writeActivityAPS(at: time, to: &writer)
        }
        root.value("attachments", attachments, to: &writer)
        if let userInfo {
            for member in userInfo.children {
                root.name(member.key, to: &writer)
                member.canonical(into: &writer)
            }
        }
        root.end(&writer)
    }

    private func writeAPS(_ level: InterruptionLevel, to writer: inout JSONWriter) {
        var aps = MemberWriter()
        if hasAlert {
            aps.name("alert", to: &writer)
            var alert = MemberWriter()
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
        if attachments != nil { aps.integer("mutable-content", 1, to: &writer) }
        aps.text("target-content-id", targetContentId, to: &writer)
        aps.end(&writer)
    }

    /// A sound's name, or its members in fixed order.
    /// - Parameter critical: how a true `critical` is written; a false one is left out.
    static func write(_ sound: JSONValue, critical: StaticString, to writer: inout JSONWriter) {
        guard sound.kind == .object else { return sound.canonical(into: &writer) }
        var members = MemberWriter()
        members.value("name", sound["name"], to: &writer)
        if sound["critical"]?.bool == true {
            members.name("critical", to: &writer)
            writer.raw(critical)
        }
        if let volume = sound["volume"], !volume.isNull { members.value("volume", volume, to: &writer) }
        members.end(&writer)
    }
}
