/// Which frames of a request are whose (wire.md, first section).
///
/// If the first frame starts with `ration/` there is no envelope; else all up to the first empty frame is one, and is
/// given back with the answer: REQ puts an empty frame in front, REQ with `REQ_CORRELATE` a number and an empty frame, a
/// proxy its routing ids. A ROUTER adds the routing id of its peer before all that.
public struct Envelope: Equatable, Sendable {
    /// The most frames of an envelope, with its empty one.
    public static let maximumFrames = 8

    /// What the ROUTER put in front; empty on any other socket.
    public let routingID: Range<Int>
    /// What the answer has to begin with, with the empty frame at its end.
    public let envelope: Range<Int>
    /// The request itself; may be empty.
    public let payload: Range<Int>

    /// What goes before the answer's own frames: routing id and envelope.
    public var returned: Range<Int> {
        routingID.lowerBound..<envelope.upperBound
    }

    /// Splits the frames of a message.
    ///
    /// - Parameters:
    ///   - frameCount: the frames of the message.
    ///   - hasRoutingID: whether the first one is a routing id, as on a ROUTER.
    ///   - frame: a frame's bytes.
    /// - Returns: `nil` if there is nothing after the routing id, or neither `ration/` nor an empty frame where they have
    ///   to be: such a message cannot be answered.
    public static func split(
        frameCount: Int, hasRoutingID: Bool = true, frame: (Int) -> UnsafeRawBufferPointer
    ) -> Envelope? {
        let start = hasRoutingID ? 1 : 0
        guard frameCount > start else { return nil }
        if startsWithProtocol(frame(start)) {
            return Envelope(routingID: 0..<start, envelope: start..<start, payload: start..<frameCount)
        }
        let end = min(frameCount, start + maximumFrames)
        guard let empty = (start..<end).first(where: { frame($0).isEmpty }) else { return nil }
        return Envelope(routingID: 0..<start, envelope: start..<(empty + 1), payload: (empty + 1)..<frameCount)
    }

    /// Splits a received message; see ``split(frameCount:hasRoutingID:frame:)``.
    public static func split(_ message: borrowing Message, hasRoutingID: Bool = true) -> Envelope? {
        split(frameCount: message.frameCount, hasRoutingID: hasRoutingID) { message[$0] }
    }

    private static func startsWithProtocol(_ frame: UnsafeRawBufferPointer) -> Bool {
        let prefix: StaticString = "ration/"
        guard frame.count >= prefix.utf8CodeUnitCount else { return false }
        return frame.prefix(prefix.utf8CodeUnitCount).elementsEqual(
            UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    }
}
