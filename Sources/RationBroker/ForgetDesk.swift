import RationBus
import RationStore
import RationWire
import Synchronization

/// Erases what is kept of recipients that are forgotten, in a thread of its own: neither decisions nor queries wait for it.
final class ForgetDesk: Sendable {
    /// Who has asked for it.
    struct Request: Sendable {
        var address: ReplyAddress
        var numberFrame: [UInt8]
        var device: String
        /// Whether the broker knew the recipient.
        var isKnown: Bool
        var begin = Monotonic.milliseconds()

        init(_ question: DecideMailbox.ForgetQuestion, isKnown: Bool) {
            (address, numberFrame) = (question.address, question.numberFrame)
            (device, self.isKnown) = (question.recipient.device, isKnown)
        }
    }

    private let store: any Store
    private let mailbox: QueryMailbox
    private let notices: Notices
    private let poison: PoisonFolder?
    private let thread = Mutex<OwnThread?>(nil)
    private let isWorking = Atomic(false)
    private let isStopping = Atomic(false)

    /// - Parameter poison: where requests are kept aside, if they are.
    init(store: any Store, mailbox: QueryMailbox, notices: Notices, poison: PoisonFolder?) {
        (self.store, self.mailbox, self.notices, self.poison) = (store, mailbox, notices, poison)
    }

    /// Whether nothing is being erased.
    var isFree: Bool { !isWorking.load(ordering: .acquiring) }

    /// Begins to erase; only the deciding thread calls it, while it is free.
    /// - Parameters:
    ///   - lastBatch: the last batch.
    ///   - named: contents that are pending after it.
    ///   - request: whom to answer; nil: what came of it is told as notices.
    func begin(_ forgettings: [Forgetting], lastBatch: UInt64, named: [Erasure.Named], for request: Request?) {
        awaitEnd()
        isWorking.store(true, ordering: .releasing)
        let erasures = forgettings.map { erasure($0, lastBatch: lastBatch, named: named) }
        do {
            let started = try OwnThread("forget", ended: try Wakeup()) { [self] in
                for erasure in erasures { tell(Result { try erase(erasure) }, of: erasure, for: request) }
                isWorking.store(false, ordering: .releasing)
            }
            thread.withLock { $0 = started }
        } catch {
            isWorking.store(false, ordering: .releasing)
            for erasure in erasures { tell(.failure(error), of: erasure, for: request) }
        }
    }

    private func erasure(_ forgetting: Forgetting, lastBatch: UInt64, named: [Erasure.Named]) -> Erasure {
        let names = forgetting.key.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
        return Erasure(
            forgetting, lastBatch: lastBatch, named: named,
            eraseEvents: { EventRow.erase(app: names.first ?? [], device: names.last ?? [], in: &$0) },
            erasedAnswer: { answer in
                answer.isRefusal
                    ? ErasedAnswer.refusal(answer.body) : ErasedAnswer.acknowledgement(answer.body)
            },
            goesOn: { [self] in !isStopping.load(ordering: .relaxed) })
    }

    private func erase(_ erasure: Erasure) throws -> Erased {
        guard let erased = try store.erase(erasure) else {
            throw RequestFault(.stopping, "the broker stops; it goes on with it when it starts again")
        }
        return erased
    }

    private func tell(_ result: Result<Erased, any Error>, of erasure: Erasure, for request: Request?) {
        let fault: RequestFault
        do {
            let erased = try result.get()
            guard let request else { return notices.post(.forgotten(events: erased.events)) }
            return mailbox.post(try answer(erased, erasure, request), on: .admin)
        } catch let error as RequestFault {
            fault = error
        } catch {
            fault = RequestFault(
                .forgetFailed,
                "the device is removed, and not all that is kept of it is erased; the broker tries again when "
                    + "it starts: \(error)")
        }
        guard let request else {
            if fault.code != .stopping { notices.post(.notForgotten(fault.message)) }
            return
        }
        mailbox.post(Answer(fault, to: request.address, number: request.numberFrame), on: .admin)
    }

    /// - Throws: `unknown` where nothing was kept; `PoisonError`.
    private func answer(_ erased: Erased, _ erasure: Erasure, _ request: Request) throws -> Answer {
        guard request.isKnown || erased.events > 0 else {
            throw RequestFault(.unknown, "nothing is kept of a device of that name and app")
        }
        let answer = ForgetAnswer(
            log: store.log, batch: erasure.forgetting.batch, events: UInt64(erased.events),
            answers: UInt64(erased.answers), milliseconds: UInt64(max(0, Monotonic.milliseconds() - request.begin)),
            poison: try poison?.entries(naming: request.device).map(\.name) ?? [])
        return Answer(
            address: request.address, name: Array(RequestName.forget.frame.utf8), number: request.numberFrame,
            bodies: [answer.body])
    }

    /// Has it end soon; what is left is begun again at the next start.
    func stop() { isStopping.store(true, ordering: .relaxed) }

    /// Waits until nothing is being erased.
    func awaitEnd() {
        let thread = thread.withLock { $0.take() }
        // What it failed with has been told.
        do { try thread?.join() } catch {}
    }
}
