import Foundation

/// Numbers for people.
enum Decimals {
    static func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    /// With a comma before each three digits.
    static func grouped(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        let digits = Array(String(Int(value.rounded().magnitude)))
        let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max(0, $0 - 3)..<$0]) }
        return (value < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }
}
