import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct FixedDatesTests {
    @Test("dates stand in their order with their marks, and are found, as in a sorted array, on generated dates")
    func generated() {
        for seed in UInt64(1)...150 {
            var random = SplitMix64(seed: seed)
            // Nearly in order, in any order, or many the same.
            let spread = [0, 3, 40, 2000][Int(seed % 4)]
            var dates = FixedDates()
            var sorted: [(date: Int64, mark: UInt64)] = []
            for number in 0..<Int.random(in: 0...300, using: &random) {
                if Int.random(in: 0..<200, using: &random) == 0 {
                    dates.removeAll()
                    sorted.removeAll()
                }
                let date = Int64(number / 2 + Int.random(in: -spread...spread, using: &random))
                let mark = random.next()
                dates.insert(Instant(milliseconds: date), mark: mark)
                // Behind those of the same date.
                sorted.insert((date, mark), at: sorted.firstIndex { $0.date > date } ?? sorted.count)
                guard number % 10 == 0 else { continue }
                let asked = date + Int64.random(in: -4...4, using: &random)
                check(dates, sorted, at: asked, "seed \(seed), date \(number)")
            }
            check(dates, sorted, at: .min, "seed \(seed)")
        }
    }

    private func check(
        _ dates: borrowing FixedDates, _ sorted: [(date: Int64, mark: UInt64)], at date: Int64, _ place: String
    ) {
        var found: [(date: Int64, mark: UInt64)] = []
        for index in 0..<dates.count { found.append((dates[index].date.milliseconds, dates[index].mark)) }
        #expect(found.map(\.date) == sorted.map(\.date), "\(place)")
        #expect(found.map(\.mark) == sorted.map(\.mark), "\(place)")
        let from = dates.firstIndex(from: Instant(milliseconds: date))
        let after = dates.firstIndex(after: Instant(milliseconds: date))
        #expect(from == sorted.firstIndex { $0.date >= date } ?? sorted.count, "\(place)")
        #expect(after == sorted.firstIndex { $0.date > date } ?? sorted.count, "\(place)")
    }

    @Test("the ends of time have no place after them")
    func ends() {
        var dates = FixedDates()
        #expect(dates.firstIndex(from: .distantPast) == 0)
        dates.insert(.distantPast, mark: 1)
        dates.insert(Instant(milliseconds: .max - 1), mark: 2)
        #expect(dates.firstIndex(after: .distantPast) == 1)
        #expect(dates.firstIndex(after: Instant(milliseconds: .max - 1)) == 2)
        #expect(dates.firstIndex(from: .distantFuture) == 2)
    }
}
