import RationConfiguration
import RationModel
import Testing

@Suite("Quiet hours, caps and quotas are read as the contract's section 3 writes them")
struct PolicyRulesTests {
    private static let json = """
        {"types":{"habit":{"priority":0}, "inactivity":{"priority":3}},
         "quotas":{"habit":{"min":40}, "depletion":{"min":10,"max":20}, "inactivity":{"max":"10%"}, "*":{"min":14}},
         "quietHours":[{"from":"22:00","to":"07:30","days":["mon","tue"],"types":["inactivity","x"],"exempt":["critical"]},
                       {"from":"00:00","to":"24:00","days":["sun"]}],
         "caps":[{"limit":3,"per":"1h"},
                 {"limit":256,"per":"7d","types":["inactivity"],"overflow":"drop","exempt":["timeSensitive","critical"]}]}
        """
    private static let yaml = """
        types: {habit: {priority: 0}, inactivity: {priority: 3}}
        quotas:
          habit: {min: 40}
          depletion: {min: 10, max: 20}
          inactivity:
            max: 10%
          "*": {min: 14}
        quietHours:
          - from: 22:00
            to: 07:30
            days: [mon, tue]
            types: [inactivity, x]
            exempt: [critical]
          - {from: 00:00, to: "24:00", days: [sun]}
        caps:
          - limit: 3
            per: 1h
          - limit: 256
            per: 7d
            types: [inactivity]
            overflow: drop
            exempt:
              - timeSensitive
              - critical
        """

    private static var expected: Policy {
        var policy = Policy()
        let types = ["habit", "inactivity"].map { NotificationType(name: $0) }
        policy.setTypes(
            zip(types, [0, 3]).map { type, priority in
                var type = type
                type.priority = priority
                return type
            })
        policy.setQuotas([
            quota("habit", .slots(40), nil), quota("depletion", .slots(10), .slots(20)),
            quota("inactivity", nil, .percent(10)), quota("*", .slots(14), nil),
        ])
        var night = QuietWindow(from: 1320, to: 450)
        (night.days, night.types, night.exempt) = (WeekdaySet(rawValue: 3), ["inactivity", "x"], LevelSet(.critical))
        var sunday = QuietWindow(from: 0, to: 1440)
        sunday.days = WeekdaySet(rawValue: 64)
        policy.quietHours = [night, sunday]
        var weekly = Cap(limit: 256, perMilliseconds: 604_800_000)
        (weekly.types, weekly.overflow) = (["inactivity"], .drop)
        weekly.exempt = LevelSet(.timeSensitive, .critical)
        policy.caps = [Cap(limit: 3, perMilliseconds: 3_600_000), weekly]
        return policy
    }

    private static func quota(_ type: String, _ minimum: SlotShare?, _ maximum: SlotShare?) -> Quota {
        var quota = Quota(type: type)
        (quota.minimum, quota.maximum) = (minimum, maximum)
        return quota
    }

    @Test("every key reaches the policy, from JSON and from YAML alike", arguments: [json, yaml])
    func everyKey(text: String) throws {
        #expect(try policy(text) == Self.expected)
    }

