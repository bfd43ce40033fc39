import Glibc
import RationJSON
import RationModel
import RationStore
import RationWire
import Synchronization

/// What `status` and `/metrics` show: written by the deciding and the reading thread, read by any.
final class StatusBoard: Sendable {
    struct Facts: Sendable {
        var counters = BrokerCounters()
        var queries = QueryCounters()
        var isStopping = false
        /// Reads that met events that cannot be read, and what was said of the first.
        var damagedReads = 0
        var damage: String?
    }

    let server: String
    let startedAt: Instant
    private let store: any Store
    let notices: Notices
    private let facts = Mutex(Facts())

    init(server: String, startedAt: Instant, store: any Store, notices: Notices) {
        self.notices = notices
        self.server = server
        self.startedAt = startedAt
        self.store = store
    }

    func update<Result: Sendable>(_ change: (inout Facts) -> Result) -> Result {
        facts.withLock { change(&$0) }
    }

    func read<Result: Sendable>(_ body: (Facts) -> Result) -> Result { facts.withLock { body($0) } }

    var isStopping: Bool { facts.withLock { $0.isStopping } }

    var replanBacklog: Int { facts.withLock { $0.counters.replanBacklog } }

    /// All that is shown, in one order: name and number.
    private var numbers: [(name: String, value: Int64)] {
        let (counters, queries, damagedReads) = facts.withLock { ($0.counters, $0.queries, $0.damagedReads) }
        let range = store.range
        var numbers: [(String, Int64)] = [
            ("batch", Int64(truncatingIfNeeded: store.lastBatch)),
            ("first", Int64(truncatingIfNeeded: range.first)),
            ("last", Int64(truncatingIfNeeded: range.last)),
            ("recipients", Int64(counters.recipients)),
            ("policyRevision", Int64(truncatingIfNeeded: counters.policyRevision)),
            ("zonesRevision", Int64(truncatingIfNeeded: counters.zonesRevision)),
            ("categoriesRevision", Int64(truncatingIfNeeded: counters.categoriesRevision)),
            ("replanBacklogRecipients", Int64(counters.replanBacklog)),
            ("full", counters.isFull ? 1 : 0),
            ("damaged", damagedReads > 0 ? 1 : 0),
            ("damagedReads", Int64(damagedReads)),
            ("clockDoubted", counters.clockState == .doubted ? 1 : 0),
            ("publishers", Int64(store.publisherCount)),
            ("requests", Int64(counters.requests)),
            ("repetitions", Int64(counters.repetitions)),
            ("refusals", Int64(counters.refusals)),
            ("malformed", Int64(counters.malformed + queries.malformed)),
            ("answersDropped", Int64(counters.answersDropped + queries.answersDropped)),
            ("published", Int64(counters.published)),
            ("batches", Int64(counters.batches)),
            ("intents", Int64(counters.intents)),
        ]
        numbers += storeNumbers
        numbers.append(("clockJumps.forward", Int64(counters.clockJumpsForward)))
        numbers.append(("clockJumps.backward", Int64(counters.clockJumpsBackward)))
        let connections = counters.connections + queries.connections
        numbers.append(("connections.accepted", Int64(connections.accepted)))
        numbers.append(("connections.disconnected", Int64(connections.disconnected)))
        numbers.append(("connections.handshakesFailed", Int64(connections.handshakesFailed)))
        for outcome in Outcome.allCases {
            numbers.append(("outcomes.\(outcome.name)", Int64(counters.outcomes[outcome])))
        }
        numbers.append(("categoryMismatches.undeclared", Int64(counters.categories.all.undeclared)))
        numbers.append(("categoryMismatches.unregistered", Int64(counters.categories.all.unregistered)))
        for kind in EventKind.allCases { numbers.append(("events.\(kind.name)", Int64(counters.events[kind]))) }
        return numbers
    }

    /// What the store is busy with; nothing of one in memory.
    private var storeNumbers: [(name: String, value: Int64)] {
        guard let store = (store as? RocksDBStore)?.statistics else { return [] }
        return [
            ("storeStopped", store.isStopped ? 1 : 0),
            ("storeSlowedToBytesPerSecond", Int64(clamping: store.slowedToBytesPerSecond)),
            ("storeMemtableBytes", Int64(clamping: store.memtableBytes)),
            ("storeWaitingMemtables", Int64(clamping: store.waitingMemtables)),
            ("storeTableBytes", Int64(clamping: store.tableBytes)),
            ("storeCompactionBacklogBytes", Int64(clamping: store.compactionBacklogBytes)),
            ("storeFreeBytes", Int64(clamping: store.freeBytes)),
            ("storeCommittedBytes", Int64(clamping: store.committedBytes)),
            ("storeBackgroundErrors", Int64(clamping: store.backgroundErrors)),
        ]
    }

