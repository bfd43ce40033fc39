import RationBus
import RationModel
import RationPlanner
import RationStore
import RationWire

/// Pages of all recipients' plans, told once it is committed: each page in one turn, so that its plans are true at one
/// position of the log.
extension DecideLoop {
    mutating func answerSnapshot() {
        guard let question = mailbox.takeSnapshot() else { return }
        // The next turn goes on with the others: intents are never kept waiting by more than one page.
        mailbox.wakeup.signal()
        do throws(RequestFault) {
            let place = try SnapshotPlace.place(question.request.after, of: snapshotName)
            say(.answer(page(question, from: place), .queries))
        } catch {
            queries.post(Answer(error, to: question.address, number: question.numberFrame))
        }
    }

    private func page(_ question: DecideMailbox.SnapshotQuestion, from place: Int) -> Answer {
        let sequence = decider.lastSequence
        var (plans, count): ([UInt8], Int) = ([], 0)
        let next = decider.core.forEachPlan(from: place) { plan in
            plans += plan.body(sequence: sequence)
            plans.append(0x0A)
            count += 1
            return count < question.request.most && plans.count < question.request.mostBytes
        }
        let isLast = next >= decider.core.rowCount
        let answer = SnapshotAnswer(
            log: store.log, sequence: sequence, recipients: UInt64(decider.core.recipientCount),
            next: isLast ? "" : SnapshotPlace.text(next, of: snapshotName))
        return Answer(
            address: question.address, name: Array(RequestName.snapshot.frame.utf8), number: question.numberFrame,
            bodies: [answer.body, plans])
    }
}

/// Where a snapshot goes on, as clients carry it: `NAME.PLACE`, the name of the process's snapshots and how many
/// recipients are passed over.
enum SnapshotPlace {
    static func randomName() -> String {
        var random = SystemRandomNumberGenerator()
        return String(random.next() as UInt64, radix: 16)
    }

    static func text(_ place: Int, of name: String) -> String { "\(name).\(place)" }

    /// - Parameter text: empty for the beginning.
    /// - Throws: `unknown` for a snapshot of another process, `malformed` for what is no place.
    static func place(_ text: String, of name: String) throws(RequestFault) -> Int {
        guard !text.isEmpty else { return 0 }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let place = Int(parts[1]), place >= 0 else {
            throw RequestFault(.malformed, "'after' is not what a page of a snapshot gave as 'next'")
        }
        guard parts[0] == name else {
            throw RequestFault(
                .unknown, "the broker has started anew since this snapshot was begun; begin again, without 'after'")
        }
        return place
    }
}
