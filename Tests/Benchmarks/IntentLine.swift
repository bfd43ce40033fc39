import RationModel

/// One `schedule` intent as it stands in a request (semantics.md section 2): all have one length.
struct IntentLine {
    /// Below ten million.
    var recipient: Int
    /// Below a hundred.
    var id: Int
    var date: Instant

    /// Bytes of an intent, with its line's end.
    static let byteCount = template.count

    /// - Parameter target: of `byteCount` bytes.
    func write(to target: UnsafeMutableRawBufferPointer) {
        target.copyBytes(from: Self.template)
        Self.write(recipient, digits: 7, at: Self.devicePlace, to: target)
        Self.write(id, digits: 2, at: Self.idPlace, to: target)
        // The template has a whole date at both places.
        date.write(to: target.baseAddress! + Self.datePlace)
        date.advanced(by: 4 * 3_600_000).write(to: target.baseAddress! + Self.expiryPlace)
    }

    private static func write(_ number: Int, digits: Int, at place: Int, to target: UnsafeMutableRawBufferPointer) {
        var rest = number
        for position in stride(from: place + digits - 1, through: place, by: -1) {
            target[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    /// What a notification of this size shows, as JSON.
    static let content =
        #"{"title":"Water","body":"Time for a glass","category":"reminder","threadId":"water","sound":"default","#
        + #""interruptionLevel":"active","userInfo":{"habit":42}}"#

    private static let template = Array(
        (#"{"op":"schedule","app":"com.example.habits","device":"d0000000","id":"com.myapp.habitReminder.water.00","#
            + #""type":"habit","content":"# + content
            + #","trigger":{"at":"2026-12-01T08:00:00.000Z"},"expires":"2026-12-01T12:00:00.000Z"}"# + "\n").utf8)
    /// Where the digits begin.
    private static let devicePlace = place(of: #""d0000000""#) + 2
    private static let idPlace = place(of: #"water.00"#) + 6
    private static let datePlace = place(of: #""at":"#) + 6
    private static let expiryPlace = place(of: #""expires":"#) + 11

    private static func place(of text: String) -> Int {
        let text = Array(text.utf8)
        let places = template.indices.dropLast(text.count)
        guard let place = places.first(where: { template[$0..<$0 + text.count].elementsEqual(text) }) else {
            preconditionFailure("the template has no \(String(decoding: text, as: UTF8.self))")
        }
        return place
    }
}
