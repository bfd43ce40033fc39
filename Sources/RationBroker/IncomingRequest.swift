import RationBus
import RationModel
import RationWire

/// A message that is a request by its frames (wire.md): name, number, body; `publish` names its publisher before the
/// number. The bytes are the message's.
struct IncomingRequest {
    var address: ReplyAddress
    var name: RequestName
    /// `publish` only.
    var publisher: UnsafeRawBufferPointer
    var numberFrame: [UInt8]
    var number: UInt64
    var body: UnsafeRawBufferPointer

    /// A message that is no request: the error and where it goes.
    struct Refused: Error {
        var fault: RequestFault
        var address: ReplyAddress
        var numberFrame: [UInt8]
    }

    init(_ message: borrowing Message) throws(Refused) {
        guard message.frameCount > 1, let envelope = Envelope.split(message) else {
            let fault = RequestFault(
                .malformed, "expected a first frame 'ration/1 NAME', or an envelope of at most 8 frames that ends empty"
            )
            throw Refused(
                fault: fault, address: Self.address(message, 0..<min(1, message.frameCount)), numberFrame: [0x30])
        }
        address = Self.address(message, envelope.returned)
        let payload = envelope.payload
        let name = try Self.name(message, payload, address)
        self.name = name
        let expected = name == .publish ? 4 : 3
        let numberPlace = payload.lowerBound + expected - 2
        numberFrame = numberPlace < payload.upperBound ? Array(message[numberPlace].prefix(20)) : [0x30]
        guard payload.count == expected, message.droppedFrames == 0 else {
            let frames = name == .publish ? "'ration/1 publish', publisher, number, body" : "name, number, body"
            throw Refused(
                fault: RequestFault(
                    .malformed,
                    "expected the \(expected) frames \(frames), found \(payload.count + message.droppedFrames)"),
                address: address, numberFrame: numberFrame)
        }
        guard let number = Self.number(message[numberPlace]) else {
            throw Refused(
                fault: RequestFault(.malformed, "expected a number of 1 to 19 decimal digits"), address: address,
                numberFrame: numberFrame)
        }
        self.number = number
        publisher = name == .publish ? message[payload.lowerBound + 1] : UnsafeRawBufferPointer(start: nil, count: 0)
        body = message[payload.lowerBound + expected - 1]
    }

    private static func address(_ message: borrowing Message, _ frames: Range<Int>) -> ReplyAddress {
        var address = ReplyAddress(frames: [])
        address.frames.reserveCapacity(frames.count)
        for index in frames { address.frames.append(message.bytes(index)) }
        return address
    }

    private static func name(
        _ message: borrowing Message, _ payload: Range<Int>, _ address: ReplyAddress
    ) throws(Refused) -> RequestName {
        let frame = payload.isEmpty ? UnsafeRawBufferPointer(start: nil, count: 0) : message[payload.lowerBound]
        func refused(_ code: RequestFault.Code, _ text: String) -> Refused {
            Refused(fault: RequestFault(code, text), address: address, numberFrame: likelyNumber(message, payload))
        }
        guard starts(frame, with: Frame.protocolPrefix) else {
            throw refused(.malformed, "expected a first frame 'ration/1 NAME'")
        }
        guard starts(frame, with: Frame.versionPrefix) else {
            throw refused(.version, "expected version 1 of the protocol: 'ration/1 NAME'")
        }
        let word = String(decoding: frame.dropFirst(Frame.versionPrefix.utf8CodeUnitCount).prefix(32), as: UTF8.self)
        guard let name = RequestName(rawValue: word) else {
            let known = RequestName.allCases.map(\.rawValue).joined(separator: ", ")
            throw refused(.unknown, "there is no request '\(word)'; there are \(known)")
        }
        return name
    }

    /// The number of a request whose name says nothing: the frame behind the name, or behind a publisher's name, whichever
    /// is a number first; 0 without one.
    private static func likelyNumber(_ message: borrowing Message, _ payload: Range<Int>) -> [UInt8] {
        for index in payload.dropFirst().prefix(2) where number(message[index]) != nil { return message.bytes(index) }
        return [0x30]
    }

    private static func starts(_ frame: UnsafeRawBufferPointer, with text: StaticString) -> Bool {
        frame.starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func number(_ frame: UnsafeRawBufferPointer) -> UInt64? {
        guard (1...19).contains(frame.count) else { return nil }
        var value: UInt64 = 0
        for byte in frame {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            // 19 digits stay below 2^64.
            value = value * 10 + UInt64(byte - 0x30)
        }
        return value <= UInt64(Int64.max) ? value : nil
    }
}
