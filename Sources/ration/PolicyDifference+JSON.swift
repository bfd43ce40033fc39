import RationModel
import RationSimulation
import RationWire

/// What differs between two policies, as one JSON object.
extension PolicyDifference {
    func json(_ files: Pair<String>) -> [UInt8] {
        ObjectText.bytes { write(files, to: &$0) }
    }

    private func write(_ files: Pair<String>, to json: inout ObjectText) {
        json.texts(("a", files.a), ("b", files.b))
        json.integers(("steps", steps), ("intents", intents))
        json.list("rows", rows) { row, json in
            json.texts(("type", row.type), ("kind", row.kind), ("cause", row.cause), ("reason", row.reason))
            json.integers(("a", row.counts.a), ("b", row.counts.b))
        }
        json.list("totals", totals) { total, json in
            json.texts(("kind", total.kind))
            json.integers(("a", total.counts.a), ("b", total.counts.b))
        }
        json.integers(("compared", compared), ("differing", differing))
        json.list("fates", groups) { $0.write(to: &$1) }
    }
}

extension PolicyDifference.Group {
    fileprivate func write(to json: inout ObjectText) {
        json.object("a") { $0.fate(change.kinds.a, change.reasons.a) }
        json.object("b") { $0.fate(change.kinds.b, change.reasons.b) }
        switch change.shift {
        case .none: break
        case .earlier: json.texts(("shift", "earlier"))
        case .later: json.texts(("shift", "later"))
        }
        json.integers(("count", count))
        json.list("examples", examples) { example, json in
            json.texts(("app", example.app), ("device", example.device), ("id", example.id))
            json.texts(("requestedDate", example.requestedDate.rfc3339))
            json.object("a") { $0.fate(example.fates.a) }
            json.object("b") { $0.fate(example.fates.b) }
        }
    }
}

extension ObjectText {
    fileprivate mutating func fate(_ kind: Fate.Kind, _ reason: EventReason) {
        texts(("fate", kind.rawValue), ("reason", "\(reason.name)"))
    }

    fileprivate mutating func fate(_ fate: Fate) {
        self.fate(fate.kind, fate.reason)
        guard fate.kind != .absent else { return }
        texts(("at", fate.at.rfc3339), ("fireDate", fate.fireDate.rfc3339))
    }
}
