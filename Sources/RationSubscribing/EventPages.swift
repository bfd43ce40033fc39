public import RationBus

/// Where a runner gets the pages of the log from: the broker, or a test.
public protocol EventPages: AnyObject {
    /// Goes on behind a position.
    /// - Parameter log: the log that it belongs to; nil: whichever the broker has.
    func seek(log: String?, after position: UInt64)

    /// The next item; waits for it.
    /// - Parameters:
    ///   - timeoutMilliseconds: the longest wait.
    ///   - descriptor: a file whose data end the wait, too.
    /// - Returns: nil if there is none yet.
    /// - Throws: what no retry helps.
    func next(timeoutMilliseconds: Int, watching descriptor: Int32?) throws -> PageReader.Item?
}

extension PageReader: EventPages {}