    @Test(
        "a time may stand with or without quotes: no number of base 60 is read",
        arguments: ["22:00", "'22:00'", "\"22:00\""])
    func quotes(time: String) throws {
        #expect(
            try policy("quietHours:\n  - from: \(time)\n    to: 07:30").quietHours == [QuietWindow(from: 1320, to: 450)]
        )
        #expect(
            try policy("quietHours: [{from: \(time), to: 23:59}]").quietHours == [QuietWindow(from: 1320, to: 1439)])
        #expect(try policy("quietHours: [{from: 01:10, to: \(time)}]").quietHours == [QuietWindow(from: 70, to: 1320)])
    }

    @Test("what a window or a cap does not say has the contract's default")
    func defaults() throws {
        let text = """
            quietHours: [{from: 00:00, to: 08:00, days: null, types: ~, exempt: }]
            caps: [{limit: 1, per: 1ms, types: null, overflow: null, exempt: null}]
            quotas: {a: {min: null, max: null}, b: {}, c: null}
            """
        let read = try policy(text)
        #expect(read.quietHours.map(\.days) == [.all])
        #expect(read.quietHours.map(\.exempt) == [LevelSet(.timeSensitive, .critical)])
        #expect(read.quietHours.map(\.types) == [nil])
        #expect(read.caps == [Cap(limit: 1, perMilliseconds: 1)])
        #expect(read.caps.map(\.exempt) == [LevelSet(.critical)])
        // One that is null is absent, and stands for itself no more than for any other.
        #expect(read.quotas == [Quota(type: "a"), Quota(type: "b")])
    }

    @Test("an empty list is not the default: nobody is exempt, no type is bound, no day has a window")
    func emptyLists() throws {
        let read = try policy("quietHours: [{from: 00:00, to: 24:00, days: [], types: [], exempt: []}]")
        #expect(read.quietHours.map(\.days) == [[]])
        #expect(read.quietHours.map(\.types) == [[]])
        #expect(read.quietHours.map(\.exempt) == [[]])
        #expect(try policy("quietHours: []\ncaps: []\nquotas: {}") == Policy())
    }

    private static let time = "expected a time such as 07:30, found"
    private static let share = "expected a whole number or a percentage such as '10%', found"
    private static let day = "expected one of mon, tue, wed, thu, fri, sat, sun, found"
    private static let level = "expected one of passive, active, timeSensitive, critical, found"

    @Test(
        "a value of another form is refused where it stands",
        arguments: [
            BadDocument("quietHours: {from: 1}", "p:1:13: quietHours: expected a list of windows, found a mapping"),
            BadDocument("quietHours: [22:00]", "p:1:14: quietHours[0]: expected a mapping, found the text '22:00'"),
            BadDocument("quietHours: [~]", "p:1:14: quietHours[0]: expected a mapping, found nothing"),
            BadDocument(
                "quietHours: [{}]",
                "p:1:14: quietHours[0].from: the key 'from' is missing",
                "p:1:14: quietHours[0].to: the key 'to' is missing"),
            BadDocument(
                "quietHours:\n  - from: 22:00\n    to: null", "p:2:5: quietHours[0].to: the key 'to' is missing"),
            BadDocument("quietHours: [{from: 7:30, to: 08:00}]", "p:1:21: quietHours[0].from: \(time) the text '7:30'"),
            BadDocument("quietHours: [{from: 07:30, to: 24:01}]", "p:1:32: quietHours[0].to: \(time) the text '24:01'"),
            BadDocument(
                "quietHours: [{from: 22, to: 0730}]",
                "p:1:21: quietHours[0].from: \(time) the number 22", "p:1:29: quietHours[0].to: \(time) the number 0730"
            ),
            BadDocument(
                "quietHours: [{from: 22:00:00, to: 1320}]",
                "p:1:21: quietHours[0].from: \(time) the text '22:00:00'",
                "p:1:35: quietHours[0].to: \(time) the number 1320"),
            BadDocument(
                "quietHours: [{from: 01:00, to: 02:00, days: [mon, monday, 3]}]",
                "p:1:51: quietHours[0].days[1]: \(day) the text 'monday'",
                "p:1:59: quietHours[0].days[2]: \(day) the number 3"),
            BadDocument(
                "quietHours: [{from: 01:00, to: 02:00, days: mon}]",
                "p:1:45: quietHours[0].days: expected a list of days, found the text 'mon'"),
            BadDocument(
                "quietHours: [{from: 01:00, to: 02:00, types: [a, 5], exempt: [loud]}]",
                "p:1:50: quietHours[0].types[1]: expected a type's name, found the number 5",
                "p:1:63: quietHours[0].exempt[0]: \(level) the text 'loud'"),
            BadDocument(
                "quietHours:\n  - {from: 01:00, to: 02:00, untl: 1, day: [mon]}",
                "p:2:30: quietHours[0].untl: unknown key 'untl', expected one of from, to, days, types, exempt",
                "p:2:39: quietHours[0].day: unknown key 'day', did you mean 'days'?"),
            BadDocument(
                "caps: [{per: 1h}, {limit: 2}]",
                "p:1:8: caps[0].limit: the key 'limit' is missing", "p:1:19: caps[1].per: the key 'per' is missing"),
            BadDocument(
                "caps:\n- {limit: '3', per: 60}",
                "p:2:11: caps[0].limit: expected a whole number, found the text '3'",
                "p:2:21: caps[0].per: expected a duration such as 500ms, 90s, 5m, 1h or 7d, found the number 60"),
            BadDocument(
                "caps: [{limit: 3, per: 1h, overflow: queue, exmpt: []}]",
                "p:1:38: caps[0].overflow: expected move or drop, found the text 'queue'",
                "p:1:45: caps[0].exmpt: unknown key 'exmpt', did you mean 'exempt'?"),
            BadDocument("quotas: [habit]", "p:1:9: quotas: expected a mapping, found a list"),
            BadDocument("quotas: {habit: 40}", "p:1:17: quotas.habit: expected a mapping, found the number 40"),
            BadDocument(
                "quotas: {habit: {min: ten, max: 4.0}}",
                "p:1:23: quotas.habit.min: \(share) the text 'ten'", "p:1:33: quotas.habit.max: \(share) the number 4.0"
            ),
            BadDocument(
                "quotas: {habit: {min: '40', max: '1.5%'}}",
                "p:1:23: quotas.habit.min: \(share) the text '40'", "p:1:34: quotas.habit.max: \(share) the text '1.5%'"
            ),
            BadDocument("quotas: {habit: {mn: 4}}", "p:1:18: quotas.habit.mn: unknown key 'mn', did you mean 'min'?"),
            BadDocument(
                "sounds: ignore",
                "p:1:1: sounds: unknown key 'sounds', expected one of slots, overflow, order, queueLimit, grace, "
                    + "maxDelay, unknownPriority, timeZone, categories, types, quietHours, caps, quotas"),
        ])
    func forms(document: BadDocument) {
        #expect(faults(ofPolicy: document.text) == document.faults)
    }

    @Test(
        "a rule of the policy as a whole is told at the place that breaks it",
        arguments: [
            BadDocument(
                "quietHours:\n  - {from: 24:00, to: 08:00}",
                "p:2:12: quietHours[0].from: expected a time from 00:00 to 23:59, found 24:00"),
            BadDocument(
                "quietHours:\n  - {from: 08:00, to: 08:00}",
                "p:2:23: quietHours[0].to: expected a time other than 'from', found 08:00 for both"),
            BadDocument(
                "slots: 64\nquietHours:\n  - {from: 00:00, to: 24:00}",
                "p:3:3: quietHours: expected a free minute in the week for every type and level, "
                    + "found none for any type with passive, active"),
            // What was refused shifts no index.
            BadDocument(
                "quietHours:\n- {from: 8}\n- {from: 01:00, to: 02:00, types: [1, 'a b']}",
                "p:2:3: quietHours[0].to: the key 'to' is missing", "p:2:10: quietHours[0].from: \(time) the number 8",
                "p:3:36: quietHours[1].types[0]: expected a type's name, found the number 1",
                "p:3:39: quietHours[1].types[1]: expected a name of 1 to 64 letters, digits, '.', '-' or '_', found 'a b'"
            ),
            BadDocument(
                "caps:\n  - 5\n  - {limit: 257, per: 0s}",
                "p:2:5: caps[0]: expected a mapping, found the number 5",
                "p:3:13: caps[1].limit: expected a whole number from 1 to 256, found 257",
                "p:3:23: caps[1].per: expected a duration from 1ms to 3653d, found 0ms"),
            BadDocument(
                "caps:\n- limit: 1\n  per: 3654d\n  types: ['*']",
                "p:3:8: caps[0].per: expected a duration from 1ms to 3653d, found 315705600000ms",
                "p:4:11: caps[0].types[0]: expected a name of 1 to 64 letters, digits, '.', '-' or '_', found '*'"),
            BadDocument(
                "slots: 10\nquotas:\n  a: {min: 6}\n  b: {min: 50%}",
                "p:3:3: quotas: expected minimums of at most the 10 slots together, found 11"),
            BadDocument(
                "quotas:\n  inactivity:\n    min: 7\n    max: 10%",
                "p:3:10: quotas.inactivity.min: expected at most the type's max, 10%, found 7"),
            BadDocument(
                "quotas:\n  inactivity: {max: 101%}",
                "p:2:21: quotas.inactivity.max: expected a whole number from 0 to 10000 or a percentage from 0% to 100%, "
                    + "found 101%"),
            BadDocument(
                "quotas:\n  'a b': {}",
                "p:2:3: quotas.a b: expected a name of 1 to 64 letters, digits, '.', '-' or '_', found 'a b'"),
            BadDocument(
                "quotas: {a: {}, b: {}, a: {}}", "p:1:24: quotas.a: the key 'a' stands here twice, first on line 1"),
        ])
    func rules(document: BadDocument) {
        #expect(faults(ofPolicy: document.text) == document.faults)
    }

    @Test("a policy inside a configuration is told by its path there")
    func inline() {
        let text = "policy:\n  slots: 64\n  caps:\n    - limit: 0\n      per: 1h\n"
        #expect(
            faults(ofConfiguration: text) == [
                "c:4:14: policy.caps[0].limit: expected a whole number from 1 to 256, found 0"
            ])
    }

    @Test("what is worth a warning is told with its place, and the policy is taken")
    func warnings() throws {
        let text = "caps:\n  - {limit: 1, per: 1d}\n  - {limit: 1, per: 7d, types: [day1]}\n"
        let message =
            "caps[1]: it moves notifications of the type 'day1' by more than a day at a time, and no 'maxDelay' ends that"
        let result = try PolicyReader.readWithWarnings(
            text: Array(text.utf8), file: "p", orders: orders, zones: FewZones())
        #expect(result.warnings.map(\.description) == ["p:3:5: \(message)"])
        #expect(result.policy.caps.count == 2)
        let inline = try configuration(
            "policy:\n" + text.replacing("\n", with: "\n ").replacing("caps:", with: " caps:"))
        #expect(inline.warnings.map(\.description) == ["c:4:6: policy.\(message)"])
        #expect(try configuration("{}").warnings == [])
    }

    @Test("control characters of a name do not reach a message")
    func controlCharacters() {
        let told = faults(ofPolicy: #"{"quotas":{"a\u001b[2J":{}},"caps":[{"limit":1,"per":"1h","types":["\u001b"]}]}"#)
        #expect(told.count == 2)
        #expect(told.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } && $0.contains(#"\u{1B}"#) })
    }
}
