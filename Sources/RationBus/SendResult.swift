/// What became of a frame or a message that was to be sent.
public enum SendResult: Sendable {
    /// libzmq has it. Whether it arrives, only an answer tells.
    case sent
    /// The peer's queue is full, or there is no connection; nothing was sent.
    case wouldBlock
    /// ROUTER: there is no peer of this routing id any more; nothing was sent.
    case unreachable
}
