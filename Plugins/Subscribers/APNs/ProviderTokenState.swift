internal import RationModel

/// When a key gets a new provider token (Apple, "Establishing a token-based connection to APNs": not more often than every 20
/// minutes, and no token older than an hour).
struct ProviderTokenState: Hashable {
    static let lifetimeMilliseconds: Int64 = 50 * 60_000
    static let shortestMilliseconds: Int64 = 20 * 60_000

    /// Counts the tokens of a key; 0: there is none yet.
    private(set) var generation = 0
    private(set) var issued = Instant.distantPast
    /// When a token was last made because Apple has called one expired.
    private var demanded: Instant?

    /// Makes a new token where there is none or it has become old; a clock that went back makes none.
    mutating func renew(_ now: Instant) {
        guard generation == 0 || now.milliseconds - issued.milliseconds >= Self.lifetimeMilliseconds else { return }
        (generation, issued) = (generation + 1, now)
    }

    /// Makes a new token since Apple calls this one expired.
    /// - Returns: false if one was made for this reason within 20 minutes: then it is not the token's age.
    mutating func replaceExpired(_ now: Instant) -> Bool {
        if let demanded, now.milliseconds - demanded.milliseconds < Self.shortestMilliseconds { return false }
        (generation, issued, demanded) = (generation + 1, now, now)
        return true
    }
}
