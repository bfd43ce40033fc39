import RationConfiguration
import RationModel
import Testing

@Suite("A policy's text is read as the contract's section 3 says")
struct PolicyReaderTests {
    private static let json = """
        {"slots":32, "overflow":"drop", "order":"priority", "queueLimit":10, "grace":"90s", "maxDelay":"24h",
         "unknownPriority":7, "timeZone":"Europe/Madrid",
         "types":{"habit":{"priority":0,"prefix":["com.myapp.habit","com.myapp.streak"],"keepsTime":true},
                  "day1":{"priority":1,"maxDelay":"12h"}, "entry":{}},
         "quietHours":[], "caps":[], "quotas":{}}
        """
    private static let yaml = """
        # who gets a slot
        slots: 32
        overflow: drop
        order: priority
        queueLimit: 10
        grace: 90s
        maxDelay: 24h
        unknownPriority: 7
        timeZone: Europe/Madrid
        types:
          entry: {}
          habit:
            priority: 0
            prefix:
              - com.myapp.habit
              - com.myapp.streak
            keepsTime: true
          day1: {priority: 1, maxDelay: 12h}
        """

    private static var expected: Policy {
        var policy = Policy()
        (policy.slots, policy.overflow, policy.order, policy.queueLimit) = (32, .drop, "priority", 10)
        (policy.graceMilliseconds, policy.maxDelayMilliseconds) = (90_000, 86_400_000)
        (policy.unknownPriority, policy.timeZone) = (7, "Europe/Madrid")
        var habit = NotificationType(name: "habit")
        (habit.priority, habit.prefixes, habit.keepsTime) = (0, ["com.myapp.habit", "com.myapp.streak"], true)
        var day1 = NotificationType(name: "day1")
        (day1.priority, day1.maxDelayMilliseconds) = (1, 43_200_000)
        policy.setTypes([habit, day1, NotificationType(name: "entry")])
        return policy
    }

    @Test("every key reaches the policy, from JSON and from YAML alike", arguments: [json, yaml])
    func everyKey(text: String) throws {
        #expect(try policy(text) == Self.expected)
    }

    @Test(
        "what is absent or null has the contract's default",
        arguments: ["{}", "slots: null\ntypes: ~\nmaxDelay:\n", "{\"grace\":null,\"quotas\":null}"])
    func defaults(text: String) throws {
        #expect(try policy(text) == Policy())
    }

    @Test(
        "a type that is only named is a type",
        arguments: ["types: {a: null}", "types:\n  a:\n", "{\"types\":{\"a\":{}}}"])
    func namedType(text: String) throws {
        #expect(try policy(text).types == [NotificationType(name: "a")])
    }

    @Test("one text is taken for a list of one prefix")
    func singlePrefix() throws {
        #expect(try policy("types: {a: {prefix: com.a}}").types[0].prefixes == ["com.a"])
    }

    @Test("an alias stands for what its anchor names")
    func alias() throws {
        let read = try policy("types:\n  a: &kept {priority: 3, keepsTime: true}\n  b: *kept\n")
        #expect(read.types.map(\.priority) == [3, 3])
        #expect(read.types.map(\.keepsTime) == [true, true])
    }

