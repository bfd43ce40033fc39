@testable import PlannerModel

/// What a device knows that has folded every event: which notifications are held and queued, and for when.
struct Ledger {
    struct Plan: Equatable {
        var held: [Text: Text] = [:]
        var queued: [Text: Text] = [:]
    }

    private var plans: [ModelRecipientName: Plan] = [:]

    /// "`due` and `expired` take away until the next event."
    mutating func fold(_ event: Value) {
        guard let name = ModelRecipientName(event), let id = event["id"]?.text, event["kind"] != "rejected" else {
            return
        }
        let date = event["fireDate"]?.text ?? ""
        plans[name, default: Plan()].held[id] = nil
        plans[name, default: Plan()].queued[id] = nil
        switch event["kind"] {
        case "accepted": plans[name, default: Plan()].held[id] = date
        case "queued": plans[name, default: Plan()].queued[id] = date
        case "evicted" where event["final"] == false: plans[name, default: Plan()].queued[id] = date
        default: break
        }
    }

    /// Compares with a line of `--plan`.
    /// - Parameter now: dates of queued ones may differ where both have come.
    func check(_ line: Value, now: Int64) throws(Breach) {
        guard let name = ModelRecipientName(line) else { return }
        let folded = plans[name] ?? Plan()
        let held = Self.dates(line["held"])
        let queued = Self.dates(line["queued"])
        guard folded.held == held else { throw Breach("held \(line.json), folded \(folded.held)") }
        let differing = queued.filter { id, date in
            guard let other = folded.queued[id] else { return true }
            let bothHaveCome = [date, other].allSatisfy { Value.string($0).date.map { $0 <= now } ?? false }
            return other != date && !bothHaveCome
        }
        guard folded.queued.count == queued.count, differing.isEmpty else {
            throw Breach("queued \(line.json), folded \(folded.queued)")
        }
    }

    static func dates(_ list: Value?) -> [Text: Text] {
        let pairs = (list?.elements ?? []).compactMap { pair -> (Text, Text)? in
            guard let id = pair.elements?.first?.text, let date = pair.elements?.last?.text else { return nil }
            return (id, date)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// Which notifications have begun and not ended.
struct Lives {
    private var pending: [ModelRecipientName: Set<Text>] = [:]

    /// Takes in the events of one step.
    /// - Parameter scheduled: ids that the step schedules. Only these can begin and be removed by a rule in one batch; what
    ///   had that id before may be told to have ended after that, for the order of events is by kind.
    mutating func take(_ events: [Value], scheduled: Set<Text>) throws(Breach) {
        var removedAtOnce: [ModelRecipientName: Set<Text>] = [:]
        for event in events {
            guard let name = ModelRecipientName(event), let kind = event["kind"]?.text, let id = event["id"]?.text,
                kind != "rejected"
            else { continue }
            let isFinal = event["final"]?.bool == true
            if isFinal && (kind == "evicted" || kind == "expired") && scheduled.contains(id) {
                removedAtOnce[name, default: []].insert(id)
            }
            let isPending = pending[name]?.contains(id) ?? false
            let isBeginning = event["cause"]?.text == "new"
            let isAtOnce = !isPending && isFinal && removedAtOnce[name]?.contains(id) ?? false
            guard isPending != isBeginning || isAtOnce else {
                throw Breach("\(isPending ? "begins twice" : "is not pending"): \(event.json)")
            }
            if isFinal {
                pending[name, default: []].remove(id)
            } else {
                pending[name, default: []].insert(id)
            }
        }
    }

    /// Compares with a line of `--plan`.
    func check(_ line: Value) throws(Breach) {
        guard let name = ModelRecipientName(line) else { return }
        let planned = Set(Ledger.dates(line["held"]).keys).union(Ledger.dates(line["queued"]).keys)
        guard pending[name] ?? [] == planned else {
            throw Breach("pending \(line.json), begun and not ended \(pending[name] ?? [])")
        }
    }
}
