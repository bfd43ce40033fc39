import RationJSON
import TestSupport
import Testing

@Suite("Writing JSON into memory that has room")
struct CursorTests {
    private static func written(_ count: Int, _ body: (inout JSONCursor) -> Void) -> String {
        var writer = JSONWriter()
        writer.raw("before ")
        writer.write(atMost: count, body)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("pieces stand one behind the other, and only what was written counts")
    func pieces() {
        let text = Self.written(100) { cursor in
            cursor.raw("{")
            "é".utf8CString.withUnsafeBytes { cursor.raw(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
            cursor.write(2) { $0.copyMemory(from: [0x61, 0x62] as [UInt8], byteCount: 2) }
            cursor.raw(UnsafeRawBufferPointer(start: nil, count: 0))
            cursor.raw("}")
        }
        #expect(text == "before {éab}")
    }

    @Test(
        "integers are written as Swift writes them",
        arguments: [0, 1, 9, 10, 99, 100, 12_345, -1, -10, 999_999_999_999, Int64.max, Int64.max - 1, .min, .min + 1])
    func integers(value: Int64) {
        #expect(Self.written(20) { $0.integer(value) } == "before \(value)")
    }

    @Test("numbers in so many digits have zeros before them, also of an odd count", arguments: 1...20)
    func digits(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        for _ in 0..<200 {
            let value = random.next() >> (random.next() % 64)
            let text = String(value)
            let zeros = String(repeating: "0", count: max(0, count - text.count))
            let expected = zeros + text.suffix(count)
            #expect(Self.written(count) { $0.digits(value, count: count) } == "before \(expected)", "\(value)")
        }
    }
}
