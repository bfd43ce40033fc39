import RationStore
import RationWire

/// Events that cannot be read: who asks for them is told, and so are metrics, health and the operator; the broker goes on,
/// since nothing that it decides needs old events.
extension StatusBoard {
    /// Counts a read that met events that cannot be read.
    /// - Returns: the answer to who asked for them.
    func fault(unreadable error: StoreError) -> RequestFault {
        let isFirst = update { facts in
            facts.damagedReads += 1
            defer { facts.damage = facts.damage ?? error.message }
            return facts.damage == nil
        }
        if isFirst { notices.post(.damaged(error)) }
        return RequestFault(.damaged, error.message + ". " + StoreError.damageAdvice)
    }

    /// What was found damaged first; nil while nothing was.
    var damage: String? { read { $0.damage } }
}
