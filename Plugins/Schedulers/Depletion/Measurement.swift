import RationModel
import RationPluginKit

/// How much there was of a supply at an instant.
struct Measurement: Hashable {
    var instant: Instant
    /// At least 0.
    var quantity: Double

    /// A supply that lasts longer, a hundred years, is taken not to run out.
    static let longestDays = 36_525.0

    /// When nothing is left; nil if that is too far away to matter.
    func end(usePerDay: Double) -> Instant? {
        guard usePerDay > 0 else { return nil }
        let days = quantity / usePerDay
        // Also false for what is no number.
        guard days <= Self.longestDays else { return nil }
        // At most 3.2e12 ms.
        return instant.advanced(by: Int64((days * Double(Instant.dayMilliseconds)).rounded()))
    }
}

/// The measurements of one supply, rising in time.
struct MeasurementSeries {
    /// Of each instant one.
    private(set) var points: [Measurement]

    /// The measurements that count: the latest.
    static let limit = 64
    /// Two that lie nearer to each other tell nothing about a day's use.
    static let nearestMilliseconds: Int64 = 3_600_000

    /// - Parameters:
    ///   - points: in any order; of several of an instant the lowest counts.
    ///   - own: what the supply itself says; before others of its instant.
    init(_ points: [Measurement], own: Measurement?) {
        var all = points.filter { $0.instant != own?.instant }
        if let own { all.append(own) }
        all.sort { ($0.instant, $0.quantity) < ($1.instant, $1.quantity) }
        var kept: [Measurement] = []
        for point in all where kept.last?.instant != point.instant { kept.append(point) }
        self.points = Array(kept.suffix(Self.limit))
    }

    var last: Measurement? { points.last }

    /// The use of a day: the median of the slopes between all pairs since the last refill (Theil–Sen estimator). A rise is a
    /// refill. As long as nothing is known since, those between the refills before tell.
    /// - Returns: nil without two measurements an hour apart between two refills.
    var usePerDay: Double? {
        var end = points.count
        while end > 1 {
            var start = end - 1
            while start > 0, points[start - 1].quantity >= points[start].quantity { start -= 1 }
            if let median = Self.median(Self.slopes(points[start..<end])) { return median }
            end = start
        }
        return nil
    }

    /// Falls a day, none negative.
    private static func slopes(_ points: ArraySlice<Measurement>) -> [Double] {
        var slopes: [Double] = []
        for (place, first) in zip(points.indices, points) {
            for second in points[(place + 1)...] {
                // Instants of the years 0 to 9999: no overflow.
                let apart = second.instant.milliseconds - first.instant.milliseconds
                guard apart >= nearestMilliseconds else { continue }
                slopes.append(
                    (first.quantity - second.quantity) / (Double(apart) / Double(Instant.dayMilliseconds)))
            }
        }
        return slopes
    }

    /// The middle one, or the mean of the two in the middle; nil of none.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2
    }
}

/// The rows of the measurements, by supply.
struct Measurements {
    private var bySupply: [[UInt8]: [Measurement]] = [:]

    /// Leaves out rows that cannot be used, and those that lie ahead until they do not.
    init(_ rows: [FactRow], now: Instant, _ wanted: inout WantedNotifications) {
        let table = DepletionScheduler.measurements
        for row in rows {
            do throws(FactFault) {
                let point = Measurement(instant: try table.instant(row, 2), quantity: row.number(1))
                guard point.quantity >= 0, point.quantity.isFinite else {
                    throw table.fault(row, 1, "expected a number of at least 0, found \(point.quantity)")
                }
                guard point.instant <= now else {
                    wanted.changes(at: point.instant, after: now)
                    throw table.fault(row, 2, "expected a measurement before now, found \(point.instant.rfc3339)")
                }
                bySupply[Array(row.text(0).utf8), default: []].append(point)
            } catch {
                wanted.faults.append(error)
            }
        }
    }

    func series(of supply: String, with own: Measurement?) -> MeasurementSeries {
        let points = bySupply.isEmpty ? [] : bySupply[Array(supply.utf8)] ?? []
        return MeasurementSeries(points, own: own)
    }
}
