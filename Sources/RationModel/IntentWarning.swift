/// What is told of an intent beside its outcome and rejects nothing (wire.md, "Publishing intents": `level` `warning`).
public struct IntentWarning: Hashable, Sendable {
    /// Why.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// The app has not declared the category.
        case undeclaredCategory
        /// The device has said which categories it has registered, and the category is not among them.
        case unregisteredCategory
    }

    public var kind: Kind
    /// Place among the batch's intents.
    public var intent: Int
    /// Code, field and message, as of what is rejected.
    public var finding: Rejection

    public init(_ kind: Kind, intent: Int, _ finding: Rejection) {
        self.kind = kind
        self.intent = intent
        self.finding = finding
    }
}
