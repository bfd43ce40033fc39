import RationWire

/// Where an answer goes: the frames in front of it, a routing id and the request's envelope.
struct ReplyAddress: Sendable {
    var frames: [[UInt8]]
}

/// The answer to one request.
struct Answer: Sendable {
    var address: ReplyAddress
    /// The first frame: `ration/1 NAME`.
    var name: [UInt8]
    /// The request's number as it was written.
    var number: [UInt8]
    /// The frames behind the number.
    var bodies: [[UInt8]]

    static let acknowledgementName = Array("\(Frame.acknowledgement)".utf8)
    static let errorName = Array("\(Frame.error)".utf8)

    init(address: ReplyAddress, name: [UInt8], number: [UInt8], bodies: [[UInt8]]) {
        self.address = address
        self.name = name
        self.number = number
        self.bodies = bodies
    }

    /// An error.
    init(_ fault: RequestFault, to address: ReplyAddress, number: [UInt8]) {
        self.init(address: address, name: Self.errorName, number: number, bodies: [fault.body])
    }
}
