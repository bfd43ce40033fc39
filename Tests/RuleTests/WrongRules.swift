import RationModel
import RationPlanner
import Synchronization

/// Counts how often a wrong rule was asked.
final class Asked: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// A rule that looks at no dates and answers as a function says.
struct DatelessRule: Rule {
    let path: String
    let answer: @Sendable (Instant) -> Ruling

    init(_ path: String = "wrong", _ answer: @escaping @Sendable (Instant) -> Ruling) {
        self.path = path
        self.answer = answer
    }

    func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling {
        answer(instant)
    }
}

/// A rule that answers as a function of the instant and the nearest dates says.
struct DatedRule: Rule {
    let path = "wrong"
    var counting = RuleCounting.all
    var reachMilliseconds: Int64 = 3_600_000
    var isSymmetric = false
    let answer: @Sendable (Instant, _ dates: [Instant]) -> Ruling

    func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling {
        answer(instant, (0..<dates.count).map { dates[$0].date })
    }
}

/// A rule that binds another kind whenever it is asked.
struct UnsteadyRule: Rule {
    let path = "wrong"
    let asked = Asked()

    func binds(type: TypeIndex, level: InterruptionLevel) -> Bool { asked.next() % 5 == 0 }

    func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling { .allowed }
}

/// A rule that ends what is shown before it is shown.
struct EarlyEndRule: Rule {
    let path = "wrong"

    func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling { .allowed }

    func end(
        of notification: RuledNotification, after instant: Instant, until limit: Instant, in zone: ZoneTable
    ) -> Instant { instant.advanced(by: -1) }
}

/// Where the rules of a test come from.
struct GivenRules: RuleSource {
    static let name = "given"
    let given: [any Rule]

    init(_ given: any Rule...) {
        self.given = given
    }

    func rules(of policy: Policy, types: PolicyTypes, device: DeviceSettings?) -> [any Rule] { given }
}
