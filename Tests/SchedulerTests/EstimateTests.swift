import RationModel
import RationPluginKit
import TestSupport
import Testing

@testable import DepletionScheduler

@Suite("Depletion: the use of a day, from measurements")
struct EstimateTests {
    private static let start = Instant.at("2026-06-01T12:00:00Z")

    /// Measurements at days since the start.
    private func series(_ points: (day: Double, quantity: Double)..., own: Measurement? = nil) -> MeasurementSeries {
        MeasurementSeries(points.map { Self.point($0.day, $0.quantity) }, own: own)
    }

    private static func point(_ day: Double, _ quantity: Double) -> Measurement {
        Measurement(
            instant: start.advanced(by: Int64(day * Double(Instant.dayMilliseconds))), quantity: quantity)
    }

    @Test("the median of the slopes between all pairs")
    func median() {
        #expect(series((0, 10), (1, 8), (2, 6)).usePerDay == 2)
        // 2, 1, 4/3, 0, 1, 2 a day: the middle is the mean of 1 and 4/3.
        #expect(series((0, 10), (1, 8), (2, 8), (3, 6)).usePerDay.map { abs($0 - 7.0 / 6) < 1e-12 } == true)
    }

    @Test("one wild measurement hardly matters")
    func robust() throws {
        let series = series((0, 100), (1, 98), (2, 96), (3, 10), (3.5, 9.9), (4, 9.8), (5, 9.6))
        #expect(try #require(series.usePerDay) < 30)
        let tame = MeasurementSeries(
            (0..<20).map { Self.point(Double($0), 100 - 2 * Double($0) - ($0 == 19 ? 50 : 0)) }, own: nil)
        #expect(try #require(tame.usePerDay) == 2)
    }

    @Test("a rise is a refill: what was before does not count, as long as something is known since")
    func refill() {
        #expect(series((0, 10), (1, 5), (2, 40), (3, 39)).usePerDay == 1)
        #expect(series((0, 10), (1, 5), (2, 40)).usePerDay == 5)
        #expect(series((0, 10), (1, 5), (2, 40), (2.01, 39)).usePerDay == 5)
        #expect(series((0, 10), (1, 20), (2, 40)).usePerDay == nil)
    }

    @Test("nothing is known from none, one, or two that lie within an hour; unused is a use of nothing")
    func unknown() {
        #expect(series().usePerDay == nil && series((0, 3)).usePerDay == nil)
        #expect(series((0, 3), (0.04, 2)).usePerDay == nil)
        #expect(series((0, 3), (1, 3)).usePerDay == 0)
        #expect(series((0, 3), (1, 3)).last?.end(usePerDay: 0) == nil)
    }

    @Test("of one instant the supply's own measurement counts, else the lowest; of all the latest 64")
    func choice() {
        #expect(series((0, 3), (1, 2), (1, 1)).last?.quantity == 1)
        #expect(series((0, 3), (1, 2), (1, 1), own: Self.point(1, 2.5)).last?.quantity == 2.5)
        let many = MeasurementSeries((0..<200).map { Self.point(Double($0), 1_000 - Double($0)) }, own: nil)
        #expect(many.points.count == 64 && many.last?.quantity == 801)
    }

    @Test("absurd quantities neither trap nor give a use below nothing")
    func absurd() {
        let quantities = [0, 1e308, 5e-300, 1e300, .greatestFiniteMagnitude, 1e-9, 12]
        for seed in UInt64(1)...200 {
            var random = SplitMix64(seed: seed)
            let points = (0..<9).map { _ in
                Self.point(
                    Double.random(in: -3...3, using: &random), quantities.randomElement(using: &random) ?? 0)
            }
            let series = MeasurementSeries(points, own: nil)
            guard let use = series.usePerDay else { continue }
            #expect(use >= 0, "seed \(seed)")
            _ = series.last?.end(usePerDay: use)
        }
    }

    @Test("a supply without a given use is warned of by its measurements, the latest of which is what is left")
    func estimated() throws {
        let scheduler = try DepletionScheduler(settings: [])
        let supply: [String: FactValue] = ["supply": .text("lenses")]
        let measurements: [[String: FactValue]] = [(10, 14), (12, 12), (14, 10)].map { day, quantity in
            [
                "supply": .text("lenses"), "quantity": .number(Double(quantity)),
                "measuredAt": .at("2026-06-\(day)T12:00:00Z"),
            ]
        }
        // One a day: nothing is left at noon of the twenty-fourth.
        let answer = try scheduler.answer(
            ["supplies": [supply], "measurements": measurements], now: "2026-06-15T12:00:00Z")
        #expect(answer.notifications.map(\.date.text) == ["2026-06-21T09:00:00Z"])
        #expect(answer.notifications.map(\.expires) == [.at("2026-06-24T12:00:00Z")])
        // The last one lies ahead: it does not count yet.
        let earlier = try scheduler.answer(
            ["supplies": [supply], "measurements": measurements], now: "2026-06-13T12:00:00Z")
        #expect(earlier.nextChange == .at("2026-06-14T12:00:00Z"))
        #expect(earlier.faults.map { "\($0.table) \($0.row) \($0.column)" } == ["measurements 3 measuredAt"])
        #expect(earlier.notifications.count == 1)
        let negative =
            measurements + [
                ["supply": .text("lenses"), "quantity": .number(-1), "measuredAt": .at("2026-06-14T13:00:00Z")]
            ]
        let other = try scheduler.answer(
            ["supplies": [supply], "measurements": negative], now: "2026-06-15T12:00:00Z")
        #expect(other.faults.map(\.row) == [4] && other.notifications == answer.notifications)
    }
}
