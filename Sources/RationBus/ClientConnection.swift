internal import RationWire

/// One connection of a client to a ROUTER of the broker: a DEALER that does not connect again by itself, so that nothing
/// is sent to a broker that has come back before its client knows.
final class ClientConnection {
    let socket: Socket
    private let monitor: SocketMonitor
    private var poller = Poller()
    private let items: PollItems
    private var watched: (descriptor: Int32, item: Int)?
    /// The connection has ended, or never came to be.
    private(set) var isLost = false
    /// Whether the last wait found that something can be sent.
    private(set) var isWritable = false

    init(_ endpoint: String, in context: Context) throws(ZeroMQError) {
        var options = SocketOptions.client
        options.reconnectIntervalMilliseconds = -1
        options.reconnectIntervalMaximumMilliseconds = 0
        socket = try Socket(.dealer, in: context, options: options)
        monitor = try SocketMonitor(socket, in: context)
        try socket.connect(endpoint)
        items = PollItems(socket: try poller.add(socket), monitor: try poller.add(monitor.events))
    }

    /// Sends `NAME`, the publisher if there is one, the number and the body; never blocks.
    /// - Returns: whether it went out; if not, wait for a writable socket.
    func send(
        _ name: StaticString, publisher: [UInt8]? = nil, number: UInt64, body: [UInt8]
    ) throws(ZeroMQError) -> Bool {
        let frame = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard try socket.sendFrame(frame, more: true) == .sent else { return false }
        if let publisher {
            guard try send(publisher, more: true) else { return false }
        }
        guard try send(Decimal.bytes(number), more: true) else { return false }
        return try send(body, more: false)
    }

    private func send(_ frame: [UInt8], more: Bool) throws(ZeroMQError) -> Bool {
        let result = frame.withUnsafeBytes { bytes in
            Result { () throws(ZeroMQError) in try socket.sendFrame(bytes, more: more) }
        }
        return try result.get() == .sent
    }

    /// Waits until something comes, the connection ends, or time is up.
    /// - Parameters:
    ///   - writable: whether it also waits until something can be sent.
    ///   - descriptor: a file whose data end the wait, too.
    func wait(milliseconds: Int, writable: Bool, watching descriptor: Int32?) throws(ZeroMQError) {
        poller.setInterest(writable ? [.readable, .writable] : .readable, of: items.socket)
        watch(descriptor)
        try poller.wait(milliseconds: milliseconds)
        try look(at: poller, items)
    }

    /// Where a poller has the connection.
    struct PollItems {
        let socket: Int
        let monitor: Int
    }

    /// Adds the connection to a poller of its owner's.
    func enlist(in poller: inout Poller, writable: Bool) throws(ZeroMQError) -> PollItems {
        PollItems(
            socket: try poller.add(socket, writable ? [.readable, .writable] : .readable),
            monitor: try poller.add(monitor.events))
    }

    /// Takes note of what a poller's wait has found.
    func look(at poller: Poller, _ items: PollItems) throws(ZeroMQError) {
        isWritable = poller.isWritable(items.socket)
        guard poller.isReadable(items.monitor) else { return }
        let counts = try monitor.drain()
        isLost = counts.disconnected + counts.closed + counts.handshakeFailed + counts.handshakeBroken > 0
    }

    private func watch(_ descriptor: Int32?) {
        if let watched {
            // A connection waits for one descriptor at most as long as it lives.
            poller.setInterest(descriptor == watched.descriptor ? .readable : [], of: watched.item)
        } else if let descriptor {
            watched = (descriptor, poller.add(fileDescriptor: descriptor))
        }
    }
}

/// An answer's frames as a client looks at them: a view, valid as long as the message.
struct AnswerFrames {
    let name: UnsafeRawBufferPointer
    let number: UInt64
    let body: UnsafeRawBufferPointer

    /// - Returns: nil for what is no answer.
    init?(_ message: borrowing Message) {
        guard message.frameCount >= 3, let number = Decimal.number(message[1]) else { return nil }
        name = message[0]
        self.number = number
        body = message[2]
    }

    init(name: UnsafeRawBufferPointer, number: UInt64, body: UnsafeRawBufferPointer) {
        (self.name, self.number, self.body) = (name, number, body)
    }

    func isNamed(_ name: StaticString) -> Bool {
        self.name.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}

/// Numbers in frames: decimal, without sign.
enum Decimal {
    static func bytes(_ number: UInt64) -> [UInt8] {
        Array(String(number).utf8)
    }

    /// - Returns: nil for anything but 1 to 20 digits of a number below 2^64.
    static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard (1...20).contains(bytes.count) else { return nil }
        var number: UInt64 = 0
        for byte in bytes {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (product, isTooHigh) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = product.addingReportingOverflow(UInt64(byte - 0x30))
            guard !isTooHigh, !isOver else { return nil }
            number = sum
        }
        return number
    }
}
