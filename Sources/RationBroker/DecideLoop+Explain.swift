import RationBus
import RationModel
import RationPlanner
import RationStore

/// Explanations of what is pending, told once it is committed.
extension DecideLoop {
    /// An explanation tries many plans: no more of them are begun in one turn after so many nanoseconds.
    private static let explainNanoseconds = 5_000_000

    mutating func explain() {
        let begin = Monotonic.nanoseconds()
        while let request = mailbox.takeExplain() {
            let explanation = decider.explain(app: request.app, device: request.device, id: request.id)
            let explained = Explained(
                request: request, explanation: explanation, zone: zone(explanation?.timeZone),
                now: decider.core.now, sequence: decider.lastSequence)
            say(.explained(explained))
            guard Monotonic.nanoseconds() - begin < Self.explainNanoseconds else {
                // The next turn goes on with the others.
                mailbox.wakeup.signal()
                break
            }
        }
    }

    private func zone(_ name: String?) -> ZoneTable {
        guard var name else { return .utc }
        return name.withUTF8 { decider.zones.zone(named: UnsafeRawBufferPointer($0)) } ?? .utc
    }
}
