/// Many durations, of which percentiles are told.
struct Latencies {
    private var values: [Int] = []

    var count: Int { values.count }

    mutating func add(_ nanoseconds: Int) { values.append(nanoseconds) }

    mutating func add(_ others: Latencies) { values += others.values }

    /// Milliseconds below or at which so large a part of them lies: the nearest rank.
    /// - Parameter part: 0...1; 1 is the longest.
    func milliseconds(at part: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((Double(sorted.count) * part).rounded(.up))
        return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1e6
    }

    /// How many are shorter.
    func count(below milliseconds: Int) -> Int { values.count { $0 < milliseconds * 1_000_000 } }

    /// "p50 1.20, p99 3.40, p99.9 5.60, longest 7.80 ms".
    var text: String {
        let parts = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("longest", 1)]
        return parts.map { "\($0) \(Decimals.text(milliseconds(at: $1), 2))" }.joined(separator: ", ") + " ms"
    }
}
