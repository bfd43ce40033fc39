/// What a notification is for APNs (Apple, "Sending notification requests to APNs": `apns-push-type`).
public enum PushKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Something to show.
    case alert
    /// Wakes the app, shows nothing.
    case background
    /// Starts, updates or ends a live activity. The activity's token is that of a recipient of its own.
    case liveActivity
    /// The same for all who listen to a channel.
    case broadcast

    /// The word on the wire.
    public var name: StaticString {
        switch self {
        case .alert: "alert"
        case .background: "background"
        case .liveActivity: "liveActivity"
        case .broadcast: "broadcast"
        }
    }

    /// Whether it needs neither text nor badge nor sound.
    public var showsByItself: Bool { self != .alert }
}
