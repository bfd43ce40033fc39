import Glibc
import RationModel
import TestSupport

/// The bodies of a run's requests, rendered before it: `schedule` intents of one length (semantics.md section 2).
struct Requests: RequestBodies {
    let intentsEach: Int
    let count: Int
    private let bytes: [UInt8]

    var intents: Int { count * intentsEach }

    /// Bytes of an intent, with its line's end.
    static let lineBytes = IntentLine.byteCount

    /// Bytes of all bodies.
    var totalBytes: Int { bytes.count }

    /// For random recipients, one of four ids each, at random dates in the coming week.
    /// - Parameter seed: other seeds give other dates, so that nothing stays unchanged from run to run.
    init(count: Int, intentsEach: Int, recipients: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let start = Instant.hoursFromNow(1)
        self.init(count: count, intentsEach: intentsEach) { _ in
            let value = random.next()
            let recipient = Int((value >> 16).multipliedFullWidth(by: UInt64(recipients) << 16).high)
            return IntentLine(
                recipient: recipient, id: Int(value & 3) + 1,
                date: start.advanced(by: Int64((value >> 2) & 0x1FFF_FFFF)))
        }
    }

    /// One intent for each recipient, once.
    init(filling recipients: Int, intentsEach: Int) {
        let start = Instant.hoursFromNow(24)
        let count = (recipients + intentsEach - 1) / intentsEach
        self.init(count: count, intentsEach: intentsEach) { place in
            let recipient = place % recipients
            return IntentLine(recipient: recipient, id: 0, date: start.advanced(by: Int64(recipient % 86_400) * 1_000))
        }
    }

    /// Lends the body of a request.
    func withBody<Result>(_ index: Int, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let length = intentsEach * Self.lineBytes
        return try bytes.withUnsafeBytes {
            try use(UnsafeRawBufferPointer(rebasing: $0[index * length..<(index + 1) * length]))
        }
    }

    /// - Parameter line: the intent at a place, counted over all requests.
    init(count: Int, intentsEach: Int, line: (Int) -> IntentLine) {
        self.count = count
        self.intentsEach = intentsEach
        let lines = count * intentsEach
        bytes = [UInt8](unsafeUninitializedCapacity: lines * Self.lineBytes) { buffer, initializedCount in
            initializedCount = lines * Self.lineBytes
            for place in 0..<lines {
                // Each line has its `lineBytes` of the capacity that was asked for.
                let target = UnsafeMutableRawBufferPointer(
                    start: UnsafeMutableRawPointer(buffer.baseAddress! + place * Self.lineBytes), count: Self.lineBytes)
                line(place).write(to: target)
            }
        }
    }
}

/// The bodies of requests, by their place.
protocol RequestBodies {
    var intentsEach: Int { get }

    /// Lends the body of a request; the same whenever it is asked for.
    func withBody<Result>(_ index: Int, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension Instant {
    /// To the second.
    static func hoursFromNow(_ hours: Int) -> Instant {
        Instant(milliseconds: Int64(time(nil) + hours * 3_600) * 1_000)
    }
}
