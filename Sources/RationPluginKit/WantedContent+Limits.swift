internal import RationModel

/// The limits of semantics.md section 6 on content.
extension WantedContent {
    /// Why the broker would reject it; nil if it would not.
    public var fault: String? {
        if title.isEmpty, subtitle.isEmpty, body.isEmpty, sound.isEmpty {
            return "expected a title or a body that is not empty, found neither"
        }
        if threadId.utf8.count > Limits.threadIdBytes {
            return "expected a threadId of at most \(Limits.threadIdBytes) bytes, found \(threadId.utf8.count)"
        }
        if userInfo.keys.contains("aps") { return "expected userInfo without a key 'aps', found one" }
        let bytes = payloadBytes
        guard bytes > Limits.payloadBytes else { return nil }
        return "expected an APNs payload of at most \(Limits.payloadBytes) bytes, found \(bytes)"
    }

    /// Bytes of the APNs payload: `{"aps":{"alert":{"title":…},…},…}` without spaces, absent fields left out.
    var payloadBytes: Int {
        var alert = JSONObjectBytes()
        alert.add("title", title)
        alert.add("subtitle", subtitle)
        alert.add("body", body)
        var aps = JSONObjectBytes()
        if alert.bytes > 2 { aps.add("alert", bytes: alert.bytes) }
        aps.add("sound", sound)
        aps.add("thread-id", threadId)
        aps.add("category", category)
        switch interruptionLevel {
        case .active: break
        case .timeSensitive: aps.add("interruption-level", "time-sensitive")
        default: aps.add("interruption-level", "\(interruptionLevel.name)")
        }
        if let relevanceScore { aps.add("relevance-score", bytes: "\(relevanceScore)".utf8.count) }
        var root = JSONObjectBytes()
        root.add("aps", bytes: aps.bytes)
        for (name, text) in userInfo { root.add(name, bytes: JSONObjectBytes.bytes(of: text)) }
        return root.bytes
    }
}

/// Counts the bytes of a JSON object.
private struct JSONObjectBytes {
    /// Its braces, and what was added.
    var bytes = 2

    mutating func add(_ name: String, bytes value: Int) {
        bytes += (bytes > 2 ? 1 : 0) + Self.bytes(of: name) + 1 + value
    }

    /// A text that is left out when it is empty.
    mutating func add(_ name: String, _ text: String) {
        if !text.isEmpty { add(name, bytes: Self.bytes(of: text)) }
    }

    /// A string with its quotes and escapes.
    static func bytes(of text: String) -> Int {
        var text = text
        return text.withUTF8 { $0.reduce(2) { $0 + escaped($1) } }
    }

    private static func escaped(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }
}
