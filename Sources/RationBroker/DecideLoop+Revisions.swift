import RationModel
import RationPlanner
import RationStore
import RationWire

/// Between two batches: taking up policies and tz databases, and replanning in slices.
extension DecideLoop {
    /// Takes up what was proposed, commits it, then tells it.
    mutating func takeProposals() throws {
        for proposal in mailbox.takeProposals() {
            guard let request = proposal.request else {
                let logged = try takeUp(proposal)
                if logged.isEmpty { notices.post(.nothingNew) }
                continue
            }
            guard request.zones == zonesInForce.current.number else {
                let fault = RequestFault(.busy, "the tz database was replaced meanwhile; send again")
                queries.post(Answer(fault, to: request.address, number: request.numberFrame), on: .admin)
                continue
            }
            let logged = try takeUp(proposal)
            let revision = logged.first { $0.kind == .policy } ?? store.revisions(of: .policy).last
            let body = revision?.takenBody(
                changed: !logged.isEmpty, backlog: decider.replanBacklog, warnings: request.warnings)
            queries.post(
                Answer(
                    address: request.address, name: Array(RequestName.policy.frame.utf8),
                    number: request.numberFrame, bodies: [body ?? []]), on: .admin)
        }
    }

    private mutating func takeUp(_ proposal: RevisionProposal) throws -> [StoredRevision] {
        try finishCommits()
        let logged = try decider.takeUp(proposal, clock: now())
        guard !logged.isEmpty else { return [] }
        if proposal.zones != nil, let zones = logged.first(where: { $0.kind == .zones }) {
            zonesInForce.replace(by: decider.zones, number: zones.number)
        }
        showCounters()
        for revision in logged { notices.post(.tookUp(revision, backlog: decider.replanBacklog)) }
        if replanSince == nil, decider.replanBacklog > 0 { replanSince = Monotonic.milliseconds() }
        return logged
    }

    /// Tells those that have proposed something that the broker ends.
    func refuseProposals() {
        for request in mailbox.takeProposals().compactMap(\.request) {
            let fault = RequestFault(.stopping, "the broker stops; send again later")
            queries.post(Answer(fault, to: request.address, number: request.numberFrame), on: .admin)
        }
    }

    /// Replans some of the recipients that are still planned under an earlier revision.
    /// - Parameter intake: nanoseconds that the intake took in this turn.
    mutating func replanSlice(besideIntake intake: Int) throws {
        let begin = Monotonic.nanoseconds()
        if decider.replanBacklog > 0, begin >= pace.next, try mayDecide() {
            handOver(decider.replan(atMost: pace.recipients(besideIntake: intake), clock: now()))
            pace.record(
                recipients: decider.decision.touchedRecipients, from: begin, to: Monotonic.nanoseconds(),
                backlog: decider.replanBacklog)
        }
    }

    /// Tells that all recipients are planned under what is in force, once that is committed.
    mutating func tellReplanned() {
        guard let since = replanSince, decider.counters.replanBacklog == 0 else { return }
        replanSince = nil
        notices.post(.replanned(milliseconds: Monotonic.milliseconds() - since))
    }
}
