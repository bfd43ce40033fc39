/// What a device knows that has folded every event: which notifications are held and queued, and for when.
struct Ledger {
    /// A broken law: what was found and where.
    struct Breach: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) {
            self.description = description
        }
    }

    struct Plan: Equatable {
        var held: [Text: Text] = [:]
        var queued: [Text: Text] = [:]
    }

    private(set) var plans: [[Text]: Plan] = [:]
    /// Those that have begun and not ended.
    private var pending: [[Text]: Set<Text>] = [:]

    /// Takes an event in.
    /// - Parameter scheduled: ids that the step schedules: only these can begin and be removed in one batch.
    mutating func fold(_ event: Value, scheduled: Set<Text>) throws(Breach) {
        guard let kind = event["kind"]?.text, kind != "rejected", let id = event["id"]?.text,
            let app = event["app"]?.text, let device = event["device"]?.text
        else { return }
        let isPending = pending[[app, device]]?.contains(id) ?? false
        let isBeginning = event["cause"]?.text == "new"
        let isFinal = event["final"]?.bool == true
        let isGoneAtOnce = isFinal && (kind == "evicted" || kind == "expired") && scheduled.contains(id)
        guard isPending != isBeginning || (!isPending && isGoneAtOnce) else {
            throw Breach("\(isPending ? "begins twice" : "is not pending"): \(event.json)")
        }
        if isFinal {
            pending[[app, device], default: []].remove(id)
        } else {
            pending[[app, device], default: []].insert(id)
        }
        move(id, kind, event["fireDate"]?.text ?? "", isFinal: isFinal, in: &plans[[app, device], default: Plan()])
    }

    private func move(_ id: Text, _ kind: Text, _ date: Text, isFinal: Bool, in plan: inout Plan) {
        plan.held[id] = nil
        plan.queued[id] = nil
        switch kind {
        case "accepted": plan.held[id] = date
        case "queued": plan.queued[id] = date
        case "evicted" where !isFinal: plan.queued[id] = date
        default: break
        }
    }

    /// Compares with a line of `--plan`.
    /// - Parameter now: dates of queued ones may differ where both have come.
    func check(_ line: Value, now: Int64) throws(Breach) {
        guard let app = line["app"]?.text, let device = line["device"]?.text else { return }
        let folded = plans[[app, device]] ?? Plan()
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
        guard pending[[app, device]] ?? [] == Set(held.keys).union(queued.keys) else {
            throw Breach("pending \(line.json), begun and not ended \(pending[[app, device]] ?? [])")
        }
    }

    private static func dates(_ list: Value?) -> [Text: Text] {
        let pairs = (list?.elements ?? []).compactMap { pair -> (Text, Text)? in
            guard let id = pair.elements?.first?.text, let date = pair.elements?.last?.text else { return nil }
            return (id, date)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
