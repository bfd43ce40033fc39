public import RationBus
internal import RationSubscribing
public import RationWire

/// Who knows where pushes for a device go: the broker, or a test.
public protocol DeviceDirectory: AnyObject {
    /// - Returns: one for each recipient, in their order; nil for an unknown one.
    /// - Throws: ``SubscriberUnavailable`` while nobody answers.
    func addresses(_ recipients: [DevicesRequest.Recipient]) throws -> [DeviceAddress?]
}

/// Asks the broker on its admin endpoint, each time anew: a token is kept nowhere else.
public final class BrokerDirectory: DeviceDirectory {
    private let client: QueryClient
    private static let timeoutMilliseconds = 5_000

    /// - Parameter admin: the broker's admin endpoint.
    public init(admin: String, in context: Context) {
        client = QueryClient(endpoint: admin, in: context)
    }

    public func addresses(_ recipients: [DevicesRequest.Recipient]) throws -> [DeviceAddress?] {
        var addresses: [DeviceAddress?] = []
        for start in stride(from: 0, to: recipients.count, by: DevicesRequest.limit) {
            let part = Array(recipients[start..<min(start + DevicesRequest.limit, recipients.count)])
            do {
                addresses += try client.devices(part, timeoutMilliseconds: Self.timeoutMilliseconds)
            } catch let error as QueryError where error.code == .noAnswer {
                throw SubscriberUnavailable("\(error)")
            }
        }
        return addresses
    }
}
