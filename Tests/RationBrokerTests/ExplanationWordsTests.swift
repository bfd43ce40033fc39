import RationModel
import Testing

@testable import RationBroker
@testable import RationPlanner

@Suite("Words of explanations")
struct ExplanationWordsTests {
    /// 2026-12-01T23:00Z.
    private static let night = Instant(milliseconds: 1_796_166_000_000)
    private static let morning = night.advanced(by: 7 * 3_600_000 + 1_800_000)
    private let madrid = ZoneTable(name: "Europe/Madrid", offsetMilliseconds: 3_600_000)
    private let now = night.advanced(by: -3_600_000)

    /// Held, bound by rules, at the date that it asks for.
    private func explanation(_ change: (inout Explanation) -> Void = { _ in }) -> Explanation {
        var explanation = Explanation(
            app: "a", device: "d", id: "n", type: "nudge", typeSource: .intent, priority: 3,
            prioritySource: "types.nudge.priority", trigger: .at, timeZone: "Europe/Madrid",
            requestedDate: Self.night, unmovedDate: Self.night, fireDate: Self.night, isHeld: true, rank: 2, count: 80,
            slots: 64, order: "soonest")
        change(&explanation)
        return explanation
    }

    private func words(_ change: (inout Explanation) -> Void = { _ in }) -> [String] {
        explanation(change).words(in: madrid, now: now)
    }

    private func neighbour(_ id: String, _ date: Instant, hasFired: Bool = false) -> Explanation.Neighbour {
        Explanation.Neighbour(id: id, date: date, hasFired: hasFired)
    }

