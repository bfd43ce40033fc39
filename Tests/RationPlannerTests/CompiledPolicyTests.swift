import PriorityOrder
import RationModel
import SoonestOrder
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct CompiledPolicyTests {
    private func policy(_ prefixes: [String: [String]]) -> CompiledPolicy {
        var policy = Policy()
        policy.setTypes(
            prefixes.map { name, prefixes in
                var type = NotificationType(name: name)
                type.prefixes = prefixes
                return type
            })
        return CompiledPolicy(policy, order: SoonestOrder(), rules: [])
    }

    private func name(_ policy: CompiledPolicy, type: String = "", id: String) -> String {
        Array(type.utf8).withUnsafeBytes { type in
            Array(id.utf8).withUnsafeBytes { id in
                policy.types.withName(policy.types.classify(type: type, id: id), own: type) {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
    }

    @Test(
        "the type is the intent's own, else that of the longest prefix, else unknown",
        arguments: [
            ("", "n.1", "a"), ("", "n.b.1", "b"), ("", "n.b.", "b"), ("", "n.b", "a"), ("", "n.", "a"),
            ("", "n", "unknown"), ("", "o.1", "unknown"), ("", "m", "unknown"), ("", "n.bc", "a"),
            ("c", "n.b.1", "c"), ("other", "n.b.1", "other"), ("", "\u{10FFFF}x", "c"), ("", "\u{10FFFE}x", "unknown"),
        ])
    func classify(type: String, id: String, expected: String) {
        let policy = policy(["a": ["n."], "b": ["n.b."], "c": ["\u{10FFFF}", "zz"]])
        #expect(name(policy, type: type, id: id) == expected)
    }

    @Test("the longest prefix agrees with trying them all, on generated prefixes and ids")
    func generatedPrefixes() {
        for seed in UInt64(1)...200 {
            var random = SplitMix64(seed: seed)
            func text(_ longest: Int) -> String {
                String(
                    (0..<Int.random(in: 1...longest, using: &random)).map { _ in "ab".randomElement(using: &random)! })
            }
            let prefixes = Set((0..<12).map { _ in text(5) }).sorted()
            let policy = policy(
                Dictionary(uniqueKeysWithValues: prefixes.enumerated().map { ("type\($0.offset)", [$0.element]) }))
            for _ in 0..<40 {
                let id = text(7)
                let longest = prefixes.enumerated().filter { id.hasPrefix($0.element) }.max {
                    $0.element.count < $1.element.count
                }
                #expect(
                    name(policy, id: id) == longest.map { "type\($0.offset)" } ?? "unknown", "seed \(seed), id \(id)")
            }
        }
    }

    @Test("a type without a priority has the policy's unknownPriority; an unnamed type too")
    func priorities() {
        var document = Policy()
        document.unknownPriority = 7
        var ranked = NotificationType(name: "ranked")
        ranked.priority = 2
        document.setTypes([NotificationType(name: "plain"), ranked])
        let policy = CompiledPolicy(document, order: PriorityOrder(), rules: [])
        func priority(_ type: String) -> Int32 {
            Array(type.utf8).withUnsafeBytes { policy.types.priority(policy.types.classify(type: $0, id: $0)) }
        }
        #expect(priority("plain") == 7)
        #expect(priority("ranked") == 2)
        #expect(priority("other") == 7)
    }

    @Test("a policy of 10,000 types finds each by name and by prefix")
    func manyTypes() {
        let policy = policy(Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("type\($0)", ["prefix\($0)/"]) }))
        for number in stride(from: 0, to: 10_000, by: 7) {
            #expect(name(policy, type: "type\(number)", id: "x") == "type\(number)")
            #expect(name(policy, id: "prefix\(number)/x") == "type\(number)")
        }
    }
}
