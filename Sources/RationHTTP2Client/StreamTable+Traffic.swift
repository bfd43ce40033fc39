/// What goes out and comes in on a stream.
extension StreamTable {
    /// Whether a slot still belongs to this stream.
    func isUse(_ slot: Int, of id: Int32) -> Bool { self[slot].id == id && self[slot].phase == .sent }

    /// Whether the whole answer has come.
    func isAnswered(_ slot: Int) -> Bool { self[slot].isAnswered && self[slot].status > 0 }

    private static let status = Array(":status".utf8)

    mutating func takeField(_ slot: Int, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        self[slot].takeField(name, value, isStatus: name.first == UInt8(ascii: ":") && name.elementsEqual(Self.status))
    }

    mutating func takeBody(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        let left = HTTP2Answer.bodyLimit - self[slot].answerBody.count
        self[slot].answerBody.append(contentsOf: UnsafeBufferPointer(rebasing: bytes.prefix(left)))
    }

    /// - Returns: whether some of the request's body was not sent.
    mutating func takeLastFrame(_ slot: Int) -> Bool {
        self[slot].isAnswered = true
        return self[slot].sentBytes < self[slot].body.count
    }

    /// Copies what comes next of a request's body.
    /// - Returns: how much, and whether it was the last of it; -1 if the slot is no longer this stream's.
    mutating func readBody(
        _ slot: Int, _ id: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isLast: Bool) {
        guard isUse(slot, of: id) else { return (-1, false) }
        return self[slot].readBody(buffer)
    }
}

extension StreamTable.Stream {
    fileprivate mutating func takeField(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, isStatus: Bool
    ) {
        guard !isStatus else {
            // Three digits: nghttp2 checks it. What came before was an interim answer.
            status = value.reduce(0) { $0 * 10 + Int($1 & 15) }
            headerBytes.removeAll(keepingCapacity: true)
            return
        }
        guard headerBytes.count + name.count + value.count + 3 <= HTTP2Answer.headerLimit else { return }
        headerBytes.append(contentsOf: name)
        headerBytes.append(UInt8(ascii: ":"))
        headerBytes.append(UInt8(ascii: " "))
        headerBytes.append(contentsOf: value)
        headerBytes.append(0x0A)
    }

    fileprivate mutating func readBody(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool) {
        let count = min(buffer.count, body.count - sentBytes)
        body.withUnsafeBufferPointer { body in
            guard let source = body.baseAddress, let target = buffer.baseAddress else { return }
            target.update(from: source + sentBytes, count: count)
        }
        sentBytes += count
        return (count, sentBytes == body.count)
    }
}
