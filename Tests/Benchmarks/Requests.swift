import Glibc
import RationModel
import TestSupport

/// The bodies of a run's requests, rendered before it: `schedule` intents of one length (semantics.md section 2).
struct Requests {
    let intentsEach: Int
    let count: Int
    private let bytes: [UInt8]

    var intents: Int { count * intentsEach }

    /// Bytes of an intent, with its line's end.
    static let lineBytes = template.count

    /// Bytes of all bodies.
    var totalBytes: Int { bytes.count }

    /// For random recipients, one of four ids each, at random dates in the coming week.
    /// - Parameter seed: other seeds give other dates, so that nothing stays unchanged from run to run.
    init(count: Int, intentsEach: Int, recipients: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let start = Self.hoursFromNow(1)
        self.init(count: count, intentsEach: intentsEach) { _ in
            let value = random.next()
            let recipient = Int((value >> 16).multipliedFullWidth(by: UInt64(recipients) << 16).high)
            return Line(
                recipient: recipient, id: Int(value & 3) + 1,
                date: start.advanced(by: Int64((value >> 2) & 0x1FFF_FFFF)))
        }
    }

    /// One intent for each recipient, once.
    init(filling recipients: Int, intentsEach: Int) {
        let start = Self.hoursFromNow(24)
        let count = (recipients + intentsEach - 1) / intentsEach
        self.init(count: count, intentsEach: intentsEach) { place in
            let recipient = place % recipients
            return Line(recipient: recipient, id: 0, date: start.advanced(by: Int64(recipient % 86_400) * 1_000))
        }
    }

    /// Lends the body of a request.
    func withBody<Result>(_ index: Int, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let length = intentsEach * Self.lineBytes
        return try bytes.withUnsafeBytes {
            try use(UnsafeRawBufferPointer(rebasing: $0[index * length..<(index + 1) * length]))
        }
    }

    private struct Line {
        var recipient: Int
        var id: Int
        var date: Instant
    }

    private init(count: Int, intentsEach: Int, line: (Int) -> Line) {
        self.count = count
        self.intentsEach = intentsEach
        let lines = count * intentsEach
        bytes = [UInt8](unsafeUninitializedCapacity: lines * Self.lineBytes) { buffer, initializedCount in
            initializedCount = lines * Self.lineBytes
            for place in 0..<lines {
                // Each line has its `lineBytes` of the capacity that was asked for.
                let target = UnsafeMutableRawBufferPointer(
                    start: UnsafeMutableRawPointer(buffer.baseAddress! + place * Self.lineBytes), count: Self.lineBytes)
                Self.write(line(place), to: target)
            }
        }
    }

    private static func write(_ line: Line, to target: UnsafeMutableRawBufferPointer) {
        target.copyBytes(from: template)
        var rest = line.recipient
        for position in stride(from: devicePlace + 7, to: devicePlace, by: -1) {
            target[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        target[idPlace] = UInt8(ascii: "0") + UInt8(line.id)
        // The template has a whole date at both places.
        line.date.write(to: target.baseAddress! + datePlace)
        line.date.advanced(by: 4 * 3_600_000).write(to: target.baseAddress! + expiryPlace)
    }

    private static func hoursFromNow(_ hours: Int) -> Instant {
        Instant(milliseconds: Int64(time(nil) + hours * 3_600) * 1_000)
    }

    private static let template = Array(
        (#"{"op":"schedule","app":"com.example.habits","device":"d0000000","id":"com.myapp.habitReminder.water.0","#
            + #""type":"habit","content":{"title":"Water","body":"Time for a glass","category":"reminder","#
            + #""threadId":"water","sound":"default","interruptionLevel":"active","userInfo":{"habit":42}},"#
            + #""trigger":{"at":"2026-12-01T08:00:00.000Z"},"expires":"2026-12-01T12:00:00.000Z"}"# + "\n").utf8)
    /// Where the seven digits begin, less one.
    private static let devicePlace = place(of: #""d0000000""#) + 1
    private static let idPlace = place(of: #"water.0"#) + 6
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
