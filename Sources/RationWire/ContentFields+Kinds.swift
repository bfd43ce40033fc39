internal import RationJSON
import RationModel

/// The rules for what is no alert: background pushes, live activities and broadcasts (Apple, "Pushing background updates to
/// your App", "Starting and updating Live Activities with ActivityKit push notifications").
extension ContentFields {
    /// The kind that was checked before.
    var knownKind: PushKind { Self.kind(kindValue) ?? .alert }

    private static func kind(_ value: JSONValue?) -> PushKind? {
        value?.string.flatMap { text in PushKind.allCases.first { equals(text, $0.name) } }
    }

    func kind() throws(Rejection) -> PushKind {
        guard let kindValue else { return .alert }
        guard let kind = Self.kind(kindValue) else {
            throw Rejection(
                .contentKind, field: "content.kind", "expected alert, background, liveActivity or broadcast")
        }
        return kind
    }

    /// Whether the content has what its kind takes, and nothing else.
    func check(_ kind: PushKind) throws(Rejection) {
        if let field = superfluous(kind) {
            throw Rejection(.contentKind, field: "content.\(field)", "content of the kind \(kind.name) has no \(field)")
        }
        guard kind == .liveActivity || kind == .broadcast else { return }
        if kind == .broadcast { try checkChannel() }
        try checkActivity(kind)
    }

    /// The first field that content of this kind does not have.
    private func superfluous(_ kind: PushKind) -> StaticString? {
        let own: [(StaticString, Bool)] = [("activity", activity != nil), ("channel", channel != nil)]
        let shown: [(StaticString, Bool)] = [
            ("subtitle", subtitle != nil), ("category", category != nil), ("threadId", threadId != nil),
            ("badge", badge != nil), ("interruptionLevel", level != nil), ("targetContentId", targetContentId != nil),
            ("attachments", attachments != nil),
        ]
        let texts: [(StaticString, Bool)] = [
            ("title", title != nil), ("body", body != nil), ("sound", sound != nil),
            ("relevanceScore", relevanceScore != nil),
        ]
        let refused: [(StaticString, Bool)] =
            switch kind {
            case .alert: own
            case .background: own + texts + shown
            case .liveActivity: [own[1]] + shown
            case .broadcast: shown
            }
        return refused.first(where: \.1)?.0
    }

    private func checkChannel() throws(Rejection) {
        guard let channel, channel.count <= Limits.channelBytes, channel.allSatisfy(Self.isBase64) else {
            throw Rejection(
                .contentChannel, field: "content.channel",
                "expected the identifier of a channel, 1 to \(Limits.channelBytes) characters of Base64")
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default:
            [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(
                byte)
        }
    }

    private func checkActivity(_ kind: PushKind) throws(Rejection) {
        func refused(_ field: String, _ expected: String) -> Rejection {
            Rejection(
                .contentActivity, field: field.isEmpty ? "content.activity" : "content.activity.\(field)", expected)
        }
        guard let activity, activity.kind == .object else {
            throw refused("", "expected {event, contentState, staleDate, dismissalDate, attributesType, attributes}")
        }
        let words = kind == .broadcast ? ["update", "end"] : ["start", "update", "end"]
        guard let event = activity["event"]?.text, words.contains(event) else {
            throw refused("event", "expected \(words.joined(separator: " or "))")
        }
        guard activity["contentState"]?.kind == .object else { throw refused("contentState", "expected an object") }
        for member in activity.children where !member.isNull {
            if let fault = Self.fault(ofActivity: member, isStart: event == "start") {
                throw refused(member.keyName, fault)
            }
        }
        guard event != "start" || (activity["attributes"] != nil && activity["attributesType"] != nil) else {
            throw refused("attributes", "expected attributes and attributesType with the event start")
        }
    }

    /// What is wrong with a member of `activity`; nil: nothing.
    private static func fault(ofActivity member: JSONValue, isStart: Bool) -> String? {
        let key = member.key
        if equals(key, "event") || equals(key, "contentState") { return nil }
        if equals(key, "staleDate") || equals(key, "dismissalDate") {
            return member.instant == nil ? "expected \(WireDate.expected)" : nil
        }
        guard equals(key, "attributes") || equals(key, "attributesType") else { return "an activity has no such field" }
        guard isStart else { return "expected none without the event start" }
        if equals(key, "attributes") { return member.kind == .object ? nil : "expected an object" }
        let isName = member.string.map { !$0.isEmpty && $0.count <= Limits.attributesTypeBytes } ?? false
        return isName ? nil : "expected 1 to \(Limits.attributesTypeBytes) bytes"
    }

    func checkTarget() throws(Rejection) {
        guard let targetContentId, targetContentId.count > Limits.targetContentIdBytes else { return }
        throw Rejection(
            .contentTargetContentId, field: "content.targetContentId",
            "expected at most \(Limits.targetContentIdBytes) bytes, found \(targetContentId.count)")
    }

    /// Addresses that the app's notification service extension loads: `https` only.
    static func check(attachments: JSONValue) throws(Rejection) {
        let isList = attachments.kind == .array && (1...Limits.attachments).contains(attachments.count)
        guard isList, attachments.children.allSatisfy(isAddress) else {
            throw Rejection(
                .contentAttachments, field: "content.attachments",
                "expected 1 to \(Limits.attachments) addresses that begin with https:// and have at most "
                    + "\(Limits.attachmentBytes) bytes without spaces")
        }
    }

    private static func isAddress(_ value: JSONValue) -> Bool {
        guard let text = value.string, text.count > 8, text.count <= Limits.attachmentBytes else { return false }
        return equals(UnsafeRawBufferPointer(rebasing: text[..<8]), "https://")
            && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
