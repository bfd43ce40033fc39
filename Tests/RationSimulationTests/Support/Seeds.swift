@testable import PlannerModel
import Glibc

/// Which generated scenarios the tests run: `RATION_SEEDS` many from `RATION_FIRST_SEED` on, by default 20,000 from 0 on.
enum Seeds {
    static let count = number("RATION_SEEDS") ?? 20_000
    static let first = number("RATION_FIRST_SEED") ?? 0
    /// All seeds, in parts that run beside each other.
    static let parts = parts(of: count)
    /// A fortieth of them, for tests that look at a plan after each step or run a scenario more than once.
    static let fewParts = parts(of: (count + 39) / 40)

    private static func number(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }

    private static func parts(of count: UInt64) -> [Range<UInt64>] {
        (0..<20).map { part in first + count * part / 20..<first + count * (part + 1) / 20 }
    }
}
