internal import CZeroMQ

/// The frames of one received message, kept where libzmq put them; used again for the next one.
///
/// Of a message with more frames than `maximumFrames` the first ones are kept and the others are received and dropped,
/// so that a message of 10,000 empty frames costs no memory here.
public struct Message: ~Copyable {
    /// `maximumFrames` places and one for what is dropped; all are initialized at all times.
    private let storage: UnsafeMutablePointer<zmq_msg_t>
    /// The most frames that are kept.
    public let maximumFrames: Int
    /// The frames that are kept.
    public private(set) var frameCount = 0
    /// The frames of the last message that were too many.
    public private(set) var droppedFrames = 0

    /// - Parameter maximumFrames: at least 1. The longest message of the protocol has a routing id, 8 frames of envelope
    ///   and 4 of its own.
    public init(maximumFrames: Int = 16) {
        self.maximumFrames = max(1, maximumFrames)
        storage = .allocate(capacity: self.maximumFrames + 1)
        for index in 0...self.maximumFrames {
            zmq_msg_init(storage + index)
        }
    }

    deinit {
        for index in 0...maximumFrames {
            zmq_msg_close(storage + index)
        }
        storage.deallocate()
    }

    /// The bytes of a frame; valid until the message is received into again, cleared or gone.
    ///
    /// - Parameter index: 0 ..< `frameCount`.
    public subscript(index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < frameCount, "frame \(index) of a message of \(frameCount)")
        return UnsafeRawBufferPointer(start: zmq_msg_data(storage + index), count: zmq_msg_size(storage + index))
    }

    /// A copy of a frame's bytes.
    public func bytes(_ index: Int) -> [UInt8] {
        [UInt8](self[index])
    }

    /// Lets go of the frames and their memory.
    public mutating func clear() {
        for index in 0..<frameCount {
            zmq_msg_close(storage + index)
            zmq_msg_init(storage + index)
        }
        frameCount = 0
        droppedFrames = 0
    }

    /// Receives the frames of the next message, if there is one. After an error nothing is kept.
    mutating func receive(from handle: UnsafeMutableRawPointer) throws(ZeroMQError) -> Bool {
        clear()
        var more = true
        while more {
            let place = storage + frameCount
            guard zmq_msg_recv(place, handle, ZMQ_DONTWAIT) >= 0 else {
                let code = zmq_errno()
                if code == EINTR { continue }
                clear()
                if code == EAGAIN { return false }
                throw ZeroMQError(code, "receive")
            }
            more = zmq_msg_more(place) != 0
            if frameCount < maximumFrames { frameCount += 1 } else { droppedFrames += 1 }
        }
        releaseDroppedFrame()
        return true
    }

    /// The last place holds the last frame that was dropped, which may be a long one.
    private mutating func releaseDroppedFrame() {
        guard droppedFrames > 0 else { return }
        zmq_msg_close(storage + maximumFrames)
        zmq_msg_init(storage + maximumFrames)
    }
}

extension Socket {
    /// Receives the next whole message; never blocks.
    ///
    /// - Parameter message: holds the frames afterwards; what it held before is gone in any case.
    /// - Returns: whether there was a message.
    /// - Throws: ``ZeroMQError``, for example `wrongState` from a REQ that has asked nothing.
    public func receive(into message: inout Message) throws(ZeroMQError) -> Bool {
        try message.receive(from: openHandle("receive"))
    }
}
