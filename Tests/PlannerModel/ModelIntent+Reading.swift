/// Section 6, in its order. What depends on the time is looked at when the intent is applied.
extension ModelIntent {
    private static let contentFields: Set<Text> = [
        "title", "subtitle", "body", "category", "threadId", "sound", "badge", "interruptionLevel", "relevanceScore",
        "userInfo",
    ]
    private static let fields: [Text: Set<Text>] = [
        "schedule": ["id", "type", "content", "trigger", "expires", "overdue"],
        "cancel": ["id", "prefix", "type"],
        "device": ["timeZone", "token", "environment", "delivery", "reserved", "categories", "quietHours"],
        "remove": [],
        "feedback": ["id", "outcome", "action"],
    ]

    init(_ value: Value, policy: ModelPolicy, zones: [Text]) throws(ModelRejection) {
        if value.breaksJSON { throw ModelRejection("json") }
        guard let operation = value["op"]?.text, Self.isWellFormed(value, operation) else {
            throw ModelRejection("intent.malformed")
        }
        guard let app = value["app"]?.text, let device = value["device"]?.text else {
            throw ModelRejection("intent.malformed")
        }
        try Self.checkNames(value, app: app, device: device)
        recipient = ModelRecipientName(app: app, device: device)
        switch operation {
        case "schedule":
            let wish = try Self.wish(value, policy)
            if case .calendar(let calendar) = wish.trigger, let zone = calendar.zone, !zones.contains(zone) {
                throw ModelRejection("timeZone")
            }
            request = .schedule(wish)
        case "cancel":
            if let id = value["id"]?.text {
                request = .cancelID(id)
            } else if let prefix = value["prefix"]?.text {
                request = .cancelPrefix(prefix)
            } else {
                request = .cancelType(value["type"]?.text ?? "")
            }
        case "device":
            if let zone = value["timeZone"]?.text, !zones.contains(zone) { throw ModelRejection("timeZone") }
            let hours = try Self.hours(value["quietHours"])
            let told = (value.members ?? []).filter { Self.fields["device"]?.contains($0.key) == true }
            request = .device(told.filter { $0.key != "quietHours" }, hours: hours)
        case "remove": request = .remove
        default: request = .feedback
        }
    }

    /// No missing, mistyped or unknown field.
    private static func isWellFormed(_ value: Value, _ operation: Text) -> Bool {
        guard let members = value.members, let own = fields[operation] else { return false }
        for member in members {
            guard own.contains(member.key) || ["op", "app", "device"].contains(member.key) else { return false }
            guard member.value == .null || isWellTyped(member) else { return false }
        }
        switch operation {
        case "schedule": return value["id"] != nil && value["content"] != nil && value["trigger"] != nil
        case "cancel":
            return value["prefix"]?.text != ""
                && [value["id"], value["prefix"], value["type"]].count { $0 != nil } == 1
        case "feedback": return value["id"] != nil && value["outcome"] != nil
        default: return true
        }
    }

    private static func isWellTyped(_ member: Value.Member) -> Bool {
        let value = member.value
        switch member.key {
        case "content":
            guard let members = value.members else { return false }
            return members.allSatisfy { contentFields.contains($0.key) }
        case "trigger":
            guard let members = value.members?.filter({ $0.value != .null }) else { return false }
            let ofCalendar: Set<Text> = ["repeats", "timeZone"]
            let triggers = members.filter { !ofCalendar.contains($0.key) }
            return triggers.count <= 1 && members.allSatisfy(isTriggerField)
                && (members.count == triggers.count || triggers.first?.key == "calendar")
        case "expires": return value.date != nil
        case "overdue": return ["drop", "deliver"].contains(value.text)
        case "reserved": return value.integer.map { $0 >= 0 } ?? false
        case "delivery": return ["push", "local"].contains(value.text)
        case "outcome": return ["delivered", "opened", "dismissed", "action", "failed"].contains(value.text)
        case "quietHours": return true  // has a code of its own
        case "categories": return value.elements?.allSatisfy { $0.text != nil } ?? false
        default: return value.text != nil
        }
    }