    @Test("one that holds a slot: the verdict, the type, the request, the rules, the place")
    func held() {
        #expect(
            words() == [
                "holds a slot and fires at 2026-12-01T23:00:00.000Z (Wed 00:00 in Europe/Madrid)",
                "type 'nudge', which its intent names; priority 3, from types.nudge.priority",
                "requested for 2026-12-01T23:00:00.000Z (Wed 00:00) by its trigger 'at'",
                "neither quiet hours nor caps move it: there it may fire",
                "place 2 of 80 in the order soonest; the device has 64 slots",
            ])
    }

    @Test("one that waits: also who has the last slots and what would give it one")
    func queued() {
        let waiting = words {
            ($0.isHeld, $0.rank, $0.slots) = (false, 70, 1)
            $0.displacedBy = [neighbour("x", Self.night), neighbour("y", Self.night.advanced(by: -1))]
            ($0.priorityThatHolds, $0.dateThatHolds) = (2, Self.night.advanced(by: -60_000))
        }
        #expect(waiting.first == "waits for a slot, planned for 2026-12-01T23:00:00.000Z (Wed 00:00 in Europe/Madrid)")
        #expect(
            waiting.suffix(3) == [
                "place 70 of 80 in the order soonest; the device has 1 slot",
                "the last slots are held by 'x' at 2026-12-01T23:00:00.000Z (Wed 00:00), "
                    + "'y' at 2026-12-01T22:59:59.999Z (Tue 23:59:59)",
                "priority 2, or a requested date of 2026-12-01T22:59:00.000Z (Tue 23:59), would give it a slot",
            ])
    }

    @Test(
        "what would give a slot is told as far as there is something",
        arguments: [
            (nil, nil, "neither another priority nor an earlier date would give it a slot"),
            (0, nil, "priority 0 would give it a slot"),
            (nil, night, "a requested date of 2026-12-01T23:00:00.000Z (Wed 00:00) would give it a slot"),
        ] as [(Int?, Instant?, String)])
    func wayOut(_ priority: Int?, _ date: Instant?, _ expected: String) {
        let waiting = words { ($0.isHeld, $0.priorityThatHolds, $0.dateThatHolds) = (false, priority, date) }
        #expect(waiting.last == expected)
    }

    @Test("a waiting one whose time has come says until when it waits")
    func overdue() {
        let waiting = explanation { $0.isHeld = false }.words(in: madrid, now: Self.night)
        #expect(waiting.first?.hasPrefix("waits for a slot with its time come") == true)
    }

    @Test(
        "where the type comes from",
        arguments: [
            (.intent, "which its intent names"), (.prefix("com.n"), "by the prefix 'com.n' of its id"),
            (.unknown, "as its intent names none and its id begins with no prefix of the policy"),
        ] as [(Explanation.TypeSource, String)])
    func typeSource(_ source: Explanation.TypeSource, _ expected: String) {
        let told = words { $0.typeSource = source }
        #expect(told[1] == "type 'nudge', \(expected); priority 3, from types.nudge.priority")
    }

    @Test("a requested date that has passed is told as planned from now on")
    func late() {
        #expect(words { $0.unmovedDate = Self.morning }[2].hasSuffix("'at', which has passed: planned from now on"))
    }

    @Test(
        "why no rule moves one that repeats or keeps its time",
        arguments: [
            (.repeating, "neither quiet hours nor caps move it, since it repeats; it counts for caps"),
            (.keepsTime, "neither quiet hours nor caps move it, since its type keeps its time; it counts for caps"),
        ] as [(Explanation.Exemption, String)])
    func exempt(_ exemption: Explanation.Exemption, _ expected: String) {
        #expect(words { $0.exemption = exemption }[3] == expected)
    }

    @Test("a move by quiet hours tells the window, and one by a cap those beside it, the nearest three")
    func moves() {
        let near = (0..<5).map {
            neighbour("n\($0)", Self.morning.advanced(by: Int64($0 - 3) * 60_000), hasFired: $0 < 3)
        }
        let told = words {
            $0.moves = [
                .init(
                    from: Self.night, to: Self.morning, rule: "quietHours",
                    reason: "quietHours[0], 22:00–07:30 in Europe/Madrid", beside: []),
                .init(
                    from: Self.morning, to: Self.morning.advanced(by: 3_600_000), rule: "caps[1]",
                    reason: "3 in less than 1h", beside: near),
            ]
        }
        #expect(
            told[3...4] == [
                "moved to 2026-12-02T06:30:00.000Z (Wed 07:30) by quietHours[0], 22:00–07:30 in Europe/Madrid",
                "moved to 2026-12-02T07:30:00.000Z (Wed 08:30) by caps[1], 3 in less than 1h, "
                    + "beside 'n2' fired at 2026-12-02T06:29:00.000Z (Wed 07:29), "
                    + "'n3' at 2026-12-02T06:30:00.000Z (Wed 07:30), 'n4' at 2026-12-02T06:31:00.000Z (Wed 07:31) and 2 more",
            ])
        #expect(told.count == 6)
    }

    @Test("a quota tells its bounds, and what they did to this one")
    func shares() {
        func last(_ share: Explanation.Share, isHeld: Bool = true, rank: Int = 2) -> String? {
            words { ($0.share, $0.isHeld, $0.rank) = (share, isHeld, rank) }.first { $0.hasPrefix("quotas.") }
        }
        let both = Explanation.Share(quota: "nudge", minimum: 2, maximum: 6, held: 1)
        let bounds = "at least 2 while it has something pending, at most 6 of these slots"
        #expect(last(both) == "quotas.nudge gives this type \(bounds); 1 is taken")
        #expect(
            last(both, rank: 70)
                == "quotas.nudge gives this type \(bounds); 1 is taken, which gives it a slot before its turn")
        let full = Explanation.Share(quota: "*", minimum: nil, maximum: 6, held: 6)
        #expect(
            last(full, isHeld: false)
                == "quotas.* gives all types that no other quota names at most 6 of these slots; 6 are taken, "
                + "so that it is passed over")
    }

    @Test("in UTC dates stand alone")
    func utc() {
        #expect(explanation().words(in: .utc, now: now)[0] == "holds a slot and fires at 2026-12-01T23:00:00.000Z")
    }
}
