import RationModel
import TestSupport

/// A `schedule` with an `at` trigger, by numbers: what both planners are given, each in its own form.
struct Step {
    var recipient: Int
    var id: Int
    /// When it is wanted.
    var date: Instant

    /// 2026-12-01T08:00:00Z: the instant of all batches that do not say another.
    static let now = Instant(milliseconds: 1_796_112_000_000)

    static let app = "com.example.habits"
    static func device(_ recipient: Int) -> String { "d\(digits(recipient, 7))" }
    static func id(_ id: Int) -> String { "com.myapp.habitReminder.water.\(digits(id, 5))" }
    static let content = #"{"title":"Water","body":"Time for a glass","category":"reminder","userInfo":{"habit":42}}"#

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The type of an id.
    static func type(of id: Int) -> Int { id % PlannedPolicy.typeCount }

    /// Random ones, from an hour after now on.
    /// - Parameters:
    ///   - ids: each recipient has so many ids.
    ///   - days: how far ahead dates lie.
    static func random(
        _ count: Int, recipients: Int, ids: Int, days: Int, random: inout SplitMix64
    ) -> [Step] {
        Array(
            (0..<count).map { _ in
                Step(
                    recipient: .random(in: 0..<recipients, using: &random), id: .random(in: 0..<ids, using: &random),
                    date: date(days: days, &random))
            })
    }

    /// One for each of a recipient's first ids.
    static func filling(_ recipient: Int, ids: Int, days: Int, random: inout SplitMix64) -> [Step] {
        Array((0..<ids).map { Step(recipient: recipient, id: $0, date: date(days: days, &random)) })
    }

    private static func date(days: Int, _ random: inout SplitMix64) -> Instant {
        now.advanced(by: 3_600_000 + .random(in: 0..<Int64(days) * 86_400_000, using: &random))
    }
}