    private static func isTriggerField(_ member: Value.Member) -> Bool {
        switch member.key {
        case "at": member.value.date != nil
        case "after", "every": member.value.number != nil
        case "calendar": member.value.members?.allSatisfy { ModelCalendar.ranges[$0.key] != nil } ?? false
        case "repeats": member.value.bool != nil
        case "timeZone": member.value.text != nil
        default: false
        }
    }

    private static func checkNames(_ value: Value, app: Text, device: Text) throws(ModelRejection) {
        func isClean(_ text: Text, _ limit: Int) -> Bool {
            let characters = text.description.unicodeScalars
            return (1...limit).contains(text.byteCount) && characters.first != " " && characters.last != " "
                && characters.allSatisfy { $0.properties.generalCategory != .control }
        }
        if !isPlain(app, limit: 128) { throw ModelRejection("app") }
        if !isClean(device, 128) || device.bytes.contains(UInt8(ascii: "/")) { throw ModelRejection("device") }
        if let id = value["id"]?.text, !isClean(id, 256) { throw ModelRejection("id") }
        if let type = value["type"]?.text, !isPlainType(type) { throw ModelRejection("type") }
    }

    private static func isPlain(_ text: Text, limit: Int) -> Bool {
        guard (1...limit).contains(text.byteCount) else { return false }
        for byte in text.bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                continue
            default: return false
            }
        }
        return true
    }

    static func isPlainType(_ text: Text) -> Bool {
        isPlain(text, limit: 64)
    }

    /// Quiet hours as a policy's rules allow them.
    private static func hours(_ value: Value?) throws(ModelRejection) -> ModelHours? {
        guard let value else { return nil }
        if value == "policy" { return .policy }
        let windows = (value.elements ?? [.null]).map(ModelWindow.init)
        let valid = windows.compactMap(\.self)
        if valid.count < windows.count || ModelWindow.leaveNothing(valid) { throw ModelRejection("quietHours") }
        return .own(valid)
    }

    private static func wish(_ value: Value, _ policy: ModelPolicy) throws(ModelRejection) -> ModelWish {
        let id = value["id"]?.text ?? ""
        return ModelWish(
            id: id,
            type: policy.type(named: value["type"]?.text, id: id),
            content: try content(value["content"] ?? [:]),
            trigger: trigger(value["trigger"] ?? [:]),
            expires: value["expires"]?.date,
            delivers: value["overdue"]?.text == "deliver")
    }

    /// The content without what is absent or a default.
    private static func content(_ content: Value) throws(ModelRejection) -> Value {
        let texts: [Text] = ["title", "subtitle", "body"]
        let isSilent = texts.allSatisfy { content[$0]?.text ?? "" == "" }
        if isSilent && content["badge"] == nil && content["sound"] == nil { throw ModelRejection("content.empty") }
        if let badge = content["badge"], (badge.integer ?? -1) < 0 { throw ModelRejection("content.badge") }
        if let score = content["relevanceScore"]?.number, !(0...1).contains(score) {
            throw ModelRejection("content.relevanceScore")
        }
        let levels: [Text] = ["passive", "active", "timeSensitive", "critical"]
        if let level = content["interruptionLevel"]?.text, !levels.contains(level) {
            throw ModelRejection("content.interruptionLevel")
        }
        if content["userInfo"]?["aps"] != nil { throw ModelRejection("content.userInfo") }
        let kept = (content.members ?? []).filter { member in
            member.value != .null && !(texts.contains(member.key) && member.value == "")
                && !(member.key == "interruptionLevel" && member.value == "active")
        }
        return Value.object(kept).sorted
    }

    private static func trigger(_ trigger: Value) -> ModelWish.Trigger {
        if let at = trigger["at"]?.date { return .at(at) }
        if let after = trigger["after"]?.number { return .after(after) }
        if let every = trigger["every"]?.number { return .every(every) }
        return trigger["calendar"] == nil ? .empty : .calendar(ModelCalendar(trigger))
    }
}
