internal import RationJSON
import RationModel

/// The rules of semantics.md section 6 for content, in its order.
extension ContentFields {
    /// Checks all rules but the payload's size.
    /// - Returns: the interruption level.
    func check() throws(Rejection) -> InterruptionLevel {
        let kind = try kind()
        try check(kind)
        guard kind.showsByItself || hasAlert || badge != nil || sound != nil else {
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
        try checkTarget()
        if let attachments { try Self.check(attachments: attachments) }
        if let userInfo { try check(userInfo: userInfo) }
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

    /// The names that the payload has beside the app's own.
    private func check(userInfo: JSONValue) throws(Rejection) {
        guard userInfo.kind == .object, !userInfo.children.contains(where: { equals($0.key, "aps") }) else {
            throw Rejection(.contentUserInfo, field: "content.userInfo", "expected an object without a key 'aps'")
        }
        guard attachments == nil || !userInfo.children.contains(where: { equals($0.key, "attachments") }) else {
            throw Rejection(
                .contentUserInfo, field: "content.userInfo",
                "expected an object without a key 'attachments' beside content.attachments")
        }
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
                let name = member.keyName
                throw refused("content.sound.\(name)", "a sound has no field '\(name)'")
            }
        }
    }

    /// The APNs payload that this content makes, as UTF-8 JSON without spaces, is at most 4,096 bytes.
    /// - Parameters:
    ///   - lineBytes: bytes of the line that the content was read from.
    ///   - writer: memory to work in; what it holds is lost.
    func checkPayload(_ level: InterruptionLevel, lineBytes: Int, in writer: inout JSONWriter) throws(Rejection) {
        // What is written of a value is never longer than four times what was read: escapes only become shorter, and the
        // number that grows most is `9e15`, to 16 digits. Brackets and names are below 256 bytes.
        guard lineBytes * 4 + 256 > Limits.payloadBytes else { return }
        writer.bytes.removeAll(keepingCapacity: true)
        writePayload(level, at: .distantPast, to: &writer)
        let bytes = writer.bytes.count
        guard bytes <= Limits.payloadBytes else {
            throw Rejection(
                .contentTooLarge, field: "content",
                "expected an APNs payload of at most \(Limits.payloadBytes) bytes, found \(bytes)")
        }
    }
}
