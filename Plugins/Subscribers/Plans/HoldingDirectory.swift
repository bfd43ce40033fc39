public import RationBus
internal import RationJSON
internal import RationModel
internal import RationSubscribing
public import RationWire

/// Who knows what devices hold: the broker, or a test.
public protocol HoldingDirectory: AnyObject {
    /// - Parameter recipients: at least one, at most ``HoldingRequest/limit``.
    /// - Returns: at least one; the rest is to be asked for again.
    /// - Throws: `SubscriberUnavailable` while nobody answers.
    func holdings(_ recipients: [DevicesRequest.Recipient]) throws -> QueryClient.Holdings

    /// A page of the recipients that there are.
    /// - Parameter place: what the page before gave as `next`; empty for the first.
    /// - Returns: nil if the broker has started anew since the first page.
    /// - Throws: `SubscriberUnavailable` while nobody answers.
    func recipients(after place: String) throws -> RecipientPage?
}

/// Some of the recipients that a broker has.
public struct RecipientPage: Hashable, Sendable {
    /// A recipient, and a hash of the ids and dates that it holds.
    public struct Glimpse: Hashable, Sendable {
        public var recipient: DevicesRequest.Recipient
        public var shape: UInt64

        public init(recipient: DevicesRequest.Recipient, shape: UInt64) {
            (self.recipient, self.shape) = (recipient, shape)
        }
    }

    public var glimpses: [Glimpse]
    /// Empty behind the last page.
    public var next: String

    public init(glimpses: [Glimpse], next: String) {
        (self.glimpses, self.next) = (glimpses, next)
    }
}

/// Asks the broker: on the admin endpoint what is held, on that of queries who there is.
public final class BrokerHoldings: HoldingDirectory {
    private let admin: QueryClient
    private let queries: QueryClient
    private static let timeoutMilliseconds = 5_000

    public init(admin: String, queries: String, in context: Context) {
        self.admin = QueryClient(endpoint: admin, in: context)
        self.queries = QueryClient(endpoint: queries, in: context)
    }

    public func holdings(_ recipients: [DevicesRequest.Recipient]) throws -> QueryClient.Holdings {
        try asked { try admin.holdings(recipients, timeoutMilliseconds: Self.timeoutMilliseconds) }
    }

    public func recipients(after place: String) throws -> RecipientPage? {
        var request = SnapshotRequest()
        request.after = place
        let page: QueryClient.SnapshotPage
        do {
            page = try asked { try queries.snapshot(request, timeoutMilliseconds: Self.timeoutMilliseconds) }
        } catch let error as QueryError {
            guard case .refused(let fault) = error.code, fault.code == .unknown else { throw error }
            return nil
        }
        var glimpses: [RecipientPage.Glimpse] = []
        var parser = JSONParser(maximumValues: 1_000_000)
        try page.plans.withUnsafeBytes { plans in
            try Lines.forEach(in: plans) { line in
                let plan = try parser.parse(line, isPadded: false)
                guard let app = plan["app"]?.text, let device = plan["device"]?.text else { return }
                let held = plan["held"]?.children.compactMap { value -> (id: String, fireDate: Instant)? in
                    guard let id = value["id"]?.text, let text = value["fireDate"]?.text else { return nil }
                    return Instant(rfc3339: text).map { (id, $0) }
                }
                glimpses.append(
                    RecipientPage.Glimpse(
                        recipient: DevicesRequest.Recipient(app: app, device: device),
                        shape: PlanShape.hash(held ?? [])))
            }
        }
        return RecipientPage(glimpses: glimpses, next: page.answer.next)
    }

    private func asked<Answer>(_ ask: () throws -> Answer) throws -> Answer {
        do {
            return try ask()
        } catch let error as QueryError where error.code == .noAnswer {
            throw SubscriberUnavailable("\(error)")
        }
    }
}
