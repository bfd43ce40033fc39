/// How often things happened, so that a simulation cannot silently stop doing one.
struct Tally {
    private(set) var counts: [String: Int] = [:]

    mutating func count(_ what: String, _ times: Int = 1) { counts[what, default: 0] += times }

    mutating func add(_ other: Tally) {
        for (what, times) in other.counts { count(what, times) }
    }

    /// Members of an object.
    var json: String {
        counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    }
}
