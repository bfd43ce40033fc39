import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct WakeIndexTests {
    @Test("whatever is set, moved and taken out, the earliest wake comes first")
    func earliestFirst() {
        for seed in UInt64(1)...50 {
            var random = SplitMix64(seed: seed)
            var index = WakeIndex()
            var expected: [UInt32: Int64] = [:]
            for _ in 0..<400 {
                let row = UInt32(random.next() % 40)
                if random.next() % 4 == 0 {
                    index.set(row, to: .distantFuture)
                    expected[row] = nil
                } else {
                    let wake = Int64(random.next() % 100)
                    index.set(row, to: Instant(milliseconds: wake))
                    expected[row] = wake
                }
                #expect(index.earliest?.milliseconds == expected.values.min(), "seed \(seed)")
            }
            var taken: [Int64] = []
            while let row = index.first, let wake = index.earliest {
                #expect(expected[row] == wake.milliseconds, "seed \(seed)")
                taken.append(wake.milliseconds)
                index.set(row, to: .distantFuture)
            }
            #expect(taken == expected.values.sorted(), "seed \(seed)")
        }
    }

    @Test("one that waits for nothing is not in the index, however often it is taken out")
    func absent() {
        var index = WakeIndex()
        index.set(3, to: .distantFuture)
        index.set(3, to: Instant(milliseconds: 1))
        index.set(3, to: .distantFuture)
        index.set(3, to: .distantFuture)
        #expect(index.first == nil)
        #expect(index.earliest == nil)
    }
}
