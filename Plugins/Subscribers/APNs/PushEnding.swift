public import RationModel

/// What becomes of a push.
public enum PushEnding: Hashable, Sendable {
    /// Apple has taken it.
    case delivered
    /// It is over, and why: Apple's word, or one of ``PushReason``.
    case failed(reason: String)
    /// It is to be tried again from then on.
    case deferred(until: Instant, attempts: Int, reason: String)
}

/// Why a push is over that Apple has not refused.
public enum PushReason {
    /// `validUntil` has come.
    public static let expired = "expired"
    /// The device has told no token, or its token is dead.
    public static let noToken = "noToken"
    /// The token has other characters than hexadecimal digits, which Apple's have.
    public static let malformedToken = "malformedToken"
    /// The broker knows no such device.
    public static let unknownDevice = "unknownDevice"
    /// No key of the settings is for this app.
    public static let noKey = "noKey"
    /// The content makes no payload.
    public static let content = "content"
    /// No answer came.
    public static let noAnswer = "noAnswer"
    /// No connection came about.
    public static let noConnection = "noConnection"
    /// The key was stopped.
    public static let keyStopped = "keyStopped"
    /// There was no time left.
    public static let interrupted = "interrupted"
}

/// What has to be done or told after an answer.
public enum PushEffect: Hashable, Sendable {
    case ended(Push, PushEnding)
    /// Nothing more is sent on this connection; what is under way on it goes on.
    case connectionClosed(PushLane)
    /// What was learned about a device's token.
    case tokenWorked(Push)
    case tokenIsDead(Push, since: Instant)
    case alarm(PushAlarm)
}

/// What a person has to look at.
public enum PushAlarm: Hashable, Sendable {
    /// Nothing is sent with this key any more until the process starts again.
    case keyStopped(key: Int, reason: String)
    /// A token that has worked is none: the device is probably noted with the wrong environment.
    case wrongEnvironment(app: String, device: String, isSandbox: Bool)
    /// Apple refuses what the settings say: a topic, a path.
    case refused(key: Int, reason: String)
}

/// A connection: one of a key in an environment, the n-th of its route.
public struct PushLane: Hashable, Sendable {
    public var key: Int
    public var isSandbox: Bool
    public var number: Int
}
