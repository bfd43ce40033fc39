import RationModel

/// What happened to a notification and why, for people (semantics.md sections 4 and 5).
extension ExplainedEvent {
    /// A sentence without its full stop; of a notification that has ended, the whole explanation.
    public var words: String {
        let sentence =
            switch kind {
            case .due: dueWords
            case .expired: "expired at \(at.rfc3339): \(expiryWords)"
            case .cancelled: "cancelled at \(at.rfc3339), \(cancellationWords)"
            case .evicted: evictionWords
            case .queued: "queued at \(at.rfc3339) for \(fireDate.rfc3339)\(causeWords)"
            case .accepted: "given a slot at \(at.rfc3339) for \(fireDate.rfc3339)\(causeWords)"
            case .delivered: "told to have been delivered, at \(at.rfc3339)"
            case .opened: "told to have been opened, at \(at.rfc3339)"
            case .dismissed: "told to have been dismissed, at \(at.rfc3339)"
            case .action: actionWords
            case .failed: "told to have failed, at \(at.rfc3339)\(failure.isEmpty ? "" : ": \(failure)")"
            }
        let isByPolicy = cause == .policy && kind != .queued && kind != .accepted
        return isByPolicy ? "\(sentence); the policy or the tz database had changed" : sentence
    }

    private var actionWords: String {
        let name = action.isEmpty ? "an action" : "the action '\(action)'"
        let typed = textLength.map { ", with \($0) characters typed" } ?? ""
        return "told to have been answered with \(name)\(typed), at \(at.rfc3339)"
    }

    private var dueWords: String {
        let plan = at == fireDate ? "" : ", planned for \(fireDate.rfc3339)"
        return isFinal == false
            ? "fired at \(at.rfc3339)\(plan), and goes on to its next time" : "fired at \(at.rfc3339)\(plan)"
    }

    private var expiryWords: String {
        switch reason {
        case .expires: "its 'expires' came before it could fire; it was planned for \(fireDate.rfc3339)"
        case .late: "it held a slot, but its time, \(fireDate.rfc3339), was longer ago than the policy's grace"
        case .overdue: "it waited for a slot from its time, \(fireDate.rfc3339), until the policy's grace was over"
        case .moved: "quiet hours or caps would have moved it to \(fireDate.rfc3339), when its 'expires' has come"
        case .never: "its calendar has no time left to come, or none before its 'expires'"
        case .none, .slots, .queueFull, .delay, .cap, .unregistered: "\(reason.name)"
        }
    }

    private var cancellationWords: String {
        let why = reason == .unregistered ? "as the installation was removed" : "by a service"
        return "\(why); it was planned for \(fireDate.rfc3339)"
    }

    private var evictionWords: String {
        guard isFinal != false else {
            return "lost its slot at \(at.rfc3339) to others, and waits for \(fireDate.rfc3339)"
        }
        return "removed at \(at.rfc3339): \(removalWords)"
    }

    private var removalWords: String {
        switch reason {
        case .slots: "it found no slot for \(fireDate.rfc3339), and with the policy's overflow, drop, nothing waits"
        case .queueFull:
            "more waited than the policy's queueLimit, and it was the last by priority, fire date "
                + "(\(fireDate.rfc3339)) and id"
        case .cap: "at \(fireDate.rfc3339) it would have broken a cap that drops those beyond its limit"
        case .delay:
            "quiet hours or caps moved it to \(fireDate.rfc3339), further from its requested date, "
                + "\(requestedDate.rfc3339), than maxDelay allows"
        case .none, .expires, .late, .overdue, .moved, .never, .unregistered: "\(reason.name)"
        }
    }

    private var causeWords: String {
        switch cause {
        case .none: ""
        case .new: ", as it is new"
        case .replaced: ", as it was scheduled again"
        case .recurring: ", its next time"
        case .promoted: ", as a slot had become free"
        case .moved: ", as its date moved"
        case .policy: ", as the policy or the tz database had changed"
        }
    }
}
