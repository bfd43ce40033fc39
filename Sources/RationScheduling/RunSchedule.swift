/// When the next run is due, and why. Times are a monotonic clock's milliseconds. Pure.
struct RunSchedule {
    private let options: SchedulerOptions
    private(set) var reason = RunReport.Reason.start
    /// Whether there has been a run.
    private(set) var hasRun = false
    /// Why the last run was, if it has failed.
    private var failed: RunReport.Reason?
    private var periodic = Int64.min
    private var change = Int64.max
    /// None before that.
    private var earliest = Int64.min

    init(_ options: SchedulerOptions) {
        self.options = options
    }

    /// A run has ended.
    /// - Parameter next: when a recipient has to be looked at again.
    mutating func finished(at now: Int64, next: Int64) {
        (hasRun, reason, failed) = (true, .periodic, nil)
        periodic = now + options.everyMilliseconds
        change = next
        earliest = now + options.gapMilliseconds
    }

    /// A run has failed; the next one is for the same reason.
    mutating func failed(at now: Int64, _ wait: Int64) {
        failed = reason
        earliest = now + wait
        periodic = min(periodic, earliest)
    }

    /// When a run is due by what is known now; sets its reason.
    /// - Parameter factsDue: when a change of the facts has settled.
    mutating func due(factsDue: Int64?, isRunAsked: Bool, isLogNew: Bool, _ now: Int64) -> Int64 {
        // Who asks for a run wants to see it.
        if isRunAsked {
            reason = .signal
            return now
        }
        guard hasRun else { return max(periodic, earliest) }
        var (due, why) = (periodic, failed ?? .periodic)
        if change < due { (due, why) = (change, .due) }
        if let factsDue, factsDue < due { (due, why) = (factsDue, .facts) }
        if isLogNew { (due, why) = (now, .log) }
        reason = why
        return max(due, earliest)
    }
}
