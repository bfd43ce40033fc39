import RationBus
import RationStore
import RationWire
import Synchronization

/// Makes backups, one at a time, in a thread of their own: neither decisions nor queries wait for one.
final class BackupDesk: Sendable {
    private let store: any Store
    private let mailbox: QueryMailbox
    private let thread = Mutex<OwnThread?>(nil)
    private let isWorking = Atomic(false)

    init(store: any Store, mailbox: QueryMailbox) {
        self.store = store
        self.mailbox = mailbox
    }

    /// Begins to make one; the answer goes out on the admin endpoint when it is done.
    /// - Throws: `busy` while another one is being made.
    func begin(_ folder: String, for request: IncomingRequest) throws(RequestFault) {
        guard isWorking.exchange(true, ordering: .acquiringAndReleasing) == false else {
            throw RequestFault(.busy, "a backup is being made")
        }
        awaitEnd()
        let (address, number) = (request.address, request.numberFrame)
        do {
            let started = try OwnThread("backup", ended: try Wakeup()) { [self] in
                let answer = answer(folder, to: address, number: number)
                isWorking.store(false, ordering: .releasing)
                mailbox.post(answer, on: .admin)
            }
            thread.withLock { $0 = started }
        } catch {
            isWorking.store(false, ordering: .releasing)
            throw RequestFault(.backupFailed, "\(error)")
        }
    }

    private func answer(_ folder: String, to address: ReplyAddress, number: [UInt8]) -> Answer {
        let begin = Monotonic.milliseconds()
        do throws(StoreError) {
            let copy = try store.backup(to: folder)
            let answer = BackupAnswer(
                folder: copy.path, log: copy.log, batch: copy.batch, sequence: copy.sequence, bytes: copy.bytes,
                milliseconds: UInt64(max(0, Monotonic.milliseconds() - begin)))
            return Answer(
                address: address, name: Array(RequestName.backup.frame.utf8), number: number, bodies: [answer.body])
        } catch {
            return Answer(RequestFault(.backupFailed, error.description), to: address, number: number)
        }
    }

    /// Waits for the backup that is being made, if there is one.
    func awaitEnd() {
        let thread = thread.withLock { $0.take() }
        // What it failed with is in its answer.
        do { try thread?.join() } catch {}
    }
}
