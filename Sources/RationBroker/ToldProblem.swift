import RationModel
import RationPlanner
import RationWire

/// What an acknowledgement tells of one intent of a batch beside its outcome.
struct ToldProblem {
    /// Place among the batch's intents.
    var intent: Int
    var rejection: Rejection
    /// nil for an error.
    var warning: IntentWarning.Kind?

    /// All of a batch, in the order of its intents, at most one for each: of a rejected one only the error is told.
    static func all(of batch: IntentBatch, _ decision: Decision) -> [ToldProblem] {
        var told = decision.problems.map { ToldProblem(intent: $0.intent, rejection: $0.rejection) }
        let warnings = batch.warnings + decision.warnings
        guard !warnings.isEmpty else { return told }
        for warning in warnings where decision.outcomes[warning.intent] != .rejected {
            told.append(ToldProblem(intent: warning.intent, rejection: warning.finding, warning: warning.kind))
        }
        told.sort { $0.intent < $1.intent }
        return told
    }

    /// Which count of categories it belongs to; nil for none.
    var categoryMismatch: IntentWarning.Kind? {
        warning ?? (rejection.code == .contentCategory ? .undeclaredCategory : nil)
    }
}
