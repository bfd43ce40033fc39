import RationModel
import TestSupport

/// Requests without end, each rendered when it is sent: for loads that are too long to be rendered before.
final class RenderedRequests: RequestBodies {
    let intentsEach: Int
    private let line: (Int) -> IntentLine
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameter line: the intent at a place, counted over all requests.
    init(intentsEach: Int, line: @escaping (Int) -> IntentLine) {
        self.intentsEach = intentsEach
        self.line = line
        buffer = .allocate(byteCount: intentsEach * IntentLine.byteCount, alignment: 1)
    }

    deinit {
        buffer.deallocate()
    }

    func withBody<Result>(_ index: Int, _ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        for place in 0..<intentsEach {
            let start = place * IntentLine.byteCount
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + IntentLine.byteCount])
            line(index * intentsEach + place).write(to: target)
        }
        return try use(UnsafeRawBufferPointer(buffer))
    }
}

/// Who gets what: recipients with as many pending notifications each.
struct Population {
    let recipients: Int
    let pending: Int
    /// Where the coming week begins: nothing fires while it is measured.
    let start = Instant.hoursFromNow(24)

    var notifications: Int { recipients * pending }

    private static let weekMilliseconds: UInt64 = 7 * 86_400_000

    /// The intent that makes one of them: a recipient's come together. Places past the end begin anew.
    func filling(_ place: Int) -> IntentLine {
        let place = place % notifications
        return IntentLine(recipient: place / pending, id: place % pending, date: date(Self.mixed(UInt64(place))))
    }

    /// One that moves a random one of them to a random date.
    /// - Parameter seed: other seeds give other dates, so that nothing stays unchanged from run to run.
    func moving(_ place: Int, seed: UInt64) -> IntentLine {
        let value = Self.mixed(UInt64(place) &+ seed &* 0x1_0000_0000_0000)
        let number = Int(value.multipliedFullWidth(by: UInt64(notifications)).high)
        return IntentLine(recipient: number / pending, id: number % pending, date: date(Self.mixed(value)))
    }

    private func date(_ value: UInt64) -> Instant {
        start.advanced(by: Int64(value.multipliedFullWidth(by: Self.weekMilliseconds).high))
    }

    private static func mixed(_ seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed)
        return random.next()
    }
}
