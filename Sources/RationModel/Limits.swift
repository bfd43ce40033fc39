/// The limits that hold for every intent and policy, each named once (semantics.md sections 2, 3 and 6; wire.md).
public enum Limits {
    /// Bytes of an `app`, of a `device` and of an `id`.
    public static let appBytes = 128
    public static let deviceBytes = 128
    public static let idBytes = 256
    /// Bytes of a type's name.
    public static let typeBytes = 64
    /// Bytes of a `threadId`.
    public static let threadIdBytes = 64
    /// Bytes of a `targetContentId`, and of a broadcast's `channel`.
    public static let targetContentIdBytes = 256
    public static let channelBytes = 128
    /// What a notification may have attached: how many, and bytes of an address.
    public static let attachments = 10
    public static let attachmentBytes = 2048
    /// Bytes of the name of a live activity's attributes.
    public static let attributesTypeBytes = 128
    /// Bytes of the reason that a `feedback` gives.
    public static let reasonBytes = 64
    /// The longest text that a `feedback` says was typed, in characters as the phone counts them.
    public static let feedbackTextLength = 1_000_000
    /// Bytes of an APNs payload, as Apple limits it.
    public static let payloadBytes = 4096
    /// Bytes of a device's push token, written in hexadecimal or as its sender likes.
    public static let tokenBytes = 512
    /// Categories that a device may say it has registered, and bytes of one.
    public static let categories = 256
    public static let categoryBytes = 256
    /// What a file of categories may hold: apps, categories of an app, actions of a category, intents of a category.
    public static let declaredApps = 1000
    public static let declaredCategories = 256
    /// The system shows no more actions of a category (UNNotificationCategory).
    public static let categoryActions = 10
    /// So many it shows where space is limited, as in a banner.
    public static let bannerActions = 2
    public static let categoryIntents = 64
    /// Bytes of an action's identifier, of an intent's and of an icon's name; of a title, placeholder or format.
    public static let actionBytes = 256
    public static let categoryTextBytes = 1024
    /// Apps whose category mismatches are counted by name; those of further ones are in the sum only.
    public static let countedApps = 256
    /// Slots that a device may reserve for other code.
    public static let reserved = 1_000_000
    /// How far ahead of now a notification may be requested: 3,653 days.
    public static let horizonMilliseconds: Int64 = 3653 * 86_400_000
    /// The shortest interval of a repeating trigger, in seconds.
    public static let shortestRepeatSeconds: Double = 60
    /// What a recipient remembers of notifications that have fired or expired: how many, and for how long.
    public static let rememberedCount = 256
    public static let rememberedMilliseconds: Int64 = 7 * 86_400_000
    /// What a recipient's history may hold before those are forgotten that no cap can count any more: of each type the
    /// last as many as the largest limit of a cap.
    public static let historyCount = 4096
    /// Different quiet hours of devices whose compiled rules are kept to be shared.
    public static let sharedRules = 4096
    /// Ends of a policy's whole numbers.
    public static let slots = 0...10_000
    public static let queueLimit = 0...50_000
    public static let priority = 0...1_000_000
    public static let policyTypes = 10_000
    /// What a policy's lists may hold: windows of quiet hours (a device's own too), caps, quotas, and the types that one
    /// window or cap names.
    public static let quietWindows = 64
    public static let caps = 32
    public static let policyQuotas = 10_000
    public static let ruleTypes = 10_000
    /// Notifications that a cap allows in a stretch, and how long the stretch is.
    public static let capLimit = 1...256
    public static let capPerMilliseconds: ClosedRange<Int64> = 1...Limits.horizonMilliseconds
    public static let percent = 0...100
    public static let policyDurationMilliseconds: ClosedRange<Int64> = 0...Limits.horizonMilliseconds
    /// Intents of one request and bytes of its body (wire.md, "Publishing intents").
    public static let requestLines = 4096
    public static let requestBytes = 2 * 1024 * 1024
    /// Requests of one publisher that may be unacknowledged, and acknowledgements that are kept for it.
    public static let publisherWindow = 64
    /// Bytes of a publisher's name.
    public static let publisherBytes = 64
    /// How long a publisher that publishes nothing is remembered: 30 days.
    public static let publisherIdleMilliseconds: Int64 = 30 * 86_400_000
    /// Recipients that are looked at in one turn, for those that have nothing left.
    public static let idlePerRound = 4096
    /// Recipients that are fired in one batch (store.md, "Deadlines").
    public static let firedPerBatch = 8192
}
