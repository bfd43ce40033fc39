import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite("Recipients by their key")
struct RecipientTableTests {
    @Test("after any adding and removing, exactly those are found that were added and not removed, in their rows")
    func removing() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var table = RecipientTable(seed: seed)
            var known: [[UInt8]: Int] = [:]
            for _ in 0..<3_000 {
                let key = Array("a\0\(random.next() % 300)".utf8)
                key.withUnsafeBytes { bytes in
                    if let row = known.removeValue(forKey: key) {
                        table.remove(row)
                    } else {
                        known[key] = table.insert(bytes, appCount: 1, hash: table.hash(bytes), revision: 0)
                    }
                }
            }
            #expect(table.known == known.count, "seed \(seed)")
            for number in 0..<300 {
                let key = Array("a\0\(number)".utf8)
                let row = key.withUnsafeBytes { table.row($0, hash: table.hash($0)) }
                #expect(row == known[key], "seed \(seed), key \(number)")
            }
            let vacant = (0..<table.count).count { table.isVacant($0) }
            #expect(vacant == table.count - known.count, "seed \(seed)")
        }
    }
}
