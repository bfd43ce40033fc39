/// Random numbers that are the same from the same seed on every machine (SplitMix64).
struct Dice {
    private var state: UInt64

    /// - Parameter stream: tells apart several sequences of one seed.
    init(seed: UInt64, stream: UInt64 = 0) {
        state = seed &+ stream &* 0xD1B5_4A32_D192_ED03
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// - Parameter bound: at least 1.
    /// - Returns: 0 ..< `bound`.
    mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "nothing lies below \(bound)")
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    mutating func hits(oneIn count: Int) -> Bool {
        below(count) == 0
    }

    /// - Parameter values: at least one.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[below(values.count)]
    }

    /// The place of a weight, as often as it says.
    /// - Parameter weights: at least one above 0, none below.
    mutating func pick(weights: [Int]) -> Int {
        var left = below(weights.reduce(0, +))
        for (place, weight) in weights.enumerated() {
            if left < weight { return place }
            left -= weight
        }
        // `left` began below the sum of all weights.
        return weights.count - 1
    }
}