    @Test(
        "a value of another type is refused where it stands",
        arguments: [
            BadDocument("slots: \"64\"", "p:1:8: slots: expected a whole number, found the text '64'"),
            BadDocument("slots: 64.0", "p:1:8: slots: expected a whole number, found the number 64.0"),
            BadDocument("slots: 0x40", "p:1:8: slots: expected a whole number, found the number 0x40"),
            BadDocument("slots: 064", "p:1:8: slots: expected a whole number, found the number 064"),
            BadDocument("slots: +64", "p:1:8: slots: expected a whole number, found the number +64"),
            BadDocument("slots: true", "p:1:8: slots: expected a whole number, found true"),
            BadDocument("slots: [64]", "p:1:8: slots: expected a whole number, found a list"),
            BadDocument("slots: !!str 64", "p:1:8: slots: expected a whole number, found the text '64'"),
            BadDocument(
                "slots: 99999999999999999999",
                "p:1:8: slots: expected a whole number, found the number 99999999999999999999"),
            BadDocument("order: 5", "p:1:8: order: expected one of priority, soonest, found the number 5"),
            BadDocument("overflow: keep", "p:1:11: overflow: expected queue or drop, found the text 'keep'"),
            BadDocument(
                "grace: 0", "p:1:8: grace: expected a duration such as 500ms, 90s, 5m, 1h or 7d, found the number 0"),
            BadDocument(
                "grace: '0'", "p:1:8: grace: expected a duration such as 500ms, 90s, 5m, 1h or 7d, found the text '0'"),
            BadDocument(
                "grace: 1.5h",
                "p:1:8: grace: expected a duration such as 500ms, 90s, 5m, 1h or 7d, found the text '1.5h'"),
            BadDocument(
                "timeZone: utc",
                "p:1:11: timeZone: expected a time zone of the tz database such as Europe/Madrid, found the text 'utc'"),
            BadDocument(
                "types:\n  a:\n    keepsTime: yes",
                "p:3:16: types.a.keepsTime: expected true or false, found the text 'yes'"),
            BadDocument(
                "types:\n  a:\n    keepsTime: True",
                "p:3:16: types.a.keepsTime: expected true or false, found the text 'True'"),
            BadDocument("types: [a]", "p:1:8: types: expected a mapping, found a list"),
            BadDocument("types: {a: 1}", "p:1:12: types.a: expected a mapping, found the number 1"),
            BadDocument(
                "types:\n  a:\n    prefix: [x, 5]", "p:3:17: types.a.prefix[1]: expected a text, found the number 5"),
            BadDocument(
                "types:\n  a:\n    prefix: {x: y}",
                "p:3:13: types.a.prefix: expected a list of texts, found a mapping"),
            BadDocument("- slots", "p:1:1: expected a mapping, found a list"),
        ])
    func types(document: BadDocument) {
        #expect(faults(ofPolicy: document.text) == document.faults)
    }

    @Test(
        "a rule of the policy as a whole is told at the place that breaks it",
        arguments: [
            BadDocument(
                "# slots\nslots: 10001", "p:2:8: slots: expected a whole number from 0 to 10000, found 10001"),
            BadDocument("slots: -1", "p:1:8: slots: expected a whole number from 0 to 10000, found -1"),
            BadDocument("order: newest", "p:1:8: order: expected one of priority, soonest, found 'newest'"),
            BadDocument("grace: 3654d", "p:1:8: grace: expected a duration from 0 to 3653d, found 315705600000ms"),
            BadDocument(
                "types:\n  a.b: {priority: -5}",
                "p:2:19: types.a.b.priority: expected a whole number from 0 to 1000000, found -5"),
            BadDocument(
                "types:\n  'a b': {}",
                "p:2:3: types.a b: expected a name of 1 to 64 letters, digits, '.', '-' or '_', found 'a b'"),
            BadDocument(
                "types:\n  a: {prefix: com.x}\n  b:\n    prefix:\n      - com.y\n      - com.x",
                "p:6:9: types.b.prefix[1]: the prefix 'com.x' belongs to the type 'a' already"),
            BadDocument(
                "types:\n  a: {prefix: [7, '']}",
                "p:2:16: types.a.prefix[0]: expected a text, found the number 7",
                "p:2:19: types.a.prefix[1]: expected a prefix of 1 to 256 bytes, found 0"),
        ])
    func rules(document: BadDocument) {
        #expect(faults(ofPolicy: document.text) == document.faults)
    }

    @Test("all faults are told at once, in the order of the lines")
    func allFaults() {
        let text = """
            timeZone: Mars
            slots: 64.0
            quueLimit: 5
            types:
              habit:
                priority: high
                prefx: x
                keepsTime: no
            caps: [1]
            slots: 3
            """
        #expect(
            faults(ofPolicy: text) == [
                "p:1:11: timeZone: expected a time zone of the tz database such as Europe/Madrid, found the text 'Mars'",
                "p:2:8: slots: expected a whole number, found the number 64.0",
                "p:3:1: quueLimit: unknown key 'quueLimit', did you mean 'queueLimit'?",
                "p:6:15: types.habit.priority: expected a whole number, found the text 'high'",
                "p:7:5: types.habit.prefx: unknown key 'prefx', did you mean 'prefix'?",
                "p:8:16: types.habit.keepsTime: expected true or false, found the text 'no'",
                "p:9:8: caps[0]: expected a mapping, found the number 1",
                "p:10:1: slots: the key 'slots' stands here twice, first on line 2",
            ])
    }

    @Test("a key without a near one is told with all that exist")
    func farKey() {
        #expect(
            faults(ofPolicy: "types: {a: {colour: red}}") == [
                "p:1:13: types.a.colour: unknown key 'colour', expected one of priority, prefix, keepsTime, maxDelay"
            ])
    }
}
