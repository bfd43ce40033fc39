import RationModel
import RationPlanner
import Testing

@Suite("Wrong rules are caught")
struct WrongRuleTests {
    private static let hour: Int64 = 3_600_000

    private func broken(_ make: @escaping () -> any Rule) -> [RuleConformance.Law] {
        RuleConformance(make: make, typeCount: 2, seed: 1).broken().map(\.law)
    }

    /// Whether an instant lies in an odd hour.
    private static func isOdd(_ instant: Instant) -> Bool { instant.milliseconds / hour % 2 == 1 }

    @Test("one that goes back, and one that stays where it is")
    func back() {
        #expect(broken { DatelessRule { Self.isOdd($0) ? .later($0.advanced(by: -1)) : .allowed } }.contains(.forward))
        #expect(broken { DatelessRule { Self.isOdd($0) ? .later($0) : .allowed } }.contains(.forward))
    }

    @Test("one that forbids what it has given")
    func unsettled() {
        #expect(
            broken { DatelessRule { Self.isOdd($0) ? .later($0.advanced(by: 60_000)) : .allowed } }
                .contains(.fixedPoint))
        #expect(broken { DatelessRule { .later($0.advanced(by: 1)) } } == [.fixedPoint])
    }

    @Test("one that moves further than it must")
    func tooFar() {
        @Sendable func end(_ instant: Instant, _ more: Int64) -> Ruling {
            guard Self.isOdd(instant) else { return .allowed }
            return .later(Instant(milliseconds: (instant.milliseconds / Self.hour + 1) * Self.hour + more))
        }
        #expect(broken { DatelessRule { end($0, 0) } } == [])
        #expect(broken { DatelessRule { end($0, 1) } } == [.earliest])
        #expect(broken { DatelessRule { end($0, Self.hour * 2) } } == [.earliest])
    }

    @Test("one that answers differently the second time, or in another instance")
    func random() {
        let asked = Asked()
        #expect(
            broken { DatelessRule { asked.next() % 2 == 0 ? .allowed : .later($0.advanced(by: 1)) } }
                .contains(.determinism))
        let made = Asked()
        #expect(
            broken {
                let number = made.next()
                return DatelessRule { _ in number % 2 == 0 ? .allowed : .evicted(.cap) }
            } == [.determinism])
        #expect(broken { UnsteadyRule() } == [.settings])
    }

    @Test("one that looks further than it says, and one that says that it looks at nothing")
    func beyondReach() {
        let gap: @Sendable (Instant, [Instant]) -> Ruling = { instant, dates in
            var date = instant
            for other in dates where abs(other.milliseconds - date.milliseconds) < Self.hour {
                date = other.advanced(by: Self.hour)
            }
            return date == instant ? .allowed : .later(date)
        }
        #expect(broken { DatedRule(isSymmetric: true, answer: gap) } == [])
        #expect(broken { DatedRule(reachMilliseconds: Self.hour - 1, answer: gap) }.contains(.reach))
        #expect(broken { DatedRule(counting: .none, reachMilliseconds: 0, answer: gap) }.contains(.counting))
        #expect(broken { DatedRule(counting: .none, answer: { _, _ in .allowed }) } == [.counting])
    }

    @Test("one that says that it is symmetric, and is not: it looks only back")
    func asymmetric() {
        let gapBehind: @Sendable (Instant, [Instant]) -> Ruling = { instant, dates in
            let near = dates.last { $0 <= instant && $0.advanced(by: Self.hour) > instant }
            guard let near else { return .allowed }
            var date = near.advanced(by: Self.hour)
            for other in dates where other > near && other <= date { date = other.advanced(by: Self.hour) }
            return .later(date)
        }
        #expect(broken { DatedRule(isSymmetric: false, answer: gapBehind) } == [])
        #expect(broken { DatedRule(isSymmetric: true, answer: gapBehind) } == [.symmetric])
    }

    @Test("one that allows beside many what it forbids beside one, and says that it is symmetric")
    func notMonotone() {
        let lonely: @Sendable (Instant, [Instant]) -> Ruling = { instant, dates in
            let near = dates.filter { abs($0.milliseconds - instant.milliseconds) < Self.hour }
            return near.count == 1 ? .evicted(.cap) : .allowed
        }
        #expect(broken { DatedRule(answer: lonely) } == [])
        #expect(broken { DatedRule(isSymmetric: true, answer: lonely) }.contains(.monotone))
    }

    @Test("one that ends what is shown before it is shown")
    func early() {
        #expect(broken { EarlyEndRule() } == [.end])
    }
}
