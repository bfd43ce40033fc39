import TestSupport

/// What kind of world a seed makes: which misfortunes there are in it, and how much is kept.
struct Climate {
    /// Bytes of events that are kept.
    var retentionBytes = 16 << 20
    var hasPowerFailures = false
    var hasFailingDisk = false
    var hasSpoiltReads = false
    var hasDamage = false
    var hasLittleRoom = false
    var hasClockJumps = false
    var hasPolicies = false
    /// Whether the slow model of the planner is asked, too: then there is one policy, time goes on, and recipients are woken
    /// all at once.
    var isCompared = false
    /// One of so many live messages is lost.
    var lostLiveMessages: UInt64 = 20

    init(_ random: inout SplitMix64) {
        func isSo(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }
        if isSo(4) { retentionBytes = 6_000 }
        hasPowerFailures = !isSo(4)
        hasFailingDisk = isSo(2)
        hasSpoiltReads = isSo(4)
        hasDamage = isSo(6)
        hasLittleRoom = isSo(5)
        hasClockJumps = isSo(3)
        hasPolicies = isSo(2)
        guard isSo(8) else { return }
        (isCompared, hasPolicies, hasClockJumps) = (true, false, false)
    }
}
