import RationModel
import Testing

@Suite("Caps and quotas that break a rule of semantics.md section 3 are refused with the path of the fault")
struct PolicyCapTests {
    private static func quota(_ type: String, min: SlotShare? = nil, max: SlotShare? = nil) -> Quota {
        var quota = Quota(type: type)
        (quota.minimum, quota.maximum) = (min, max)
        return quota
    }

    private static func faults(slots: Int = 64, _ quotas: Quota...) -> [String] {
        PolicyTests.faults {
            $0.slots = slots
            $0.setQuotas(quotas)
        }
    }

    private static func cap(limit: Int = 1, per: Int64 = 3_600_000, types: [String]? = nil) -> Cap {
        var cap = Cap(limit: limit, perMilliseconds: per)
        cap.types = types
        return cap
    }

    @Test("A cap's limit is from 1 to 256")
    func limit() {
        for (limit, isRight) in [
            (Int.min, false), (-1, false), (0, false), (1, true), (256, true), (257, false), (.max, false),
        ] {
            #expect(PolicyTests.faults { $0.caps = [Self.cap(limit: limit)] } == (isRight ? [] : ["caps[0].limit"]))
        }
    }

    @Test("A cap's stretch is longer than nothing and no longer than 3653 days")
    func per() {
        let longest: Int64 = 3653 * 86_400_000
        for (per, isRight) in [
            (.min, false), (-1, false), (0, false), (1, true), (longest, true), (longest + 1, false),
        ] {
            #expect(
                PolicyTests.faults { $0.caps = [Self.cap(), Self.cap(per: per)] } == (isRight ? [] : ["caps[1].per"]))
        }
    }

    @Test("At most 32 caps, and 10,000 types in one, with plain names")
    func counts() {
        #expect(PolicyTests.faults { $0.caps = [Cap](repeating: Self.cap(), count: 32) } == [])
        #expect(PolicyTests.faults { $0.caps = [Cap](repeating: Self.cap(), count: 33) } == ["caps"])
        let types = (0...10_000).map { "t\($0)" }
        #expect(PolicyTests.faults { $0.caps = [Self.cap(types: Array(types.dropLast()))] } == [])
        #expect(PolicyTests.faults { $0.caps = [Self.cap(types: types)] } == ["caps[0].types"])
        let names = ["a", "*", "", "a/b", "unknown"]
        #expect(PolicyTests.faults { $0.caps = [Self.cap(types: names)] } == [1, 2, 3].map { "caps[0].types[\($0)]" })
        #expect(PolicyTests.faults { $0.caps = [Self.cap(types: [])] } == [])
    }

    @Test("Whole numbers of slots have ends, and so have percentages")
    func shares() {
        for (share, isRight) in [
            (SlotShare.slots(-1), false), (.slots(0), true), (.slots(10_000), true), (.slots(10_001), false),
            (.slots(.min), false), (.slots(.max), false), (.percent(-1), false), (.percent(0), true),
            (.percent(100), true),
            (.percent(101), false), (.percent(.max), false),
        ] {
            #expect(Self.faults(slots: 10_000, Self.quota("a", min: share)) == (isRight ? [] : ["quotas.a.min"]))
            #expect(Self.faults(Self.quota("a", max: share)) == (isRight ? [] : ["quotas.a.max"]))
        }
    }

    @Test("Minimums are together at most the slots, percentages of these and each rounded down")
    func minimums() {
        let all = { (shares: [SlotShare]) in shares.enumerated().map { Self.quota("t\($0)", min: $1) } }
        for (slots, shares, isRight) in [
            (64, [.slots(40), .slots(10), .slots(14)], true), (64, [.slots(40), .slots(10), .slots(15)], false),
            (0, [.slots(0), .percent(100)], true), (0, [.slots(1)], false), (64, [.slots(64)], true),
            (64, [.slots(65)], false), (7, [.percent(50), .percent(50), .slots(1)], true),
            (7, [.percent(50), .percent(50), .slots(2)], false), (64, [.percent(100)], true),
            (64, [.percent(100), .percent(1)], true), (64, [.percent(100), .percent(2)], false),
        ] as [(Int, [SlotShare], Bool)] {
            let paths = PolicyTests.faults {
                $0.slots = slots
                $0.setQuotas(all(shares))
            }
            #expect(paths == (isRight ? [] : ["quotas"]), "\(shares) of \(slots)")
        }
    }

    @Test("A minimum is not over its maximum: as slots, and as two percentages")
    func ends() {
        for (slots, min, max, isRight) in [
            (64, .slots(10), .slots(10), true), (64, .slots(11), .slots(10), false),
            (64, .slots(6), .percent(10), true),
            (64, .slots(7), .percent(10), false), (64, .percent(10), .slots(6), true),
            (64, .percent(10), .slots(5), false),
            (64, .percent(10), .percent(10), true), (64, .percent(11), .percent(10), false),
            // Both are no slot of one, and yet one is over the other.
            (1, .percent(11), .percent(10), false), (0, .slots(0), .slots(0), true),
        ] as [(Int, SlotShare, SlotShare, Bool)] {
            let paths = Self.faults(slots: slots, Self.quota("a", min: min, max: max))
            #expect(paths == (isRight ? [] : ["quotas.a.min"]), "\(min) to \(max) of \(slots)")
        }
    }

    @Test("A quota is of a plain name, or of * for all others, once")
    func names() {
        #expect(Self.faults(Self.quota("a"), Self.quota("*"), Self.quota("unknown")) == [])
        for name in ["", "a b", "**", "é", String(repeating: "n", count: 65)] {
            #expect(Self.faults(Self.quota(name)) == ["quotas.\(name)"])
        }
        #expect(Self.faults(Self.quota("a"), Self.quota("*"), Self.quota("a")) == ["quotas.a"])
        #expect(Self.faults(Self.quota("*"), Self.quota("*")) == ["quotas.*"])
    }

    @Test("At most 10,000 quotas")
    func many() {
        let quotas = (0...10_000).map { Self.quota("t\($0)") }
        #expect(PolicyTests.faults { $0.setQuotas(Array(quotas.dropLast())) } == [])
        #expect(PolicyTests.faults { $0.setQuotas(quotas) } == ["quotas"])
    }

    @Test("Slots out of range are told alone: nothing is measured by them")
    func wrongSlots() {
        let quotas = [Self.quota("a", min: .percent(100), max: .slots(1)), Self.quota("b", min: .slots(64))]
        for slots in [-1, 10_001, .max, .min] {
            let paths = PolicyTests.faults {
                $0.slots = slots
                $0.setQuotas(quotas)
            }
            #expect(paths == ["slots"])
        }
    }

    @Test("Types, quotas, quiet hours and caps may name types that the policy does not")
    func unnamed() {
        var window = QuietWindow(from: 0, to: 60)
        window.types = ["x"]
        #expect(
            PolicyTests.faults {
                $0.setQuotas([Self.quota("y", min: .slots(1))])
                ($0.quietHours, $0.caps) = ([window], [Self.cap(types: ["z"])])
            } == [])
    }

    @Test("All faults are told at once, in the order in which the contract shows the keys")
    func all() {
        let paths = PolicyTests.faults {
            $0.setTypes([PolicyTests.type("a b")])
            $0.setQuotas([Self.quota("a", min: .slots(65)), Self.quota("b", max: .percent(101))])
            $0.quietHours = [QuietWindow(from: 3, to: 3)]
            $0.caps = [Self.cap(limit: 0, per: 0)]
        }
        #expect(
            paths == [
                "types.a b", "quotas.b.max", "quotas", "quietHours[0].to", "caps[0].limit", "caps[0].per",
            ])
    }
}
