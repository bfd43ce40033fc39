@testable import PlannerModel
import FrequencyCapRule
import PriorityOrder
import QuietHoursRule
import RationConfiguration
import RationModel
import SoonestOrder
import TestSupport
import Testing

@testable import RationPlanner
@testable import RationSimulation

@Suite("The core's state, kept and made again (store.md)")
struct StateTests {
    /// Scenarios of one run.
    private static let scenarios = 500

    @Test("what each batch has changed, applied to the state before it, is the state after it, byte for byte")
    func changes() throws {
        for seed in 1...UInt64(Self.scenarios) {
            var run = try KeptRun(seed: seed)
            try run.play { original, kept in
                try #require(original.images() == kept.images(), "seed \(seed), batch \(original.batch)")
            }
        }
    }

    @Test("a core made again from records and later changes goes on as if it had never ended")
    func goingOn() throws {
        for seed in 1...UInt64(Self.scenarios) {
            var run = try KeptRun(seed: seed)
            run.restartsOneIn = 3
            let restarted = try run.play { original, kept in
                try #require(original.images() == kept.images(), "seed \(seed), batch \(original.batch)")
            }
            var whole = try KeptRun(seed: seed)
            let expected = try whole.play { _, _ in }
            let first = zip(restarted, expected).prefix { $0 == $1 }.count
            try #require(
                restarted == expected,
                "seed \(seed): \(restarted.dropFirst(first).prefix(3)), not \(expected.dropFirst(first).prefix(3))")
        }
    }

    @Test("bytes that are cut short or changed are refused or read, and never trap")
    func damaged() throws {
        var random = SplitMix64(seed: 7)
        for seed in 1...300 as ClosedRange<UInt64> {
            var run = try KeptRun(seed: seed)
            var rows: [[UInt8]] = []
            run.tellsRow = { rows.append($0) }
            try run.play { _, _ in }
            guard let row = rows.last(where: { !$0.isEmpty }) else { continue }
            for _ in 0..<20 {
                var bytes = row
                if random.next() % 2 == 0 {
                    bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
                } else {
                    bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: random.next() | 1)
                }
                var core = try KeptRun.core(policy: run.scenario.policy)
                _ = bytes.withUnsafeBytes { bytes in
                    Result { () throws(StateFault) in
                        try core.apply(changes: bytes, ofBatch: 1, at: .distantPast)
                    }
                }
            }
        }
    }
}

/// A scenario played by a core whose changes are kept, and by what is made of them.
struct KeptRun {
    let scenario: Scenario
    /// After how many batches, on average, the core is thrown away and made again; 0: never.
    var restartsOneIn: UInt64 = 0
    var tellsRow: ([UInt8]) -> Void = { _ in }
    private var random: SplitMix64
    /// Decides when a policy is taken up, apart from all other chances.
    private var revisions: SplitMix64
    /// By number of the revision.
    private var policies: [CompiledPolicy]
    private let otherPolicy: Value

    init(seed: UInt64) throws {
        scenario = ScenarioGenerator.scenario(seed: seed)
        random = SplitMix64(seed: seed ^ 0x5A5A)
        revisions = SplitMix64(seed: seed ^ 0xA5A5)
        policies = [try Self.compiled(scenario.policy)]
        otherPolicy = ScenarioGenerator.scenario(seed: seed &+ 1_000_000).policy
    }

    static func core(policy: Value) throws -> Core {
        try core(try compiled(policy))
    }

    private static func core(_ policy: CompiledPolicy, revision: UInt32 = 0) throws -> Core {
        Core(policy: policy, zones: try FewZones(), seed: 0, revision: revision, isJournaling: true)
    }

    private static func compiled(_ policy: Value) throws -> CompiledPolicy {
        let read = try PolicyReader.read(
            text: Array(policy.json.utf8), file: "policy", orders: [PriorityOrder.name, SoonestOrder.name],
            zones: try FewZones())
        let order: any Order = read.order == PriorityOrder.name ? PriorityOrder() : SoonestOrder()
        return CompiledPolicy(read, order: order, rules: [QuietHoursSource(), FrequencyCaps()])
    }

    /// What a store keeps.
    private struct Kept {
        /// By key: a record and the batch up to which it is true.
        var records: [[UInt8]: (batch: UInt64, bytes: [UInt8])] = [:]
        var last: (batch: UInt64, now: Instant) = (0, .distantPast)
        var rows: [(batch: UInt64, now: Instant, changes: [UInt8])] = []
        /// By batch, its bytes; by where they begin, blocks of hours.
        var batches: [UInt64: [UInt8]] = [:]
        var blocks: [UInt64: [UInt8]] = [:]

        /// - Returns: nil for one that is kept no more.
        func content(at position: ContentPosition, _ count: Int) -> ArraySlice<UInt8>? {
            let (bytes, offset) =
                switch position.place {
                case .none: ([] as [UInt8]?, 0)
                case .batch(let batch, let offset): (batches[batch], offset)
                case .hour: (blocks[position.blockStart.rawValue], position.offsetInBlock)
                }
            guard let bytes, offset + count <= bytes.count else { return nil }
            return bytes[offset..<offset + count]
        }
    }

