import RationModel
import RationWire
import Testing

@Suite("Policies as JSON documents")
struct PolicyDocumentTests {
    private func text(_ policy: Policy) -> String { String(decoding: policy.document, as: UTF8.self) }

    @Test("The standard policy has every default written out")
    func standard() {
        #expect(
            text(Policy())
                == #"{"slots":64,"overflow":"queue","order":"soonest","queueLimit":1024,"grace":"1h","#
                + #""unknownPriority":99,"timeZone":"UTC","categories":"warn","types":{},"quotas":{},"quietHours":[],"caps":[]}"#
        )
    }

    @Test("Types and quotas come by name, and only with what they say")
    func types() {
        var policy = Policy()
        var (habit, entry) = (NotificationType(name: "habit"), NotificationType(name: "entry"))
        (habit.priority, habit.prefixes, habit.keepsTime) = (0, ["a.", "b\""], true)
        entry.maxDelayMilliseconds = 43_200_000
        policy.setTypes([habit, entry, NotificationType(name: "Z")])
        var (least, most) = (Quota(type: "habit"), Quota(type: "*"))
        (least.minimum, most.maximum) = (.slots(40), .percent(10))
        policy.setQuotas([least, most])
        #expect(
            text(policy).contains(
                #""types":{"Z":{},"entry":{"maxDelay":"12h"},"habit":{"priority":0,"prefix":["a.","b\""],"keepsTime":true}},"#
                    + #""quotas":{"*":{"max":"10%"},"habit":{"min":40}}"#), "\(text(policy))")
    }

    @Test("Quiet hours and caps have days, levels and overflow written out")
    func rules() {
        var policy = Policy()
        var (night, noon) = (QuietWindow(from: 1320, to: 450), QuietWindow(from: 0, to: 1440))
        (night.days, night.types, night.exempt) = ([WeekdaySet(rawValue: 1), WeekdaySet(rawValue: 64)], ["a"], [])
        noon.exempt = LevelSet(.passive)
        policy.quietHours = [night, noon]
        var cap = Cap(limit: 3, perMilliseconds: 90_000)
        (cap.types, cap.overflow) = ([], .drop)
        policy.caps = [cap]
        let days = #"["mon","tue","wed","thu","fri","sat","sun"]"#
        #expect(
            text(policy).hasSuffix(
                #""quietHours":[{"from":"22:00","to":"07:30","days":["mon","sun"],"types":["a"],"exempt":[]},"#
                    + #"{"from":"00:00","to":"24:00","days":\#(days),"exempt":["passive"]}],"#
                    + #""caps":[{"limit":3,"per":"90s","types":[],"overflow":"drop","exempt":["critical"]}]}"#),
            "\(text(policy))")
    }

    @Test(
        "A duration has the largest unit that it is a whole number of",
        arguments: [
            (0, "0ms"), (1, "1ms"), (999, "999ms"), (1000, "1s"), (1001, "1001ms"), (59_000, "59s"), (60_000, "1m"),
            (90_000, "90s"), (3_600_000, "1h"), (5_400_000, "90m"), (86_400_000, "1d"), (129_600_000, "36h"),
        ] as [(Int64, String)])
    func durations(milliseconds: Int64, written: String) {
        var policy = Policy()
        policy.maxDelayMilliseconds = milliseconds
        #expect(text(policy).contains("\"maxDelay\":\"\(written)\""))
        #expect(WrittenDuration.milliseconds(written) == milliseconds)
    }
}
