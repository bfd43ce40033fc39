/// Why an intent was rejected, or what is worth a warning: a code, the field's path, and a message with the limit and
/// the value (semantics.md section 6).
public struct Rejection: Error, Hashable, Sendable {
    public var code: Code
    /// The field's path from the intent's root, `content.badge`; empty for the whole line.
    public var field: String
    public var message: String

    public init(_ code: Code, field: String, _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// The codes of semantics.md section 6, in the order in which they are looked at.
    public enum Code: String, CaseIterable, Sendable {
        case json
        case malformed = "intent.malformed"
        case app, device, id, type
        case contentKind = "content.kind"
        case contentChannel = "content.channel"
        case contentActivity = "content.activity"
        case contentEmpty = "content.empty"
        case contentBadge = "content.badge"
        case contentRelevanceScore = "content.relevanceScore"
        case contentSound = "content.sound"
        case contentInterruptionLevel = "content.interruptionLevel"
        case contentThreadId = "content.threadId"
        case contentTargetContentId = "content.targetContentId"
        case contentAttachments = "content.attachments"
        case contentUserInfo = "content.userInfo"
        case contentTooLarge = "content.tooLarge"
        case contentCategory = "content.category"
        case timeZone
        case quietHours
        case triggerEmpty = "trigger.empty"
        case triggerComponent = "trigger.component"
        case triggerGap = "trigger.gap"
        case triggerInterval = "trigger.interval"
        case triggerPast = "trigger.past"
        case triggerTooFar = "trigger.tooFar"
        case triggerNever = "trigger.never"
        case expiresBeforeFire = "expires.beforeFire"
    }
}
