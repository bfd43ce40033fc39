@testable import PlannerModel

/// What a run over generated scenarios came to.
struct Tally {
    var seeds = 0
    var steps = 0
    var intents = 0
    var events = 0
    var disagreements = 0

    mutating func add(_ comparison: Comparison) {
        seeds += 1
        steps += comparison.scenario.steps.count
        intents += comparison.scenario.steps.reduce(0) { $0 + $1.intents.count }
        events += comparison.model.count { !$0.contains(#""kind":"plan""#) && !$0.contains(#""kind":"rejected""#) }
        if !comparison.agrees { disagreements += 1 }
    }

    mutating func add(_ other: Tally) {
        seeds += other.seeds
        steps += other.steps
        intents += other.intents
        events += other.events
        disagreements += other.disagreements
    }

    /// One line of JSON.
    var json: String {
        #"{"seeds":\#(seeds),"steps":\#(steps),"intents":\#(intents),"events":\#(events),"#
            + #""disagreements":\#(disagreements)}"#
    }
}
