import RationModel
import Testing

@Suite("A policy that breaks a rule of semantics.md section 3 is refused with the path of the fault")
struct PolicyTests {
    static func faults(_ change: (inout Policy) -> Void) -> [String] {
        var policy = Policy()
        change(&policy)
        return policy.faults(orders: ["soonest", "priority"]).map(\.path)
    }

    static func type(_ name: String, _ change: (inout NotificationType) -> Void = { _ in }) -> NotificationType {
        var type = NotificationType(name: name)
        change(&type)
        return type
    }

    @Test("The defaults are those of section 3, and have no fault")
    func defaults() {
        let policy = Policy()
        #expect(
            policy.slots == 64 && policy.overflow == .queue && policy.order == "soonest" && policy.queueLimit == 1024)
        #expect(policy.graceMilliseconds == 3_600_000 && policy.unknownPriority == 99 && policy.timeZone == "UTC")
        #expect(policy.types.isEmpty)
        #expect(Self.faults { _ in } == [])
    }

    @Test("Whole numbers have ends")
    func numbers() {
        let fields: [(String, WritableKeyPath<Policy, Int>, ClosedRange<Int>)] = [
            ("slots", \.slots, 0...10_000), ("queueLimit", \.queueLimit, 0...50_000),
            ("unknownPriority", \.unknownPriority, 0...1_000_000),
        ]
        for (path, field, range) in fields {
            for value in [range.lowerBound, range.upperBound] {
                #expect(Self.faults { $0[keyPath: field] = value } == [])
            }
            for value in [range.lowerBound - 1, range.upperBound + 1, .min, .max] {
                #expect(Self.faults { $0[keyPath: field] = value } == [path])
            }
        }
    }

    @Test("Durations are from 0 to 3653 days")
    func durations() {
        let longest: Int64 = 3653 * 86_400_000
        for (value, isRight) in [(0, true), (longest, true), (-1, false), (longest + 1, false)] {
            #expect(Self.faults { $0.graceMilliseconds = value } == (isRight ? [] : ["grace"]))
            #expect(Self.faults { $0.maxDelayMilliseconds = value } == (isRight ? [] : ["maxDelay"]))
            let delayed = Self.type("a") { $0.maxDelayMilliseconds = value }
            #expect(Self.faults { $0.setTypes([delayed]) } == (isRight ? [] : ["types.a.maxDelay"]))
        }
    }

    @Test("The order is one that is installed", arguments: ["soonest", "priority", "Soonest", "", "latest"])
    func order(name: String) {
        #expect(Self.faults { $0.order = name } == (["soonest", "priority"].contains(name) ? [] : ["order"]))
    }

    @Test("A type's name is 1 to 64 plain bytes")
    func names() {
        let longest = String(repeating: "n", count: 64)
        for name in ["a", "A.b-c_9", longest] { #expect(Self.faults { $0.setTypes([Self.type(name)]) } == []) }
        for name in ["", "a b", "a/b", "é", longest + "n", "*"] {
            #expect(Self.faults { $0.setTypes([Self.type(name)]) } == ["types.\(name)"])
        }
    }

    @Test("A type is named once")
    func twice() {
        #expect(Self.faults { $0.setTypes([Self.type("b"), Self.type("a"), Self.type("b")]) } == ["types.b"])
    }

    @Test("A type's priority has ends")
    func priorities() {
        for (value, isRight) in [(-1, false), (0, true), (1_000_000, true), (1_000_001, false)] {
            let type = Self.type("a") { $0.priority = value }
            #expect(Self.faults { $0.setTypes([type]) } == (isRight ? [] : ["types.a.priority"]))
        }
    }

    @Test("A prefix has 1 to 256 bytes and belongs to one type")
    func prefixes() {
        let longest = String(repeating: "p", count: 256)
        let ends = Self.type("a") { $0.prefixes = ["p", longest, "", longest + "p"] }
        #expect(Self.faults { $0.setTypes([ends]) } == ["types.a.prefix[2]", "types.a.prefix[3]"])
        let first = Self.type("a") { $0.prefixes = ["com.a", "com"] }
        let second = Self.type("b") { $0.prefixes = ["com.b", "com"] }
        #expect(Self.faults { $0.setTypes([second, first]) } == ["types.b.prefix[1]"])
    }

    @Test("Prefixes are told apart by their bytes, not as Unicode's equivalents")
    func equivalents() {
        let types = [Self.type("a") { $0.prefixes = ["é"] }, Self.type("b") { $0.prefixes = ["e\u{301}"] }]
        #expect(Self.faults { $0.setTypes(types) } == [])
    }

    @Test("Types are kept sorted by the bytes of their names")
    func sorted() {
        var policy = Policy()
        policy.setTypes(["b", "a", "B", "a.b", "_"].map { Self.type($0) })
        #expect(policy.types.map(\.name) == ["B", "_", "a", "a.b", "b"])
    }

    @Test("At most 10,000 types")
    func many() {
        let types = (0...10_000).map { Self.type("t\($0)") }
        #expect(Self.faults { $0.setTypes(Array(types.dropLast())) } == [])
        #expect(Self.faults { $0.setTypes(types) } == ["types"])
    }

    @Test("All faults are told at once, in the order of the keys")
    func all() {
        let type = Self.type("x") { ($0.priority, $0.maxDelayMilliseconds, $0.prefixes) = (-1, -1, [""]) }
        let paths = Self.faults {
            ($0.slots, $0.order, $0.queueLimit, $0.graceMilliseconds) = (-1, "none", -1, -1)
            ($0.maxDelayMilliseconds, $0.unknownPriority) = (-1, -1)
            $0.setTypes([type])
        }
        let ofType = ["types.x.priority", "types.x.maxDelay", "types.x.prefix[0]"]
        #expect(paths == ["slots", "order", "queueLimit", "grace", "maxDelay", "unknownPriority"] + ofType)
    }
}
