import RationBus
import RationModel
import RationPlanner
import RationStore
import RationWire

/// Forgetting recipients: the deciding thread waits for commits while they are let go of; what is kept of them is then erased in
/// a thread of its own.
extension DecideLoop {
    /// Goes on with those whose forgetting the last process has begun.
    mutating func resumeForgetting() throws {
        let begun = store.forgettings
        guard !begun.isEmpty else { return }
        try letGo(begun.map(\.key))
        erase(begun, for: nil)
    }

    mutating func answerForget() throws {
        guard let question = mailbox.takeForgets().first else { return }
        guard !mailbox.isStopping else {
            return refuse(question, RequestFault(.stopping, "the broker stops; send again later"))
        }
        guard forgets.isFree else {
            return refuse(question, RequestFault(.busy, "another device is being forgotten"))
        }
        try finishCommits()
        let key = question.recipient.key
        let isKnown = key.withUnsafeBytes { decider.core.isKnown($0) }
        handOver(decider.beginForgetting(question.recipient, clock: now()))
        try finishCommits()
        let begun = Forgetting(key: key, batch: decider.lastBatch, lastSequence: decider.lastSequence)
        try letGo([key])
        erase([begun], for: ForgetDesk.Request(question, isKnown: isKnown))
    }

    /// Tells those that wait that the broker ends.
    func refuseForgets() {
        for question in mailbox.takeForgets() {
            refuse(question, RequestFault(.stopping, "the broker stops; send again later"))
        }
    }

    private func refuse(_ question: DecideMailbox.ForgetQuestion, _ fault: RequestFault) {
        queries.post(Answer(fault, to: question.address, number: question.numberFrame), on: .admin)
    }

    /// Writes all records, so that no batch is needed any more that names one of these, and lets go of them.
    private mutating func letGo(_ keys: [[UInt8]]) throws {
        while decider.hasUnwrittenRecords {
            handOver(decider.records(clock: now()))
            try finishCommits()
        }
        handOver(decider.endForgetting(keys, clock: now()))
        try finishCommits()
        showCounters()
    }

    private func erase(_ forgettings: [Forgetting], for request: ForgetDesk.Request?) {
        forgets.begin(forgettings, lastBatch: decider.lastBatch, named: decider.namedContents(), for: request)
    }
}
