import RationBus

/// Sends answers on a ROUTER without ever blocking: an answer to a client that has gone, or that does not read, is
/// dropped and counted; the client asks again.
struct AnswerSender {
    private let socket: Socket
    private(set) var dropped = 0

    init(socket: Socket) {
        self.socket = socket
    }

    mutating func send(_ answer: Answer) throws(ZeroMQError) {
        for frame in answer.address.frames {
            guard try send(frame, more: true) else { return }
        }
        guard try send(answer.name, more: true), try send(answer.number, more: !answer.bodies.isEmpty) else { return }
        for (index, body) in answer.bodies.enumerated() {
            guard try send(body, more: index < answer.bodies.count - 1) else { return }
        }
    }

    /// - Returns: whether the message goes on.
    private mutating func send(_ frame: [UInt8], more: Bool) throws(ZeroMQError) -> Bool {
        let result = frame.withUnsafeBytes { bytes in
            Result { () throws(ZeroMQError) in try socket.sendFrame(bytes, more: more) }
        }
        guard try result.get() == .sent else {
            dropped += 1
            return false
        }
        return true
    }
}
