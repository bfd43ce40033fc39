@testable import PlannerModel
import TestSupport

/// Policies in which little fits.
struct PolicyGenerator {
    static let types: [Text] = ["habit", "nudge", "visit", "unknown", "other"]
    static let levels: [Value] = ["passive", "active", "timeSensitive", "critical"]

    let world: World
    /// Quiet windows mostly lie around what the clocks then show.
    let instant: Int64
    var random: SplitMix64

    init(world: World, around instant: Int64, _ random: inout SplitMix64) {
        self.world = world
        self.instant = instant
        self.random = SplitMix64(seed: random.next())
    }

    mutating func policy() -> Value {
        var policy: Value = [:]
        let slots: Int64 = random.pick([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
        policy["slots"] = .integer(slots)
        if random.chance(20) { policy["overflow"] = random.pick(["drop", "queue"]) }
        if random.chance(50) { policy["order"] = random.pick(["priority", "soonest"]) }
        if random.chance(40) { policy["queueLimit"] = .integer(random.number(0...4)) }
        let graces: [Value] =
            world.isFast
            ? ["0s", "500ms", "1m", "2m", "5m", "10m", "30m", "2h", "2h"] : ["0s", "10m", "2h", "2h", "5h", "1d"]
        if random.chance(65) { policy["grace"] = random.pick(graces) }
        if random.chance(35) { policy["maxDelay"] = random.pick(["0s", "1m", "5m", "1h", "9h", "1d", "3d"]) }
        if random.chance(20) { policy["unknownPriority"] = .integer(random.number(0...3)) }
        if random.chance(85) {
            policy["timeZone"] = .string(random.chance(60) ? world.zoneName : world.zoneName(&random))
        }
        if random.chance(75) { policy["types"] = types() }
        if random.chance(60) { policy["quietHours"] = windows() }
        if random.chance(65) { policy["caps"] = .array((0..<random.number(1...3)).map { _ in cap() }) }
        if random.chance(45) { policy["quotas"] = quotas(slots) }
        return policy
    }

    private mutating func types() -> Value {
        var types: Value = [:]
        var prefixes: [Value] = ["h.", "h.x.", "h", "n", "e\u{301}", "h.x.1"].shuffled(using: &random)
        for name in Self.types where random.chance(name == "unknown" ? 5 : 50) {
            var type: Value = [:]
            if random.chance(80) { type["priority"] = .integer(random.number(0...3)) }
            let count = Int(random.number(0...2))
            if count > 0 { type["prefix"] = .array(Array(prefixes.prefix(count))) }
            prefixes.removeFirst(min(count, prefixes.count))
            if random.chance(20) { type["keepsTime"] = .bool(random.chance(80)) }
            if random.chance(25) { type["maxDelay"] = random.pick(["0s", "2m", "1h", "10h", "2d"]) }
            types[name] = type
        }
        return types
    }

    /// Some type names, in the order of the list.
    private mutating func someTypes() -> Value {
        let chosen = random.pick(Self.types)
        return .array(Self.types.filter { $0 == chosen || random.chance(25) }.map { .string($0) })
    }

    private mutating func someLevels() -> Value {
        .array(Self.levels.filter { _ in random.chance(35) })
    }

    /// One to three windows, together shorter than a day, so that some minute is free.
    mutating func windows() -> Value {
        var windows: [Value] = []
        var minutes: Int64 = 0
        for _ in 0..<random.pick([1, 1, 2, 2, 3]) {
            let (from, length) = window()
            minutes += length
            guard minutes < 1440 else { break }
            var window: Value = ["from": Self.clock(from)]
            let end = from + length
            window["to"] = end == 1440 ? "24:00" : Self.clock(end % 1440)
            if random.chance(35) { window["days"] = days() }
            if random.chance(30) { window["types"] = someTypes() }
            if random.chance(30) { window["exempt"] = someLevels() }
            windows.append(window)
        }
        return .array(windows)
    }

    /// Minutes of the day, and how many: mostly around what the clocks show.
    private mutating func window() -> (from: Int64, length: Int64) {
        let step = world.unit / World.minute
        let near =
            (world.minuteOfDay(at: instant) + 2880 + random.number(-4...12) * step + random.pick([0, 0, 1])) % 1440
        switch random.number(0...9) {
        case 0..<5: return (near, random.number(1...8) * step)
        case 5: return (near, 1)
        case 6: return (22 * 60, 9 * 60 + 30)
        case 7: return (random.pick([23, 0, 1, 2]) * 60, random.pick([60, 90, 150, 180]))
        case 8: return (random.number(1200...1439), random.number(2...12) * 20)
        default: return (near, max(1, 1440 - near))
        }
    }

    /// Days on which a window starts: often that day and its neighbours.
    private mutating func days() -> Value {
        let names = ModelWindow.dayNames
        let near = (world.weekday(at: instant) + random.number(6...8)) % 7
        return .array(
            names.indices.filter { $0 == near || random.chance(30) }.map { .string(names[$0]) })
    }

    private static func clock(_ minute: Int64) -> Value {
        let (hours, minutes) = ("\(minute / 60)", "\(minute % 60)")
        return .string(Text((hours.count < 2 ? "0" : "") + hours + (minutes.count < 2 ? ":0" : ":") + minutes))
    }

    private mutating func cap() -> Value {
        let short: [Value] = ["30s", "2m", "10m", "10m", "30m", "1h", "1d"]
        let long: [Value] = ["10m", "30m", "1h", "2h", "6h", "1d", "2d"]
        var cap: Value = [:]
        cap["limit"] = .integer(random.pick([1, 1, 2, 3]))
        cap["per"] = random.pick(world.isFast ? short : long)
        if random.chance(35) { cap["types"] = someTypes() }
        if random.chance(35) { cap["overflow"] = random.pick(["drop", "drop", "move"]) }
        if random.chance(30) { cap["exempt"] = someLevels() }
        return cap
    }

    /// Guarantees that the slots can hold, and ceilings at or over them.
    private mutating func quotas(_ slots: Int64) -> Value {
        var quotas: Value = [:]
        var free = slots
        for name in (Self.types + ["*"]).shuffled(using: &random) where random.chance(45) {
            var quota: Value = [:]
            let percent = random.number(0...20) * 5
            let isPercent = random.chance(40)
            let least = isPercent ? slots * percent / 100 : random.number(0...max(0, free))
            if random.chance(60), least <= free {
                quota["min"] = isPercent ? Self.percent(percent) : .integer(least)
                free -= least
            }
            if random.chance(60) { quota["max"] = ceiling(over: quota["min"] == nil ? 0 : least, percent, slots) }
            quotas[name] = quota
        }
        return quotas
    }

    private mutating func ceiling(over least: Int64, _ percent: Int64, _ slots: Int64) -> Value {
        let more = min(100, percent + random.number(0...8) * 5)
        if random.chance(40), slots * more / 100 >= least { return Self.percent(more) }
        return .integer(least + random.number(0...2))
    }

    private static func percent(_ percent: Int64) -> Value {
        .string(Text("\(percent)%"))
    }
}
