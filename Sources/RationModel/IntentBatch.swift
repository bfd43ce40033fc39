/// Intents that are decided together, in the order in which they came, with the bytes that they name.
public struct IntentBatch: Sendable {
    public var bytes = ByteArena()
    public var intents: ContiguousArray<Intent> = []
    public var settings: [DeviceSettings] = []
    public var rejections: [Rejection] = []

    public init() {}

    /// Forgets everything and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll()
        intents.removeAll(keepingCapacity: true)
        settings.removeAll(keepingCapacity: true)
        rejections.removeAll(keepingCapacity: true)
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
