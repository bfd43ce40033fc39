public import RationModel
public import RationPlanner

/// Runs the same steps through two cores, one under each of two policies, and finds what differs.
public struct PolicyComparison: ~Copyable {
    private var a: Core
    private var b: Core
    private var reader: StepReader
    private var batch = IntentBatch()
    private var decision = Decision()
    private var tally = EventTally()
    private var ledger: FateLedger
    private var difference = PolicyDifference()

    /// - Parameters:
    ///   - zones: which time zones are known, under both policies.
    ///   - examples: how many are kept of each way in which fates differ.
    public init(_ policies: Pair<CompiledPolicy>, zones: any ZoneSource, examples: Int) {
        a = Core(policy: policies.a, zones: zones, seed: 0)
        b = Core(policy: policies.b, zones: zones, seed: 0)
        reader = StepReader(zones: zones)
        ledger = FateLedger(examples: examples)
    }

    /// Runs one step under each policy, as ``Simulator/step(_:output:)`` does.
    /// - Parameter line: a step, without its `\n`.
    /// - Throws: for a line that is no step; then nothing has happened.
    public mutating func step(_ line: UnsafeRawBufferPointer) throws(StepFault) {
        let step = try reader.read(line, into: &batch)
        difference.steps += 1
        difference.intents += batch.intents.count
        for side in Side.allCases {
            let nothing = IntentBatch()
            while let wake = side == .a ? a.wake(before: step) : b.wake(before: step) {
                decide(nothing, clock: wake, side)
            }
            decide(batch, clock: step.now, side)
        }
    }

    private mutating func decide(_ batch: IntentBatch, clock: Instant, _ side: Side) {
        switch side {
        case .a: a.decide(batch, clock: clock, into: &decision)
        case .b: b.decide(batch, clock: clock, into: &decision)
        }
        tally.add(decision, side)
        ledger.add(decision, side)
    }

    /// What differs over all steps.
    public consuming func finish() -> PolicyDifference {
        let (held, queued) = ledger.finish()
        difference.rows = tally.differingRows
        difference.totals = tally.totals
        difference.totals.append(PolicyDifference.Total(kind: "pending held", counts: held))
        difference.totals.append(PolicyDifference.Total(kind: "pending queued", counts: queued))
        difference.compared = ledger.compared
        difference.differing = ledger.differing
        difference.groups = ledger.sortedGroups
        return difference
    }
}
