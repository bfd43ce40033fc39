import RationBroker
import RationCommandLine
import RationStore

extension BrokerNotice {
    /// A line of the broker's log.
    var line: String {
        switch self {
        case .tookUp(let revision, let backlog):
            let from = "from \(revision.source.printable),"
            let recipients = backlog == 1 ? "1 recipient" : "\(backlog) recipients"
            let force = "is in force after event \(revision.sequence)"
            switch revision.kind {
            case .policy: return "policy revision \(revision.number), \(from) \(force); \(recipients) to replan"
            case .zones:
                return "tz database \(revision.source.printable), revision \(revision.number), \(force); "
                    + "\(recipients) to replan"
            case .categories: return "categories revision \(revision.number), \(from) \(force)"
            }
        case .nothingNew: return "SIGHUP: nothing new"
        case .tooManyRevisions: return "SIGHUP: nothing was changed, too many policies wait already; send it again"
        case .full:
            return
                "alarm: the disk is almost full: no intents are taken, and services are told 'full', until there is room "
                + "(broker.watermarkBytes, broker.watermarkPercent)"
        case .roomAgain: return "there is room on the disk again: intents are taken"
        case .poison(let line): return "alarm: " + line.printable
        case .stopAsked: return "asked to stop"
        case .damaged(let error):
            return
                "alarm: \(error.message.printable). The broker goes on without these events; who reads them is told. "
                + StoreError.damageAdvice
        case .clockDoubted(let milliseconds):
            return
                "alarm: the wall clock has jumped \(TimeSpan.words(milliseconds: milliseconds)) ahead and is not believed: "
                + "nothing fires by itself until it comes back, or until 'ration clock accept'"
        case .clockWaits(let milliseconds):
            return
                "the wall clock has gone back \(TimeSpan.words(milliseconds: milliseconds)): until it has come up again, "
                + "time stands still"
        case .clockTrusted: return "now is the wall clock again"
        case .replanned(let milliseconds): return "all recipients are replanned, after \(milliseconds) ms"
        }
    }
}
