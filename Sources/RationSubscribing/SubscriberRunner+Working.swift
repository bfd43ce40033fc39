internal import RationBus

/// How a runner lets a subscriber work between pages.
extension SubscriberRunner {
    /// Waits before work that has failed is tried again, and at most between two looks.
    private static let retryMilliseconds: Int64 = 1_000

    /// Lets the subscriber do what has come due.
    /// - Returns: after how many milliseconds it has more to do; nil: it does not say.
    func work() -> Int64? {
        guard let working = plugin as? any WorkingSubscriber else { return nil }
        let now = clock.milliseconds
        if now < workingTime { return workingTime - now }
        do {
            let wait = try working.work(in: file.database)
            workingTime = wait.map { clock.milliseconds + max(0, $0) } ?? .min
            if isWorkFailing { tell(.available) }
            isWorkFailing = false
            return wait
        } catch {
            working.forget()
            workingTime = clock.milliseconds + Self.retryMilliseconds
            if !isWorkFailing { tell(.unavailable("\(error)")) }
            isWorkFailing = true
            return Self.retryMilliseconds
        }
    }

    /// Lets the subscriber tell the broker what it has to tell, and hands over nothing.
    /// - Parameters:
    ///   - limitMilliseconds: how long that may take.
    ///   - wait: waits for so long at most; false ends it.
    /// - Returns: whether all is told.
    public func settle(
        limitMilliseconds: Int64, wait: (_ milliseconds: Int64) throws -> Bool
    ) rethrows -> Bool {
        guard let working = plugin as? any WorkingSubscriber else { return true }
        let end = clock.milliseconds + limitMilliseconds
        workingTime = .min
        while true {
            board.beat(clock.milliseconds)
            let more = work() ?? Self.retryMilliseconds
            guard working.isTelling else { return true }
            let left = end - clock.milliseconds
            guard left > 0, try wait(max(1, min(more, left))) else { return false }
        }
    }

    /// How long a wait for the broker may be.
    func patience(_ timeoutMilliseconds: Int, _ work: Int64?) -> Int {
        work.map { Int(min(Int64(timeoutMilliseconds), max(0, $0))) } ?? timeoutMilliseconds
    }
}
