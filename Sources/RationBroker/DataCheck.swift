import RationModel
import RationPlanner
public import RationStore
import RationWire

/// Holds what a store keeps against itself (`ration check-data`): records and outcomes make a state, every content that it
/// names is there, and batches that are decided again come to what was kept.
public struct DataCheck {
    /// Why a batch was not decided again.
    public enum Omission: String, Sendable, CaseIterable {
        /// Under another policy or tz database than the last ones.
        case earlierRevision
        /// By another version of the planner.
        case otherVersion
        /// The tz database of this machine is not the one that the broker had.
        case otherZones
    }

    public private(set) var recipients = 0
    public private(set) var pending = 0
    /// Batches whose outcomes are kept.
    public private(set) var batches = 0
    /// Recipients' parts of batches that were decided again.
    public private(set) var decidedAgain = 0
    public private(set) var omitted: [Omission: Int] = [:]
    /// What is wrong, at most `StoreCheck.findingLimit`.
    public private(set) var findings: [String] = []

    private let store: ReadOnlyStore
    private let kept: KeptCore
    private let agreesOnZones: Bool
    /// The last batch under an earlier revision than the last ones.
    private let lastEarlierBatch: UInt64

    /// - Parameters:
    ///   - policies: reads the policies that the store has kept.
    ///   - zones: this machine's tz database.
    public init(_ store: ReadOnlyStore, policies: any PolicyReading, zones: ZonesRevision) {
        self.store = store
        kept = KeptCore(kept: store, policies: policies, zones: zones.zones, seed: 0)
        let last = StoredRevision.Kind.allCases.filter { $0 != .categories }.compactMap {
            store.revisions(of: $0).last
        }
        lastEarlierBatch = last.map(\.batch).max() ?? 0
        agreesOnZones = store.revisions(of: .zones).last?.document == Array(zones.fingerprint.utf8)
    }

    public var isSound: Bool { findings.isEmpty }

    /// Reads and decides all.
    /// - Throws: `StateError` or what the store throws for what cannot be read at all.
    public mutating func run() throws {
        guard let stored = store.revisions(of: .policy).last else { return }
        let policy = try kept.compiled(stored)
        let core = try kept.made(policy) { core, batch, now, outcomes in
            batches += 1
            guard let row = try rowToDecide(batch) else { return }
            let again = BatchAgain(batch: batch, now: now, row: row, outcomes: outcomes)
            try check(again, before: &core, policy)
        }
        recipients = core.recipientCount
        checkContents(of: core)
    }

    /// What a batch was decided from, if it can be decided again.
    private mutating func rowToDecide(_ batch: UInt64) throws -> IntentsRow? {
        var omission: Omission?
        if batch <= lastEarlierBatch { omission = .earlierRevision }
        if !agreesOnZones { omission = .otherZones }
        if omission == nil, let bytes = try store.intents(ofBatch: batch) {
            let row = try IntentsRow(bytes, contents: try store.contents(ofBatch: batch))
            if row.coreVersion == Core.version { return row }
            omission = .otherVersion
        }
        omitted[omission ?? .otherVersion, default: 0] += 1
        return nil
    }

    private mutating func check(
        _ again: BatchAgain, before core: inout Core, _ policy: CompiledPolicy
    ) throws {
        let (compared, wrong) = try again.compared(core: &core, scratch: kept.empty(policy))
        decidedAgain += compared
        for key in wrong {
            let name = key.withUnsafeBytes(KeptCore.name)
            find("batch \(again.batch) of \(name), decided again, comes to something else than was kept")
        }
    }

    /// Every content is there and is the one that was scheduled.
    private mutating func checkContents(of core: borrowing Core) {
        core.forEachContent { recipient, position, count, hash in
            pending += 1
            do throws(StoreError) {
                let content = try store.content(at: position, count: count)
                guard content.withUnsafeBytes({ ByteHash.hash($0, seed: 0) }) != hash else { return }
                find("a content of \(core.name(ofRecipient: recipient)) is not the one that was scheduled")
            } catch {
                find("a content of \(core.name(ofRecipient: recipient)): \(error.message)")
            }
        }
    }

    private mutating func find(_ finding: String) {
        if findings.count < StoreCheck.findingLimit { findings.append(finding) }
    }
}

/// A batch that is decided again, for the recipients whose state before it is known.
private struct BatchAgain {
    let batch: UInt64
    let now: Instant
    let row: IntentsRow
    let outcomes: UnsafeRawBufferPointer

    /// - Parameters:
    ///   - core: the state before the batch.
    ///   - scratch: without recipients.
    /// - Returns: how many recipients were compared, and the keys of those that differ.
    func compared(
        core: inout Core, scratch: consuming Core
    ) throws -> (count: Int, wrong: [[UInt8]]) {
        var scratch = scratch
        let wanted = try parts(of: outcomes)
        let compared = keys(wanted, core)
        var left = compared
        for key in left {
            let record = key.withUnsafeBytes { core.record(of: $0) }
            try record?.withUnsafeBytes { try scratch.restore(record: $0, batch: 0) }
        }
        scratch.finishRestoring(earlier: [:], now: core.now)
        scratch.batch = batch
        var decision = Decision()
        scratch.decideAgain(row.batch, now: now, into: &decision)
        let found = try scratch.withChanges { try parts(of: $0) }
        left.removeAll { wanted[$0] == found[$0] }
        return (compared.count, left)
    }

    private func parts(of changes: UnsafeRawBufferPointer) throws -> [[UInt8]: [UInt8]] {
        var parts: [[UInt8]: [UInt8]] = [:]
        try Core.forEachPart(of: changes) { parts[Array($0)] = Array($1) }
        return parts
    }

    /// Whom the batch has changed or an intent names, whose state before it is known, as no record has it in it, under the
    /// revision in force.
    private func keys(
        _ wanted: [[UInt8]: [UInt8]], _ core: borrowing Core
    ) -> [[UInt8]] {
        var keys = Set(wanted.keys)
        let intents = row.batch
        intents.bytes.bytes.withUnsafeBytes { bytes in
            func text(_ range: ByteRange) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[Int(range.offset)..<Int(range.offset + range.count)])
            }
            for intent in intents.intents { keys.insert(Array(text(intent.app)) + [0] + Array(text(intent.device))) }
        }
        return keys.filter { key in
            key.withUnsafeBytes { bytes in
                !core.isRecorded(bytes, batch: batch) && core.revision(of: bytes).map { $0 == core.revision } ?? true
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
