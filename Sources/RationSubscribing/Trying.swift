internal import RationBus

/// How many events are handed over at once, and when, after failures.
///
/// A page that fails is tried again some times, with growing waits. If it fails for good it is halved, down to the one
/// event that fails; what then succeeds is doubled, back to whole pages, so that neighbours of a poison event are not
/// handed over one by one for long.
struct Trying {
    let full: Int
    /// How many events are handed over at once.
    private(set) var limit: Int
    /// Failures of what is handed over now.
    private(set) var failures = 0
    /// Not before this time of the runner's clock.
    private(set) var restingUntil = Int64.min
    /// What is needed was away at the last try.
    var isUnavailable = false
    private var backoff: Backoff

    init(full: Int, backoff: Backoff) {
        (self.full, limit, self.backoff) = (full, full, backoff)
    }

    /// What a failure leads to.
    enum Next { case again, halved, setAside }

    mutating func fail(_ count: Int, tries: Int) -> Next {
        failures += 1
        if failures < tries, limit == full || count == 1 { return .again }
        failures = 0
        backoff.succeed()
        guard count > 1 else { return .setAside }
        limit = count / 2
        return .halved
    }

    mutating func succeed() {
        failures = 0
        restingUntil = .min
        backoff.succeed()
        limit = min(full, limit * 2)
    }

    /// - Parameter now: by the runner's clock, in milliseconds.
    mutating func rest(from now: Int64, _ random: inout any RandomNumberGenerator) {
        restingUntil = now + backoff.fail(&random)
    }
}
