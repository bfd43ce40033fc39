import RationModel
import RationPlanner

/// How many events and rejections there were, under each of two policies.
struct EventTally {
    private struct Key: Hashable {
        var type: [UInt8]
        /// As events are published, rejections last.
        var rank: Int
        var cause = EventCause.none
        var reason = EventReason.none
        var code: Rejection.Code?
    }

    private var counts: [Key: Pair<Int>] = [:]

    private static let kinds = EventKind.planned.map { "\($0.name)" } + ["rejected"]
    private static let rejectedRank = EventKind.planned.count

    mutating func add(_ decision: Decision, _ side: Side) {
        let events = decision.events
        for event in events.events {
            let key = Key(
                type: events.bytes.with(event.type) { Array($0) }, rank: Int(event.kind.rawValue), cause: event.cause,
                reason: event.reason)
            counts[key, default: Pair(a: 0, b: 0)][side] += 1
        }
        for problem in decision.problems {
            let key = Key(type: [], rank: Self.rejectedRank, code: problem.rejection.code)
            counts[key, default: Pair(a: 0, b: 0)][side] += 1
        }
    }

    /// The rows whose counts differ.
    var differingRows: [PolicyDifference.Row] {
        let rows = counts.filter { $0.value.a != $0.value.b }.sorted { Self.precedes($0.key, $1.key) }
        return rows.map { key, counts in
            PolicyDifference.Row(
                type: String(decoding: key.type, as: UTF8.self), kind: Self.kinds[key.rank], cause: "\(key.cause.name)",
                reason: key.code?.rawValue ?? "\(key.reason.name)", counts: counts)
        }
    }

    private static func precedes(_ left: Key, _ right: Key) -> Bool {
        guard left.type == right.type else { return left.type.lexicographicallyPrecedes(right.type) }
        func rest(_ key: Key) -> (Int, UInt8, UInt8, String) {
            (key.rank, key.cause.rawValue, key.reason.rawValue, key.code?.rawValue ?? "")
        }
        return rest(left) < rest(right)
    }

    /// The sums over all types, of every kind that there was.
    var totals: [PolicyDifference.Total] {
        var sums = Self.kinds.map { PolicyDifference.Total(kind: $0, counts: Pair(a: 0, b: 0)) }
        for (key, counts) in counts {
            sums[key.rank].counts.a += counts.a
            sums[key.rank].counts.b += counts.b
        }
        return sums.filter { $0.counts != Pair(a: 0, b: 0) }
    }
}
