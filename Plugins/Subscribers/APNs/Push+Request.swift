public import RationHTTP2Client
internal import RationModel
internal import RationWire

/// A push as a request (Apple, "Sending notification requests to APNs", "Sending broadcast push notification requests to
/// APNs"). What authorizes it is added by whoever sends it.
extension Push {
    /// The path; of a device's push it holds the token.
    public var path: String {
        content.kind == .broadcast ? "/4/broadcasts/apps/" + app : "/3/device/" + address.token
    }

    /// The path as it may be shown.
    public var shownPath: String { content.kind == .broadcast ? path : "/3/device/…" }

    /// Adds the fields of the header, without the provider token.
    public func addFields(to fields: inout HTTP2Fields) {
        fields.add("apns-push-type", pushType)
        fields.add("apns-priority", priority)
        fields.add("apns-expiration", "\(expiration)", isShared: false)
        guard content.kind != .broadcast else {
            fields.add("apns-channel-id", content.channel, isShared: false)
            fields.add("apns-request-id", identifier, isShared: false)
            return
        }
        fields.add("apns-topic", topic)
        fields.add("apns-id", identifier, isShared: false)
        // What replaces a notification on the phone replaces it at Apple's, too.
        if content.kind == .alert { fields.add("apns-collapse-id", CollapseIdentifier.text(id), isShared: false) }
    }

    /// The fields of the header, without the provider token.
    public var fields: HTTP2Fields {
        var fields = HTTP2Fields()
        addFields(to: &fields)
        return fields
    }

    /// Whether the token can stand in a path: it is part of an intent, and may be anything.
    public var hasPlainToken: Bool {
        var token = address.token
        return token.withUTF8 { token in
            token.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        }
    }

    private var topic: String { content.kind == .liveActivity ? "\(app).push-type.liveactivity" : app }

    private var pushType: String {
        switch content.kind {
        case .alert: "alert"
        case .background: "background"
        case .liveActivity, .broadcast: "liveactivity"
        }
    }

    /// A background push has to have 5; a passive one may wait for the device to be awake.
    private var priority: String {
        content.kind == .background || content.level == .passive ? "5" : "10"
    }

    /// The second in which it must no longer be shown is not reached.
    private var expiration: Int64 { max(1, validUntil.milliseconds / 1_000) }

    /// The same for each try, so that Apple's answers and a device's log can be joined with events.
    public var identifier: String { PushIdentifier.text(log: source.log, sequence: source.sequence) }
}

/// A UUID that depends on an event alone (RFC 9562, version 8).
enum PushIdentifier {
    static func text(log: String, sequence: UInt64) -> String {
        var name = log
        let first = name.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0), seed: sequence) }
        let second = name.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0), seed: ~sequence) }
        let high = first & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for place in 0..<32 {
                if place == 8 || place == 12 || place == 16 || place == 20 {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                text[end] = digit(place < 16 ? high : low, place & 15)
                end += 1
            }
            return end
        }
    }

    static func hexadecimal(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 { text[place] = digit(number, place) }
            return 16
        }
    }

    /// - Parameter place: from the left.
    private static func digit(_ number: UInt64, _ place: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// `apns-collapse-id`: at most 64 bytes, one for each id of a recipient.
enum CollapseIdentifier {
    static let limit = 64

    /// The id itself where it fits and can stand in a header; else its beginning and a hash of all of it.
    static func text(_ id: String) -> String {
        // A field's value is not to end with a space, and an id neither begins nor ends with one.
        if id.utf8.count <= limit { return id }
        var id = id
        return id.withUTF8 { bytes in
            let hash = PushIdentifier.hexadecimal(ByteHash.hash(UnsafeRawBufferPointer(bytes), seed: 0))
            var count = limit - hash.utf8.count - 1
            // Not in the middle of a character.
            while bytes[count] & 0xC0 == 0x80 { count -= 1 }
            return String(decoding: bytes[..<count], as: UTF8.self) + "~" + hash
        }
    }
}
