internal import RationJSON
public import RationModel
internal import RationPlanner

/// What a phone is told of its plan (`GET /v1/plans/APP/DEVICE`).
public struct ReceivedPlan: Sendable {
    /// What the phone asks with next time.
    public var revision: String
    /// Whether all that the phone has goes first.
    public var isWhole: Bool
    public var remove: [String]
    public var add: [PhoneRequest]
}

/// An answer that is not what the README says.
public struct PlanFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public var description: String { message }
}

/// Reads answers, one after another in memory that it keeps.
public struct PhonePlanReader: ~Copyable {
    private var parser = JSONParser(maximumDepth: 64, maximumValues: 1_000_000)
    private let zones: any ZoneSource

    /// - Parameter zones: those that a phone knows.
    public init(zones: any ZoneSource) {
        self.zones = zones
    }

    /// - Throws: ``PlanFault`` for the first member that is missing or is something else.
    public mutating func read(_ body: [UInt8]) throws(PlanFault) -> ReceivedPlan {
        let value: JSONValue
        do throws(JSONError) { value = try parser.parse(body) } catch { throw PlanFault(message: error.message) }
        guard let revision = value["revision"]?.text, let isWhole = value["whole"]?.bool, let remove = value["remove"],
            let add = value["add"]
        else { throw PlanFault(message: "expected revision, whole, remove and add") }
        var plan = ReceivedPlan(revision: revision, isWhole: isWhole, remove: [], add: [])
        plan.remove = remove.children.compactMap(\.text)
        for member in add.children { plan.add.append(try request(member)) }
        return plan
    }

    private func request(_ value: JSONValue) throws(PlanFault) -> PhoneRequest {
        guard let identifier = value["id"]?.text, let content = value["content"] else {
            throw PlanFault(message: "expected id and content")
        }
        var writer = JSONWriter()
        content.canonical(into: &writer)
        return PhoneRequest(
            identifier: identifier, trigger: try trigger(value), content: writer.bytes,
            badge: content["badge"]?.integer.map(Int.init))
    }

    private func trigger(_ value: JSONValue) throws(PlanFault) -> PhoneRequest.Trigger {
        if let text = value["at"]?.text {
            guard let date = Instant(rfc3339: text) else { throw PlanFault(message: "'\(text)' is no date") }
            return .at(date)
        }
        guard let calendar = value["calendar"] else { throw PlanFault(message: "expected at or calendar") }
        var pattern = CalendarPattern()
        for component in CalendarPattern.Component.allCases {
            if let number = calendar[component.name]?.integer { pattern[component] = Int16(clamping: number) }
        }
        var zone: ZoneTable?
        if let name = value["timeZone"]?.string {
            zone = zones.zone(named: name)
            guard zone != nil else {
                throw PlanFault(message: "the zone '\(String(decoding: name, as: UTF8.self))' is not known")
            }
        }
        return .calendar(pattern, zone: zone, repeats: value["repeats"]?.bool ?? false)
    }
}

extension Phone {
    /// Does what a plan says, as an app has to: what goes goes first, so that what comes finds room; what comes with a date that
    /// has passed is shown at once.
    /// - Throws: what ends the app.
    public mutating func apply(_ plan: ReceivedPlan) throws(PhoneException) {
        if plan.isWhole { removeAll() } else { remove(plan.remove) }
        for var request in plan.add {
            if case .at(let date) = request.trigger, date <= clock { request.trigger = .now }
            try add(request)
        }
    }
}
