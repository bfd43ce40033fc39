internal import CZeroMQ

/// Repeats a call into libzmq until no signal interrupts it; libzmq looks for signals before it does anything.
///
/// - Parameter call: returns a negative number for an error.
/// - Returns: whether it succeeded; if not, ``ZeroMQError/last(_:endpoint:)`` says why.
func uninterrupted(_ call: () -> Int32) -> Bool {
    while call() < 0 {
        guard zmq_errno() == EINTR else { return false }
    }
    return true
}
