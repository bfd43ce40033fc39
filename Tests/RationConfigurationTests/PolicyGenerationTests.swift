import RationModel
import Testing

@Suite("Generated policies")
struct PolicyGenerationTests {
    @Test("What is made of sound pieces is taken, and is what was written", arguments: 0..<40)
    func sound(seed: UInt64) throws {
        var generator = PolicyGenerator(seed: seed)
        for index in 0..<10 {
            let written = generator.policy()
            for (isYAML, leavesDefaultsOut) in [(true, true), (true, false), (false, true), (false, false)] {
                let text = PolicyText(isYAML: isYAML, leavesDefaultsOut: leavesDefaultsOut).text(written)
                #expect(faults(ofPolicy: text) == [], "seed \(seed), policy \(index): \(text)")
                #expect(try policy(text) == written, "seed \(seed), policy \(index): \(text)")
            }
        }
    }

    @Test("A policy of 10,000 types, each in a quota, a window and a cap, is taken; one more of anything is not")
    func many() throws {
        let names = (0..<10_000).map { "type.\($0)" }
        let text = { (names: [String]) in
            let types = names.map { "\"\($0)\":{\"priority\":1,\"prefix\":[\"com.\($0)\"]}" }.joined(separator: ",\n")
            let quotas = names.map { "\"\($0)\":{\"max\":1}" }.joined(separator: ",\n")
            let list = names.map { "\"\($0)\"" }.joined(separator: ",")
            return """
                {"types":{\(types)},"quotas":{\(quotas)},
                 "quietHours":[{"from":"00:00","to":"23:59","types":[\(list)]},{"from":"23:59","to":"24:00","days":["mon"]}],
                 "caps":[{"limit":1,"per":"1h","types":[\(list)]}]}
                """
        }
        let read = try policy(text(names))
        #expect(read.types.count == 10_000)
        #expect(read.quotas.count == 10_000)
        #expect(read.caps.first?.types == names)
        #expect(
            faults(ofPolicy: text(names + ["one.more"])) == [
                "p:1:10: types: expected at most 10000 types, found 10001",
                "p:10001:63: quotas: expected at most 10000 quotas, found 10001",
                "p:20002:53: quietHours[0].types: expected at most 10000 types, found 10001",
                "p:20003:40: caps[0].types: expected at most 10000 types, found 10001",
            ])
    }
}
