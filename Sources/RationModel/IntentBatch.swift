/// Intents that are decided together, in the order in which they came, with the bytes that they name.
public struct IntentBatch: Sendable {
    public var bytes = ByteArena()
    public var intents: ContiguousArray<Intent> = []
    public var settings: [DeviceSettings] = []
    public var feedback: ContiguousArray<Feedback> = []
    public var rejections: [Rejection] = []
    /// What was found on reading that rejects nothing, in the order of the intents.
    public var warnings: [IntentWarning] = []

    public init() {}

    /// Forgets everything and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll()
        intents.removeAll(keepingCapacity: true)
        settings.removeAll(keepingCapacity: true)
        feedback.removeAll(keepingCapacity: true)
        rejections.removeAll(keepingCapacity: true)
        warnings.removeAll(keepingCapacity: true)
    }

    /// How far a batch is filled.
    public struct End: Sendable {
        fileprivate var bytes: Int
        fileprivate var intents: Int
        fileprivate var settings: Int
        fileprivate var feedback: Int
        fileprivate var rejections: Int
        fileprivate var warnings: Int
    }

    public var end: End {
        End(
            bytes: bytes.count, intents: intents.count, settings: settings.count, feedback: feedback.count,
            rejections: rejections.count, warnings: warnings.count)
    }

    /// Forgets what was added after the batch was filled as far as `end`.
    public mutating func removeAll(after end: End) {
        bytes.bytes.removeLast(bytes.count - end.bytes)
        intents.removeLast(intents.count - end.intents)
        settings.removeLast(settings.count - end.settings)
        feedback.removeLast(feedback.count - end.feedback)
        rejections.removeLast(rejections.count - end.rejections)
        warnings.removeLast(warnings.count - end.warnings)
    }

    /// Adds a line that cannot be applied. The ranges name what could be read of it.
    public mutating func reject(_ rejection: Rejection, app: ByteRange, device: ByteRange, id: ByteRange) {
        var intent = Intent(operation: .rejected)
        (intent.app, intent.device, intent.id) = (app, device, id)
        intent.detail = Int32(rejections.count)
        rejections.append(rejection)
        intents.append(intent)
    }
}
