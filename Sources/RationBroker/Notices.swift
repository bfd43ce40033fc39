import RationBus
public import RationStore
import Synchronization

/// What a running broker has to say to its operator.
public enum BrokerNotice: Hashable, Sendable {
    /// A policy, a tz database or categories are in force now; `backlog` recipients are still to be replanned.
    case tookUp(StoredRevision, backlog: Int)
    /// What was to be taken up is in force already.
    case nothingNew
    /// What was to be taken up had to wait for too much before it: nothing happened.
    case tooManyRevisions
    /// The disk has too little room: no intents are taken.
    case full
    /// There is room again.
    case roomAgain
    /// An administrator wants the broker to stop.
    case stopAsked
    /// Of requests that have ended the broker.
    case poison(String)
    /// Somebody has read events that cannot be read; told once.
    case damaged(StoreError)
    /// The wall clock has jumped forward by so much and is not believed.
    case clockDoubted(aheadMilliseconds: Int64)
    /// The wall clock has jumped backward by so much; now waits for it.
    case clockWaits(behindMilliseconds: Int64)
    /// Now is the wall clock again.
    case clockTrusted
    /// No recipient is planned under an earlier revision any more.
    case replanned(milliseconds: Int)
}

/// Notices on their way from a thread that must not wait for whoever reads them.
final class Notices: Sendable {
    let wakeup: Wakeup
    private let waiting = Mutex<[BrokerNotice]>([])

    /// Notices that wait; further ones are lost.
    static let limit = 1024

    init() throws(ZeroMQError) {
        wakeup = try Wakeup()
    }

    func post(_ notice: BrokerNotice) {
        waiting.withLock { if $0.count < Self.limit { $0.append(notice) } }
        wakeup.signal()
    }

    func take() -> [BrokerNotice] {
        wakeup.drain()
        return waiting.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }
}
