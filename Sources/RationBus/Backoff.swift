/// How long to wait before the next try: twice as long after each failure, with a random part, so that many clients of a
/// broker that comes back do not all come at once.
public struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure.
    public var firstMilliseconds: Int64
    /// The longest wait after any failure.
    public var mostMilliseconds: Int64
    /// Failures since the last success.
    public private(set) var failures = 0

    public init(firstMilliseconds: Int64 = 100, mostMilliseconds: Int64 = 5_000) {
        self.firstMilliseconds = max(1, firstMilliseconds)
        self.mostMilliseconds = max(self.firstMilliseconds, mostMilliseconds)
    }

    /// Something worked: the next failure is a first one.
    public mutating func succeed() {
        failures = 0
    }

    /// Counts a failure.
    /// - Returns: how long to wait now, in milliseconds: from half of the longest wait to all of it.
    public mutating func fail(_ random: inout some RandomNumberGenerator) -> Int64 {
        // Shifts beyond 16 are beyond any sensible limit and could overflow.
        let (doubled, overflow) = firstMilliseconds.multipliedReportingOverflow(by: 1 << min(failures, 16))
        failures += 1
        let longest = overflow ? mostMilliseconds : min(doubled, mostMilliseconds)
        // The upper half of the product is below its second factor.
        let part = random.next().multipliedFullWidth(by: UInt64(longest - longest / 2 + 1)).high
        return longest / 2 + Int64(part)
    }
}
