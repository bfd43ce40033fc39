/// One thing that was measured.
struct Figure {
    /// What a figure must reach.
    enum Aim {
        case atLeast(Double)
        case atMost(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let limit): value >= limit
            case .atMost(let limit): value <= limit
            }
        }

        var text: String {
            switch self {
            case .atLeast(let limit): "at least \(Self.text(limit))"
            case .atMost(let limit): "at most \(Self.text(limit))"
            }
        }

        private static func text(_ limit: Double) -> String {
            limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
        }
    }

    /// Its key in JSON.
    let name: String
    /// For people.
    let text: String
    let value: Double
    let unit: String
    var digits = 0
    var aim: Aim?

    var isMissed: Bool { aim.map { !$0.isMet(by: value) } ?? false }
}
