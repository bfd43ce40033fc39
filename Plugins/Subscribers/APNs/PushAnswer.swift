public import RationModel

/// What Apple has answered to a push (Apple, "Handling notification responses from APNs").
public struct PushAnswer: Hashable, Sendable {
    public var status: Int
    /// Empty for 200, and for what is not Apple's JSON.
    public var reason: String
    /// Of a 410: since when the token is known to be dead.
    public var timestamp: Instant?
    /// What the server asks for.
    public var retryAfterSeconds: Int64?

    public init(status: Int, reason: String = "", timestamp: Instant? = nil, retryAfterSeconds: Int64? = nil) {
        (self.status, self.reason) = (status, reason)
        (self.timestamp, self.retryAfterSeconds) = (timestamp, retryAfterSeconds)
    }

    /// What an answer means.
    enum Meaning: Hashable {
        case delivered
        /// The token is dead.
        case tokenIsGone
        /// The token is none of this environment, or none at all.
        case tokenIsBad
        case providerTokenExpired
        /// The key, the team or the connection is not taken.
        case keyRefused
        /// This device gets too many.
        case deviceIsBusy
        /// Provider tokens were changed too often.
        case tooManyProviderTokens
        /// This push fails, or this server ends.
        case serverFailed
        /// Nothing can be taken.
        case serviceIsAway
        /// It was not this push: at once, on another connection.
        case connectionIsStale
        /// No retry helps.
        case refused
    }

    var meaning: Meaning {
        switch (status, reason) {
        case (200, _): .delivered
        case (410, _): .tokenIsGone
        case (400, "BadDeviceToken"): .tokenIsBad
        case (400, "IdleTimeout"): .connectionIsStale
        case (403, "ExpiredProviderToken"): .providerTokenExpired
        case (403, "Forbidden"): .refused
        case (403, _): .keyRefused
        case (429, "TooManyProviderTokenUpdates"): .tooManyProviderTokens
        case (429, _): .deviceIsBusy
        case (503, "Shutdown"): .serverFailed
        case (503, _): .serviceIsAway
        case (500..., _): .serverFailed
        default: .refused
        }
    }

    /// What metrics and events say.
    var shownReason: String { reason.isEmpty ? "status\(status)" : reason }
}
