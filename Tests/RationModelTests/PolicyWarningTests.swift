import RationModel
import Testing

@Suite("A moving cap over more than a day without a maxDelay is worth a warning")
struct PolicyWarningTests {
    static let day: Int64 = 86_400_000

    /// Types `limited`, with a `maxDelay`, `kept`, which keeps its time, and `free`.
    private static func policy(_ caps: [Cap], maxDelay: Int64? = nil) -> Policy {
        var policy = Policy()
        (policy.caps, policy.maxDelayMilliseconds) = (caps, maxDelay)
        policy.setTypes([
            PolicyTests.type("limited") { $0.maxDelayMilliseconds = 0 },
            PolicyTests.type("kept") { $0.keepsTime = true },
            PolicyTests.type("free"),
        ])
        return policy
    }

    private static func cap(per: Int64, types: [String]? = nil, _ overflow: Cap.Overflow = .move) -> Cap {
        var cap = Cap(limit: 1, perMilliseconds: per)
        (cap.types, cap.overflow) = (types, overflow)
        return cap
    }

    @Test("A stretch is over a day when it is longer than 24 hours")
    func day() {
        for (per, isWarned) in [(Self.day - 1, false), (Self.day, false), (Self.day + 1, true), (7 * Self.day, true)] {
            #expect(Self.policy([Self.cap(per: per)]).warnings().map(\.path) == (isWarned ? ["caps[0]"] : []))
        }
    }

    @Test("A cap that drops moves nothing")
    func drops() {
        #expect(Self.policy([Self.cap(per: 7 * Self.day, .drop)]).warnings() == [])
    }

    @Test("The policy's maxDelay is enough, even of nothing")
    func policyDelay() {
        for delay in [0, 30 * Self.day] {
            #expect(Self.policy([Self.cap(per: 7 * Self.day)], maxDelay: delay).warnings() == [])
        }
    }

    @Test(
        "Or one of every type that the cap binds; those that keep their time are not bound",
        arguments: [
            (["limited"], []), (["limited", "kept"], []), ([], []), (["limited", "free"], ["the type 'free'"]),
            (["elsewhere", "free"], ["the type 'elsewhere'"]), (nil, ["any type"]),
        ] as [([String]?, [String])])
    func types(types: [String]?, found: [String]) {
        let warnings = Self.policy([Self.cap(per: 2 * Self.day, types: types)]).warnings()
        #expect(warnings.count == found.count)
        for (warning, found) in zip(warnings, found) { #expect(warning.message.contains(found)) }
    }

    @Test("Every such cap is told, with its place")
    func several() {
        let caps = [Self.cap(per: 8 * Self.day), Self.cap(per: 1), Self.cap(per: 9 * Self.day, types: ["free"])]
        #expect(Self.policy(caps).warnings().map(\.path) == ["caps[0]", "caps[2]"])
        #expect(Self.policy(caps).faults(orders: ["soonest"]) == [])
    }
}