    /// Plays all steps.
    /// - Parameter compare: called after each batch.
    /// - Returns: what was told.
    @discardableResult
    mutating func play(_ compare: (inout Core, inout Core) throws -> Void) throws -> [String] {
        var original = try Self.core(policy: scenario.policy)
        var replica = try Self.core(policy: scenario.policy)
        var reader = StepReader(zones: original.zones)
        var (batch, decision) = (IntentBatch(), Decision())
        var kept = Kept()
        var told: [String] = []
        for step in scenario.steps {
            let read = try Array(step.line.utf8).withUnsafeBytes { try reader.read($0, into: &batch) }
            while let wake = original.wake(before: read) {
                original.batch += 1
                original.decide(IntentBatch(), clock: wake, into: &decision)
                try keep(&original, &replica, [], decision, &kept, &told, compare)
            }
            original.batch += 1
            original.decide(batch, clock: read.now, into: &decision)
            try keep(&original, &replica, batch.bytes.bytes, decision, &kept, &told, compare)
            if revisions.next() % 3 == 0 {
                policies.append(try Self.compiled(revisions.next() % 2 == 0 ? otherPolicy : scenario.policy))
                original.adopt(Revision(policy: policies[policies.count - 1], zones: try FewZones()))
            }
            if revisions.next() % 2 == 0, original.replanBacklog > 0 {
                // All at once: which recipient comes first is nothing that is kept.
                original.batch += 1
                original.replan(atMost: .max, clock: read.now, into: &decision)
                try keep(&original, &replica, [], decision, &kept, &told, compare)
            }
            guard restartsOneIn > 0, random.next() % restartsOneIn == 0 else { continue }
            original = try made(of: kept)
        }
        return told
    }

    private mutating func keep(
        _ original: inout Core, _ replica: inout Core, _ bytes: [UInt8], _ decision: Decision, _ kept: inout Kept,
        _ told: inout [String], _ compare: (inout Core, inout Core) throws -> Void
    ) throws {
        let changes = original.withChanges { [UInt8]($0) }
        tellsRow(changes)
        kept.last = (original.batch, original.now)
        kept.rows.append((original.batch, original.now, changes))
        kept.batches[original.batch] = bytes
        try Self.apply(kept.rows[kept.rows.count - 1], to: &replica)
        told += try decision.events.events.map { event in
            let count = Int(event.content.count)
            let content = try count == 0 ? [] : #require(kept.content(at: event.contentPosition, count))
            return "\(decision.now.milliseconds) \(event.kind) \(decision.events.bytes.text(event.id)) "
                + "\(event.fireDate.milliseconds) \(event.cause) \(event.reason) \(String(decoding: content, as: UTF8.self))"
        }
        try compare(&original, &replica)
        if random.next() % 2 == 0 {
            let limit = Int(random.next() % 400)
            let number = original.batch
            try original.takeRecords(bytes: limit) { key, record in
                kept.records[Array(key)] = (number, Array(record))
                try replica.restore(record: record, batch: 0)
            }
            for move in original.contentMoves {
                let content = try #require(kept.content(at: move.from, move.count))
                kept.blocks[move.to.blockStart.rawValue, default: []] += content
            }
            let needed = original.firstNeededBatch
            kept.rows.removeAll { $0.batch < needed }
            kept.batches = kept.batches.filter { $0.key >= needed }
        }
        for hour in original.takeEmptyHours() {
            kept.blocks = kept.blocks.filter { ContentPosition(rawValue: $0.key).hour != hour }
        }
        try requireContents(of: original, kept)
    }

    /// Every content that is pending is kept, and no hour is kept that holds none.
    private func requireContents(of core: borrowing Core, _ kept: Kept) throws {
        var hours: Set<UInt32> = []
        for (position, count) in core.contents() {
            try #require(kept.content(at: position, count) != nil, "batch \(core.batch): \(position.place) is gone")
            if let hour = position.hour { hours.insert(hour) }
        }
        let keptHours = Set(kept.blocks.keys.compactMap { ContentPosition(rawValue: $0).hour })
        try #require(keptHours == hours, "batch \(core.batch)")
    }

    private static func apply(
        _ row: (batch: UInt64, now: Instant, changes: [UInt8]), to core: inout Core
    ) throws {
        try row.changes.withUnsafeBytes { changes in
            try core.apply(changes: changes, ofBatch: row.batch, at: row.now)
        }
    }

    private func made(of kept: Kept) throws -> Core {
        var core = try Self.core(policies[policies.count - 1], revision: UInt32(policies.count - 1))
        for key in kept.records.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let (batch, bytes) = kept.records[key] else { continue }
            try bytes.withUnsafeBytes { try core.restore(record: $0, batch: batch) }
        }
        for row in kept.rows {
            try Self.apply(row, to: &core)
        }
        var earlier: [UInt32: CompiledPolicy] = [:]
        for (number, policy) in policies.dropLast().enumerated() { earlier[UInt32(number)] = policy }
        core.finishRestoring(earlier: earlier, now: kept.last.now)
        core.batch = kept.last.batch
        return core
    }
}

extension Core {
    /// All recipients by name, whole.
    mutating func images() -> [[UInt8]] {
        var images: [[UInt8]] = []
        for row in 0..<recipientCount { withRecord(row) { _, record in images.append(Array(record)) } }
        return images.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Where the contents of all that is pending stand, and how long they are.
    func contents() -> [(position: ContentPosition, count: Int)] {
        var contents: [(ContentPosition, Int)] = []
        forEachContent { _, position, count, _ in contents.append((position, count)) }
        return contents
    }
}
