import RationBus
import RationModel
import RationSubscribing
import RationWire

@testable import PlansSubscriber

/// A broker as far as plans are concerned.
final class FakeHoldings: HoldingDirectory {
    var log = "log"
    var sequence: UInt64 = 0
    var now = Instant(milliseconds: 1_800_000_000_000)
    var isAway = false
    var held: [DevicesRequest.Recipient: ToldHolding] = [:]
    /// Recipients that one answer has room for.
    var room = Int.max
    private(set) var asked: [DevicesRequest.Recipient] = []

    func set(_ device: String, _ dates: [String: Instant], delivery: Delivery = .local) {
        let notifications = dates.sorted { $0.key < $1.key }.map { id, date in
            ToldHolding.Notification(
                id: id, fireDate: date, expires: nil, repetition: .never, content: Array(#"{"title":"\#(id)"}"#.utf8))
        }
        held[recipient(device)] = ToldHolding(delivery: delivery, timeZone: "UTC", held: notifications)
    }

    func recipient(_ device: String) -> DevicesRequest.Recipient {
        DevicesRequest.Recipient(app: "com.example", device: device)
    }

    func takeAsked() -> [String] {
        defer { asked = [] }
        return asked.map(\.device)
    }

    func holdings(_ recipients: [DevicesRequest.Recipient]) throws -> QueryClient.Holdings {
        if isAway { throw SubscriberUnavailable("away") }
        let told = recipients.prefix(room)
        asked += told
        return QueryClient.Holdings(
            answer: HoldingAnswer(log: log, sequence: sequence, now: now), told: told.map { held[$0] })
    }

    /// One recipient a page.
    func recipients(after place: String) throws -> RecipientPage? {
        if isAway { throw SubscriberUnavailable("away") }
        let all = held.keys.sorted { $0.device < $1.device }
        let index = Int(place) ?? 0
        guard index < all.count else { return RecipientPage(glimpses: [], next: "") }
        let shape = held[all[index]].map(PlanShape.hash) ?? 0
        return RecipientPage(
            glimpses: [RecipientPage.Glimpse(recipient: all[index], shape: shape)],
            next: index + 1 < all.count ? "\(index + 1)" : "")
    }
}

/// Notes whom it was told to wake.
final class FakeWaker: PhoneWaking {
    var outcome = WakingOutcome.delivered
    var fault: (any Error)?
    private(set) var woken: [String] = []

    func wake(_ phones: [WakingPush]) throws -> [WakingOutcome] {
        if let fault { throw fault }
        woken += phones.map { "\($0.recipient.device) \($0.revision)" }
        return phones.map { _ in outcome }
    }

    func take() -> [String] {
        defer { woken = [] }
        return woken
    }
}
