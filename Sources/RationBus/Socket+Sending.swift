internal import CZeroMQ

extension Socket {
    /// Sends one frame of a message; never blocks. libzmq copies the bytes once.
    ///
    /// Messages go out whole or not at all. libzmq hands a message over with its last frame, and a queue takes all frames
    /// of a message whose first one it took, so a full queue or an unknown peer shows at the first frame. Only a
    /// connection that ends in between can fail a later one; libzmq then takes back the earlier frames. So after any
    /// result but `sent`, and after an error, the message is over: none of it goes out, and the next frame begins a new
    /// message.
    ///
    /// - Parameters:
    ///   - frame: its bytes; may be empty.
    ///   - more: whether further frames of the same message follow. Whoever has said so sends them.
    /// - Throws: ``ZeroMQError``, for example `wrongState` from a REQ that still waits for an answer.
    public func sendFrame(_ frame: UnsafeRawBufferPointer, more: Bool) throws(ZeroMQError) -> SendResult {
        let handle = try openHandle("send")
        let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
        while zmq_send(handle, frame.baseAddress, frame.count, flags) < 0 {
            let code = zmq_errno()
            if code != EINTR { return try abandonMessage(handle, code, more: more) }
        }
        isMidMessage = more
        return .sent
    }

    /// Sends a whole message; never blocks.
    ///
    /// - Parameter frames: at least one.
    /// - Throws: ``ZeroMQError``; `wrongState` also in the middle of a message of ``sendFrame(_:more:)``.
    public func send(_ frames: UnsafeRawBufferPointer...) throws(ZeroMQError) -> SendResult {
        try sendMessage(count: frames.count) { index, more throws(ZeroMQError) in
            try sendFrame(frames[index], more: more)
        }
    }

    /// Sends a whole message from arrays; for what is not the hot path.
    public func send(_ frames: [[UInt8]]) throws(ZeroMQError) -> SendResult {
        try sendMessage(count: frames.count) { index, more throws(ZeroMQError) in
            let result = frames[index].withUnsafeBytes { bytes in
                Result { () throws(ZeroMQError) in try sendFrame(bytes, more: more) }
            }
            return try result.get()
        }
    }

    private func sendMessage(
        count: Int, frame: (_ index: Int, _ more: Bool) throws(ZeroMQError) -> SendResult
    ) throws(ZeroMQError) -> SendResult {
        guard !isMidMessage else { throw ZeroMQError(EFSM, "send a message in the middle of another") }
        guard count > 0 else { throw ZeroMQError(EINVAL, "send a message without frames") }
        for index in 0..<count {
            let result = try frame(index, index < count - 1)
            if result != .sent { return result }
        }
        return .sent
    }

    /// Brings the socket back to the beginning of a message after a frame that libzmq did not take.
    private func abandonMessage(
        _ handle: UnsafeMutableRawPointer, _ code: Int32, more: Bool
    ) throws(ZeroMQError) -> SendResult {
        let wasMidMessage = isMidMessage
        isMidMessage = false
        // The connection ended under a message: DEALER (and REQ on top of it) drops frames until the last one of the
        // broken message. An empty last frame ends that; it is dropped too.
        if wasMidMessage, more, kind == .dealer || kind == .req {
            zmq_send(handle, nil, 0, ZMQ_DONTWAIT)
        }
        switch code {
        case EAGAIN: return .wouldBlock
        case EHOSTUNREACH: return .unreachable
        default: throw ZeroMQError(code, "send")
        }
    }
}
