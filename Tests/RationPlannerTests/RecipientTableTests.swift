import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct RecipientTableTests {
    @Test("every key is found at its row, also after the table has grown over several chunks")
    func found() {
        var table = RecipientTable(seed: 7)
        for number in 0..<10_000 {
            withKey("app", "device \(number)") { key in
                #expect(table.row(key, hash: table.hash(key)) == nil)
                #expect(table.insert(key, appCount: 3, hash: table.hash(key), revision: 0) == number)
            }
        }
        for number in 0..<10_000 {
            withKey("app", "device \(number)") { key in
                #expect(table.row(key, hash: table.hash(key)) == number)
            }
        }
        #expect(table.count == 10_000)
    }

    @Test("keys whose hashes are equal are told apart by their bytes")
    func collisions() {
        var table = RecipientTable(seed: 7)
        // Fewer than make the table grow, which hashes the keys anew.
        for number in 0..<30 {
            withKey("app", "\(number)") { key in _ = table.insert(key, appCount: 3, hash: 42, revision: 0) }
        }
        for number in 0..<30 {
            withKey("app", "\(number)") { key in #expect(table.row(key, hash: 42) == number) }
        }
        withKey("app", "100") { key in #expect(table.row(key, hash: 42) == nil) }
    }

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

    @Test("keys sort by app, then by device: an app that begins like another does not come between its devices")
    func order() {
        let keys = [("a", "z"), ("a-b", "a"), ("a.b", "a"), ("ab", "a")]
        for (left, right) in zip(keys, keys.dropFirst()) {
            withKey(left.0, left.1) { left in
                withKey(right.0, right.1) { right in #expect(Name.compare(left, right) < 0) }
            }
        }
    }

    private func withKey(_ app: String, _ device: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        (Array(app.utf8) + [0] + Array(device.utf8)).withUnsafeBytes(body)
    }
}
