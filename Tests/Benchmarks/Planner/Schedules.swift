import RationModel

/// A batch of schedules, made in the same memory again and again: all names lie in its bytes from the start.
struct Schedules {
    private(set) var batch = IntentBatch()
    private let app: ByteRange
    private let content: ByteRange
    private var devices: ContiguousArray<ByteRange> = []
    private var ids: ContiguousArray<ByteRange> = []
    private var types: ContiguousArray<ByteRange> = []
    private let isTypeNamed: Bool
    /// Milliseconds from the date on; nil: without `expires`.
    private let lifetime: Int64?

    /// - Parameters:
    ///   - isTypeNamed: whether intents name their type.
    ///   - lifetime: milliseconds from the date to `expires`; nil: without.
    init(recipients: Int, ids: Int, isTypeNamed: Bool = true, lifetime: Int64? = nil) {
        self.isTypeNamed = isTypeNamed
        app = batch.bytes.append(Step.app)
        content = batch.bytes.append(Step.content)
        for recipient in 0..<recipients { devices.append(batch.bytes.append(Step.device(recipient))) }
        for id in 0..<ids { self.ids.append(batch.bytes.append(Step.id(id))) }
        for type in 0..<PlannedPolicy.typeCount { types.append(batch.bytes.append(PlannedPolicy.typeName(type))) }
        self.lifetime = lifetime
    }

    /// Bytes of content and ids of each recipient's first ids.
    func contentBytes(ids count: Int) -> Int {
        ids[..<count].reduce(0) { $0 + Int($1.count) } + count * Int(content.count)
    }

    mutating func removeAll() {
        batch.intents.removeAll(keepingCapacity: true)
        batch.settings.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func add(_ step: Step) {
        var intent = intent(.schedule, step.recipient)
        intent.id = ids[step.id]
        if isTypeNamed { intent.type = types[Step.type(of: step.id)] }
        intent.content = content
        intent.trigger = .at(step.date)
        if let lifetime { intent.expires = step.date.advanced(by: lifetime) }
        batch.intents.append(intent)
    }

    mutating func addCancel(_ id: Int, of recipient: Int) {
        var intent = intent(.cancelID, recipient)
        intent.id = ids[id]
        batch.intents.append(intent)
    }

    mutating func addSettings(_ settings: DeviceSettings, of recipient: Int) {
        var intent = intent(.device, recipient)
        intent.detail = Int32(batch.settings.count)
        batch.settings.append(settings)
        batch.intents.append(intent)
    }

    @inline(__always)
    private func intent(_ operation: Intent.Operation, _ recipient: Int) -> Intent {
        var intent = Intent(operation: operation)
        intent.app = app
        intent.device = devices[recipient]
        return intent
    }
}
