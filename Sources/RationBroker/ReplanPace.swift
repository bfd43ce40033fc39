/// How replanning goes on beside intake: how many recipients a slice takes, and when the next one may come.
///
/// An acknowledgement that meets a slice waits for its end, so a slice is short: half as long as the intake of its turn
/// took, between a tenth of a millisecond for a broker with little to do and two milliseconds for a busy one, which so
/// gives replanning a share of its time. Between slices the thread rests as long as the whole is done soon nevertheless:
/// then few acknowledgements meet one.
struct ReplanPace {
    /// What one recipient cost lately.
    private var nanosecondsEach = 20_000.0
    /// Recipients of the last slice: the next may be twice as large at most.
    private var last = 8
    /// When the next slice may begin.
    private(set) var next = 0

    static let budgetNanoseconds = 100_000...2_000_000
    static let limit = 4096
    /// The rest after a slice. Sockets are waited for in whole milliseconds.
    static let restNanoseconds = 1_000_000
    /// What is left may take so long with rests.
    static let patienceNanoseconds = 15e9

    /// - Parameter intake: nanoseconds that the intake took in this turn.
    /// - Returns: at least 1.
    func recipients(besideIntake intake: Int) -> Int {
        let range = Self.budgetNanoseconds
        let budget = min(max(intake / 2, range.lowerBound), range.upperBound)
        return max(1, min(Int(Double(budget) / nanosecondsEach), last * 2, Self.limit))
    }

    /// Learns from a slice.
    /// - Parameters:
    ///   - recipients: that it took.
    ///   - begin: when it began, in nanoseconds of a clock that only goes on; `end` likewise.
    ///   - backlog: recipients that are left.
    mutating func record(recipients: Int, from begin: Int, to end: Int, backlog: Int) {
        if recipients > 0 {
            last = recipients
            let each = max(1, Double(end - begin) / Double(recipients))
            // What became dearer is believed at once, what became cheaper by and by.
            nanosecondsEach = each > nanosecondsEach ? each : nanosecondsEach * 0.75 + each * 0.25
        }
        let slices = Double(backlog) / Double(max(1, recipients))
        let rested = Double(backlog) * nanosecondsEach + slices * Double(Self.restNanoseconds)
        next = rested <= Self.patienceNanoseconds ? end + Self.restNanoseconds : end
    }
}
