import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct OwnedBufferTests {
    @Test("it holds what an array holds, whatever is appended and removed")
    func likeAnArray() {
        for seed in UInt64(1)...50 {
            var random = SplitMix64(seed: seed)
            var buffer = OwnedBuffer<UInt64>()
            var expected: [UInt64] = []
            for _ in 0..<300 {
                switch random.next() % 4 {
                case 0 where !expected.isEmpty:
                    let count = Int(random.next() % UInt64(expected.count + 1))
                    buffer.removeLast(count)
                    expected.removeLast(count)
                case 1 where !expected.isEmpty:
                    let count = Int(random.next() % UInt64(expected.count + 1))
                    buffer.removeFirst(count)
                    expected.removeFirst(count)
                default:
                    let element = random.next()
                    buffer.append(element)
                    expected.append(element)
                }
                let held = Array(buffer.elements)
                #expect(held == expected, "seed \(seed)")
            }
        }
    }

    @Test("bytes are found again at the range that appending gave")
    func ranges() {
        var buffer = OwnedBuffer<UInt8>()
        var ranges: [(ByteRange, [UInt8])] = []
        for count in 0..<200 {
            let bytes = [UInt8](repeating: UInt8(count), count: count)
            ranges.append((bytes.withUnsafeBytes { buffer.append($0) }, bytes))
        }
        for (range, bytes) in ranges {
            let held = Array(buffer.view(range))
            #expect(held == bytes)
        }
    }
}
