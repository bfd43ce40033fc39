internal import RationJSON
internal import RationModel

/// The fields of a `feedback` (semantics.md section 2).
extension IntentFields {
    /// What they say; text is a view of the line.
    struct FeedbackFields {
        var kind: EventKind
        var action: UnsafeRawBufferPointer?
        var reason: UnsafeRawBufferPointer?
        var textLength: Int32?
    }

    func feedback() throws(Rejection) -> FeedbackFields {
        let outcome = try requiredString(.outcome)
        guard let kind = EventKind.feedback.first(where: { equals(outcome, $0.name) }) else {
            throw Self.mistyped(.outcome, expected: "delivered, opened, dismissed, action or failed, found another")
        }
        var fields = FeedbackFields(kind: kind)
        fields.action = try action()
        fields.reason = try reason(kind)
        fields.textLength = try textLength(kind)
        return fields
    }

    private func action() throws(Rejection) -> UnsafeRawBufferPointer? {
        guard let action = try string(.action) else { return nil }
        guard action.count <= Limits.actionBytes else {
            throw Self.mistyped(.action, expected: "at most \(Limits.actionBytes) bytes, found \(action.count)")
        }
        return action
    }

    /// Why a notification failed: a word, since metrics and reports count by it.
    private func reason(_ kind: EventKind) throws(Rejection) -> UnsafeRawBufferPointer? {
        guard let reason = try string(.reason) else { return nil }
        guard kind == .failed else { throw Self.mistyped(.reason, expected: "none without the outcome failed") }
        guard Name.isPlain(reason, limit: Limits.reasonBytes) else {
            throw Self.mistyped(
                .reason,
                expected: "1 to \(Limits.reasonBytes) letters, digits, '.', '-' or '_', found \(reason.count) bytes")
        }
        return reason
    }

    /// How long the text is that was typed with an action; the text itself is nobody's business here.
    private func textLength(_ kind: EventKind) throws(Rejection) -> Int32? {
        guard let value = self[.textLength] else { return nil }
        guard kind == .action else { throw Self.mistyped(.textLength, expected: "none without the outcome action") }
        guard let number = value.wholeNumber, (0...Int64(Limits.feedbackTextLength)).contains(number) else {
            throw Self.mistyped(.textLength, expected: "a whole number from 0 to \(Limits.feedbackTextLength)")
        }
        return Int32(truncatingIfNeeded: number)
    }
}
