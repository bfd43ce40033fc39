import RationModel
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

    @Test("one that was forgotten is not found, the others stay in their rows, and it may come again in another")
    func vacated() {
        var table = RecipientTable(seed: 7)
        func insert(_ numbers: Range<Int>, _ table: inout RecipientTable) {
            for number in numbers {
                withKey("app", "\(number)") { key in
                    _ = table.insert(key, appCount: 3, hash: table.hash(key), revision: 0)
                }
            }
        }
        insert(0..<20, &table)
        table.vacate(7)
        withKey("app", "7") { key in #expect(table.row(key, hash: table.hash(key)) == nil) }
        // It grows meanwhile.
        insert(20..<200, &table)
        insert(7..<8, &table)
        for number in 0..<200 {
            withKey("app", "\(number)") { key in
                #expect(table.row(key, hash: table.hash(key)) == (number == 7 ? 200 : number))
            }
        }
        #expect(table.count == 201 && table.vacantCount == 1)
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
