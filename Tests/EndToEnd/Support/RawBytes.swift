import Testing

/// Bytes for an endpoint that expects ZeroMQ.
struct RawBytes: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    private init(_ description: String, _ bytes: [UInt8]) {
        testDescription = description
        self.bytes = bytes
    }

    static let seed: UInt64 = 20_261_130

    static let hostile = [
        RawBytes("HTTP", Array("GET / HTTP/1.1\r\nHost: ration\r\n\r\n".utf8)),
        RawBytes(
            "a TLS client hello", [0x16, 3, 1, 0, 0xC8, 1, 0, 0, 0xC4, 3, 3] + Array(repeating: 0x5A, count: 194)),
        RawBytes("random bytes of seed \(seed)", random(100_000)),
        RawBytes("a greeting of ZMTP, then random bytes of seed \(seed)", greeting + random(100_000)),
        RawBytes("a greeting of ZMTP, then a frame of 2^63 bytes", greeting + longFrame),
        RawBytes("a version of ZMTP that does not exist", signature + [99]),
        RawBytes("nothing", []),
    ]

    private static let signature: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F]
    /// Signature, version 3.0, mechanism NULL, no server, and filler.
    private static let greeting = signature + [3, 0] + Array("NULL".utf8) + Array(repeating: 0, count: 48)
    private static let longFrame: [UInt8] =
        [2, 0x7F] + Array(repeating: 0xFF, count: 7) + Array(repeating: 0, count: 9_000)

    /// The same bytes in every run.
    static func random(_ count: Int) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            // Knuth's constants of a linear congruential generator; its high bits are good enough.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}
