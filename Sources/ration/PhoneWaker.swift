import APNsSubscriber
import PlansSubscriber
import RationBus
import RationCommandLine
import RationConfiguration
import RationES256
import RationModel
import RationPluginKit
import RationWire

/// Tells phones of new plans with the sender, the keys and the addresses of the deployment's subscriber of the plugin `apns`:
/// a push that wakes an app goes past the broker, since a notification of its own would take a slot of the device.
final class PhoneWaker: PhoneWaking {
    private let settings: APNsSettings
    private let directory: any DeviceDirectory
    private let exchange: PushExchange
    private let content: PushContent
    private let tell: (String) -> Void

    /// One turn sends for so long; what has not ended then is tried again.
    private static let turnMilliseconds: Int64 = 5_000
    /// Apple keeps the last push to a phone that is off for so long.
    private static let validMilliseconds = Instant.dayMilliseconds
    private static let background: StaticString = #"{"kind":"background"}"#

    /// - Parameters:
    ///   - name: of the subscriber whose settings are taken.
    ///   - subscribers: those of the deployment.
    init(
        _ name: String, among subscribers: [SubscriberConfiguration], admin: String, in context: Context,
        tell: @escaping (String) -> Void
    ) throws {
        let senders = subscribers.filter { $0.plugin == APNs.name }
        guard let sender = senders.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw CommandFailure(
                "wake: \(Spelling.unknown("subscriber of the plugin \(APNs.name)", name, among: senders.map(\.name)))")
        }
        settings = try APNsSettings(sender.settings)
        let keys = try settings.keys.map { try KeyFile.read($0.file) }
        exchange = PushExchange(
            PushSender(keys: keys.count), PushTransport(settings, keys: keys), clock: { .wallClock })
        directory = BrokerDirectory(admin: admin, in: context)
        var reader = PushContentReader()
        content = try reader.read(Array("\(Self.background)".utf8), at: .wallClock)
        self.tell = tell
    }

    func wake(_ phones: [WakingPush]) throws -> [WakingOutcome] {
        let addresses = try directory.addresses(phones.map(\.recipient))
        // A device without a token or a key cannot be woken.
        var outcomes = Array(repeating: WakingOutcome.failed, count: phones.count)
        var places: [Push.Source: Int] = [:]
        var pushes: [Push] = []
        for (place, (phone, address)) in zip(phones, addresses).enumerated() {
            guard let address, !address.token.isEmpty, let push = push(phone, address) else { continue }
            places[push.source] = place
            pushes.append(push)
        }
        try exchange.send(pushes, limitMilliseconds: Self.turnMilliseconds) { effect in
            guard case .ended(let push, let ending) = effect, let place = places[push.source] else {
                if case .alarm(let alarm) = effect { tell("ALARM: \(alarm)") }
                return
            }
            outcomes[place] = Self.outcome(ending)
        }
        return outcomes
    }

    private func push(_ phone: WakingPush, _ address: DeviceAddress) -> Push? {
        let (app, device) = (phone.recipient.app, phone.recipient.device)
        guard let key = settings.key(ofApp: app) else { return nil }
        return Push(
            source: Push.Source(log: "\(phone.log) plan \(app)/\(device)", sequence: phone.revision), app: app,
            device: device, id: "ration.plan", content: content,
            validUntil: Instant.wallClock.advanced(by: Self.validMilliseconds), address: address, key: key)
    }

    private static func outcome(_ ending: PushEnding) -> WakingOutcome {
        switch ending {
        case .delivered: .delivered
        case .failed: .failed
        case .deferred: .later
        }
    }
}
