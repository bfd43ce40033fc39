import Foundation
import RationBus
import RationModel
import RationPluginKit
import RationSubscribing
import RationWire
import Testing

@testable import PlansSubscriber

extension SubscriberConformanceTests {
    @Test("plans", arguments: UInt64(1)...6)
    func plans(seed: UInt64) throws {
        let conformance = SubscriberConformance(
            make: {
                let plans = try Plans(settings: [Setting("secret", .text("/secret"))])
                let now = Instant(milliseconds: 1_764_500_000_000)
                plans.start(Plans.Parts(directory: StillHoldings(), clock: { now }, tell: { _ in }))
                return plans
            }, seed: seed)
        for broken in try conformance.broken() { Issue.record("\(broken.example)") }
    }

    @Test("the article names every setting of plans")
    func plansArticle() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let path = "../../Sources/ration/ration.docc/Subscribers.md"
        let article = try String(contentsOf: here.appendingPathComponent(path), encoding: .utf8)
        for setting in Plans.settings { #expect(article.contains("| `\(setting.name)` | \(setting.form) |")) }
    }
}

/// A broker that has decided everything already.
private final class StillHoldings: HoldingDirectory {
    func holdings(_ recipients: [DevicesRequest.Recipient]) throws -> QueryClient.Holdings {
        let told = recipients.map { recipient in
            ToldHolding(
                delivery: .local, timeZone: "UTC",
                held: [
                    ToldHolding.Notification(
                        id: recipient.device, fireDate: Instant(milliseconds: 1_800_000_000_000), expires: nil,
                        repetition: .never, content: Array("{}".utf8))
                ])
        }
        let answer = HoldingAnswer(log: "a", sequence: 1_000_000, now: Instant(milliseconds: 1_764_500_000_000))
        return QueryClient.Holdings(answer: answer, told: told)
    }

    func recipients(after place: String) throws -> RecipientPage? { RecipientPage(glimpses: [], next: "") }
}
