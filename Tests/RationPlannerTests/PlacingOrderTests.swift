import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct PlacingOrderTests {
    @Test(
        "the order is (priority, requested date, id) as the library sorts it, sorted, shuffled or the same before",
        arguments: UInt64(1)...120)
    func generated(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 0...400, using: &random)
        let (priorities, dates) = ([1, 2, 3, 50][Int(seed % 4)], [1, 10, 100_000][Int(seed % 3)])
        var keys = (0..<count).map { _ in
            [Int.random(in: 0..<priorities, using: &random), Int.random(in: 0..<dates, using: &random)]
        }
        if seed % 5 == 0 { keys.sort { $0[1] < $1[1] } }
        // No two ids are the same: the order of ids is any.
        let ids = (0..<count).shuffled(using: &random)
        var order = PlacingOrder()
        for place in 0..<count { order.append(Self.notification(keys[place]), at: place) }
        order.sort { ids[$0] < ids[$1] }
        let sorted = (0..<count).sorted { (keys[$0] + [ids[$0]]).lexicographicallyPrecedes(keys[$1] + [ids[$1]]) }
        #expect((0..<order.count).map { order[$0] } == sorted, "seed \(seed)")
        order.removeAll()
        #expect(order.count == 0)
    }

    private static func notification(_ key: [Int]) -> PendingNotification {
        let date = Instant(milliseconds: Int64(key[1]))
        return PendingNotification(
            fireDate: date, requestedDate: date, record: 0, priority: Int32(key[0]), typeIndex: 0, idHash: 0, before: 0,
            flags: [])
    }
}
