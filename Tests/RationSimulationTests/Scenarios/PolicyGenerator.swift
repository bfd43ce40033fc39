import TestSupport

/// Policies in which little fits.
enum PolicyGenerator {
    static func policy(_ random: inout SplitMix64) -> Value {
        var policy: Value = [:]
        policy["slots"] = .integer(random.number(0...4))
        if random.chance(30) { policy["overflow"] = random.pick(["drop", "queue"]) }
        if random.chance(50) { policy["order"] = random.pick(["priority", "soonest"]) }
        if random.chance(50) { policy["queueLimit"] = .integer(random.number(0...4)) }
        if random.chance(70) { policy["grace"] = random.pick(["0s", "500ms", "1m", "2m", "10m", "1d"]) }
        if random.chance(30) { policy["maxDelay"] = random.pick(["0s", "1m", "3m", "1h"]) }
        if random.chance(20) { policy["unknownPriority"] = .integer(random.number(0...3)) }
        if random.chance(20) { policy["timeZone"] = "Europe/Madrid" }
        if random.chance(70) { policy["types"] = types(&random) }
        return policy
    }

    private static func types(_ random: inout SplitMix64) -> Value {
        var types: Value = [:]
        var prefixes: [Value] = ["h.", "h.x.", "h", "n", "e\u{301}", "h.x.1"].shuffled(using: &random)
        for name: Text in ["habit", "nudge", "visit", "unknown"] where random.chance(name == "unknown" ? 5 : 60) {
            var type: Value = [:]
            if random.chance(80) { type["priority"] = .integer(random.number(0...3)) }
            let count = Int(random.number(0...2))
            if count > 0 { type["prefix"] = .array(Array(prefixes.prefix(count))) }
            prefixes.removeFirst(min(count, prefixes.count))
            if random.chance(25) { type["keepsTime"] = .bool(random.chance(80)) }
            if random.chance(25) { type["maxDelay"] = random.pick(["0s", "2m", "1h"]) }
            types[name] = type
        }
        return types
    }
}
