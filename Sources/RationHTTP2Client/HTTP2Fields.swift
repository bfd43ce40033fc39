/// The fields of a header, in the order in which they were added: in one piece of memory that is used again.
public struct HTTP2Fields: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        var start: Int32
        var nameCount: Int32
        var valueCount: Int32
        /// Whether other requests have the same: then the server is told once (RFC 7541, section 6.2).
        var isShared: Bool
    }

    private(set) var bytes: [UInt8] = []
    private(set) var places: [Place] = []

    public init() {}

    /// - Parameters:
    ///   - name: in small letters.
    ///   - value: without line ends.
    ///   - isShared: whether other requests on the connection have the same value; what differs in each of them would only push
    ///     out of the server's table what they share.
    public mutating func add(_ name: String, _ value: String, isShared: Bool = true) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        let nameCount = bytes.count - start
        bytes.append(contentsOf: value.utf8)
        places.append(
            Place(
                start: Int32(start), nameCount: Int32(nameCount), valueCount: Int32(bytes.count - start - nameCount),
                isShared: isShared))
    }

    /// Keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }

    /// As they are shown: `name: value`.
    public var lines: [String] {
        places.map { place in
            let nameEnd = Int(place.start + place.nameCount)
            let name = String(decoding: bytes[Int(place.start)..<nameEnd], as: UTF8.self)
            return "\(name): \(String(decoding: bytes[nameEnd..<nameEnd + Int(place.valueCount)], as: UTF8.self))"
        }
    }
}
