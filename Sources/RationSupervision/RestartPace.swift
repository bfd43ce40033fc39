/// How long a process that ends again and again is left alone before it is started anew: the delay doubles up to a limit, and
/// begins afresh when the process has stayed up for long enough. It is never given up, as with systemd's `Restart=always`.
public struct RestartPace: Hashable, Sendable {
    public static let firstMilliseconds: Int64 = 100
    public static let limitMilliseconds: Int64 = 10_000
    /// A process that has run for so long has not failed at once.
    public static let steadyMilliseconds: Int64 = 10_000

    /// Ends in a row, none of which came after a steady run.
    public private(set) var quickEnds = 0

    public init() {}

    /// Counts an end.
    /// - Parameter ranMilliseconds: how long the process had run.
    /// - Returns: milliseconds until it is to be started again.
    public mutating func delay(afterRunOf ranMilliseconds: Int64) -> Int64 {
        if ranMilliseconds >= Self.steadyMilliseconds { quickEnds = 0 }
        // Beyond that shift the limit has long been reached.
        let delay = Self.firstMilliseconds << Int64(min(quickEnds, 16))
        quickEnds += 1
        return min(delay, Self.limitMilliseconds)
    }
}
