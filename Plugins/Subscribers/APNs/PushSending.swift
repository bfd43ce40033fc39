public import RationModel

/// What sends the orders of a ``PushSender``: ``PushTransport``, or a test.
public protocol PushSending: AnyObject {
    /// Begins what was ordered.
    /// - Parameter issued: when the order's provider token was made.
    /// - Throws: what makes sending impossible on this machine.
    func start(_ order: PushSender.Order, _ push: Push, issued: Instant) throws

    /// Waits until something has come, or for so many milliseconds.
    func wait(milliseconds: Int)

    /// Takes what has come.
    func advance(_ ended: (_ ticket: Int, PushOutcome) -> Void)

    /// Looks after connections that have nothing under way.
    /// - Returns: after how many milliseconds it is to be called again; nil: only after the next pushes.
    func tend() -> Int?

    /// Sends nothing more on a lane.
    func close(_ lane: PushLane)

    /// Gives up all that is under way.
    func cancelAll()
}

/// What a push that was started has come to.
public enum PushOutcome: Hashable, Sendable {
    case answered(PushAnswer)
    case failed(PushFailure)
}
