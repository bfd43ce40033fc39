@testable import PlannerModel

extension ScenarioGenerator {
    /// An intent that breaks a rule of section 6, sometimes two.
    mutating func broken() -> Value {
        var intent: Value
        switch random.number(0...9) {
        case 0: return random.pick([5, "schedule", [], .null, [:]])
        case 1: intent = brokenCancel()
        case 2: intent = brokenDevice()
        default:
            intent = schedule()
            sent.removeLast()
            breakSchedule(&intent)
            if random.chance(30) { breakSchedule(&intent) }
        }
        if random.chance(15) { intent[random.pick(["colour", "quiet"])] = 1 }
        if random.chance(10) { intent["app"] = random.pick([.null, "", "a b", 7]) }
        if random.chance(10) { intent["device"] = random.pick([.null, " d", "d/e", 7]) }
        return intent
    }

    private mutating func breakSchedule(_ intent: inout Value) {
        switch random.number(0...13) {
        case 0: intent["id"] = random.pick([.null, " a", "a\n", 7])
        case 1: intent["type"] = random.pick(["", "a b", "ä", 7])
        case 2: intent["content"] = random.pick([.null, [:], ["title": ""], ["title": "", "badge": 0], 7])
        case 3: intent["content"] = ["title": "t", "badge": -1]
        case 4: intent["content"] = ["title": "t", "relevanceScore": random.pick([.number(1.5), -1])]
        case 5: intent["content"] = ["title": "t", "interruptionLevel": "loud"]
        case 6: intent["content"] = ["title": "t", "userInfo": ["aps": 1]]
        case 7: intent["content"] = ["title": "t", "colour": "red"]
        case 8: intent["trigger"] = random.pick([.null, [:], ["at": "soon"], ["after": "1"], ["in": 5], 7])
        case 9: intent["trigger"] = ["after": 60, "every": 60]
        case 10: intent["trigger"] = ["after": .outOfRange]
        case 11: intent["expires"] = random.pick([.integer(now), .integer(now - 1), "never", .bool(true)])
        case 12: intent["overdue"] = random.pick(["maybe", 1])
        default: intent = .object((intent.members ?? []) + [.init(key: "id", value: "twice")])
        }
    }

    private mutating func brokenCancel() -> Value {
        let rest: Value = random.pick([
            [:], ["id": "a", "type": "habit"], ["prefix": ""], ["id": ""], ["prefix": "a", "id": "b"], ["id": 4],
        ])
        return .object(
            [
                .init(key: "op", value: "cancel"), .init(key: "app", value: random.pick(apps)),
                .init(key: "device", value: random.pick(devices)),
            ] + (rest.members ?? []))
    }

    private mutating func brokenDevice() -> Value {
        let rest: Value = random.pick([
            ["timeZone": "Mars/Olympus"], ["reserved": -1], ["reserved": "4"], ["delivery": "pigeon"],
            ["timeZone": "europe/madrid", "reserved": 2], ["categories": [1]],
            ["quietHours": 5], ["quietHours": "none"], ["quietHours": [["from": "08:00", "to": "08:00"]]],
            ["quietHours": [["from": "24:00", "to": "08:00"]]], ["quietHours": [["from": "8:00", "to": "09:00"]]],
            ["quietHours": [["from": "08:00"]]], ["quietHours": [["from": "08:00", "to": "09:00", "colour": 1]]],
            ["quietHours": [["from": "08:00", "to": "09:00", "days": ["monday"]]]],
            ["quietHours": [["from": "08:00", "to": "09:00", "exempt": ["loud"]]]],
            ["quietHours": [["from": "08:00", "to": "09:00", "types": ["a b"]]]],
            ["quietHours": [["from": "00:00", "to": "24:00", "types": ["nudge"]]]],
            ["quietHours": [["from": "00:00", "to": "12:00"], ["from": "12:00", "to": "00:00"]]],
            ["timeZone": "Mars/Olympus", "quietHours": 5],
        ])
        return .object(
            [
                .init(key: "op", value: "device"), .init(key: "app", value: random.pick(apps)),
                .init(key: "device", value: random.pick(devices)),
            ] + (rest.members ?? []))
    }
}
