import RationModel

/// Feedback becomes events here and not in the planner, which it does not concern: it changes neither plan nor history
/// (semantics.md section 2), and is told of recipients and notifications that nobody knows any more, too.
extension EventBuffer {
    /// Adds the accepted feedback of a batch behind what was decided, in the order in which it came.
    mutating func append(feedbackOf batch: IntentBatch) {
        guard !batch.feedback.isEmpty else { return }
        var last: Intent?
        for intent in batch.intents where intent.operation == .feedback {
            if !(last.map { Self.haveSameRecipient($0, intent, batch.bytes) } ?? false) {
                recipients.append(
                    Recipient(app: copy(intent.app, of: batch.bytes), device: copy(intent.device, of: batch.bytes)))
            }
            last = intent
            var told = batch.feedback[Int(intent.detail)]
            told.action = copy(told.action, of: batch.bytes)
            told.failure = copy(told.failure, of: batch.bytes)
            feedback.append(
                FeedbackEvent(
                    told, recipient: UInt32(truncatingIfNeeded: recipients.count - 1),
                    id: copy(intent.id, of: batch.bytes)))
        }
    }

    private static func haveSameRecipient(_ left: Intent, _ right: Intent, _ bytes: ByteArena) -> Bool {
        func isSame(_ left: ByteRange, _ right: ByteRange) -> Bool {
            bytes.with(left) { left in bytes.with(right) { left.elementsEqual($0) } }
        }
        return isSame(left.device, right.device) && isSame(left.app, right.app)
    }

    private mutating func copy(_ range: ByteRange, of source: ByteArena) -> ByteRange {
        source.with(range) { bytes.append($0) }
    }
}