    /// The answer to `status`: one JSON object, counts of outcomes and events in objects of their own.
    var json: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.raw(#"{"server":"#)
        writer.string(server)
        writer.raw(#","log":"#)
        writer.string(store.log)
        writer.raw(#","process":"#)
        writer.integer(Int64(getpid()))
        writer.raw(#","startedAt":"#)
        writer.string(startedAt.rfc3339)
        let (now, isStopping) = facts.withLock { ($0.counters.now, $0.isStopping) }
        writer.raw(#","now":"#)
        if now == .distantPast { writer.null() } else { writer.string(now.rfc3339) }
        writer.raw(#","tzRelease":"#)
        writer.string(store.revisions(of: .zones).last?.source ?? "")
        writer.raw(#","stopping":"#)
        writer.bool(isStopping)
        var group: Substring = ""
        for (name, value) in numbers {
            let parts = name.split(separator: ".")
            let newGroup = parts.count == 2 ? parts[0] : ""
            if newGroup != group {
                if !group.isEmpty { writer.byte(UInt8(ascii: "}")) }
                writer.raw(",")
                writer.string(String(newGroup))
                writer.raw(":{")
                group = newGroup
            } else {
                writer.raw(",")
            }
            writer.string(String(parts[parts.count - 1]))
            writer.raw(":")
            writer.integer(value)
        }
        writer.raw(group.isEmpty ? "" : "}")
        writeMismatches(to: &writer)
        writer.raw("}")
        return writer.bytes
    }

    private var mismatches: [(app: String, counts: CategoryCounters.Counts)] {
        facts.withLock { $0.counters.categories }.apps
    }

    private func writeMismatches(to writer: inout JSONWriter) {
        writer.raw(#","categoryMismatchesByApp":{"#)
        for (index, entry) in mismatches.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(entry.app)
            writer.raw(#":{"undeclared":"#)
            writer.integer(Int64(entry.counts.undeclared))
            writer.raw(#","unregistered":"#)
            writer.integer(Int64(entry.counts.unregistered))
            writer.raw("}")
        }
        writer.raw("}")
    }

    /// Prometheus' text format: counters of events and outcomes carry a label.
    var metrics: String {
        var text = ""
        var lastName = ""
        let gauges: Set<String> = [
            "batch", "first", "last", "recipients", "publishers", "policyRevision", "zonesRevision",
            "categoriesRevision", "replanBacklogRecipients", "clockDoubted", "full", "damaged", "storeStopped",
            "storeSlowedToBytesPerSecond", "storeMemtableBytes", "storeWaitingMemtables", "storeTableBytes",
            "storeCompactionBacklogBytes", "storeFreeBytes",
        ]
        for (name, value) in numbers {
            let parts = name.split(separator: ".").map(String.init)
            let isGauge = gauges.contains(name)
            let labels = [
                "clockJumps": "direction", "connections": "event", "outcomes": "outcome", "events": "kind",
                "categoryMismatches": "kind",
            ]
            let metric = "ration_" + Self.snakeCase(parts[0]) + (isGauge ? "" : "_total")
            if metric != lastName {
                text += "# TYPE \(metric) \(isGauge ? "gauge" : "counter")\n"
                lastName = metric
            }
            let label = parts.count == 2 ? "{\(labels[parts[0]] ?? "name")=\"\(parts[1])\"}" : ""
            text += "\(metric)\(label) \(value)\n"
        }
        return text + mismatchMetrics
    }

    /// An app's name is plain: it needs no escapes in a label.
    private var mismatchMetrics: String {
        let metric = "ration_app_category_mismatches_total"
        let lines = mismatches.flatMap { app, counts in
            [("undeclared", counts.undeclared), ("unregistered", counts.unregistered)].map { kind, count in
                "\(metric){app=\"\(app)\",kind=\"\(kind)\"} \(count)\n"
            }
        }
        return lines.isEmpty ? "" : "# TYPE \(metric) counter\n" + lines.joined()
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
