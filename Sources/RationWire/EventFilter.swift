public import RationModel

/// Which events a reader wants; an empty list wants all (wire.md, "Reading the log").
public struct EventFilter: Hashable, Sendable {
    public var kinds: [EventKind] = []
    public var types: [String] = []
    public var apps: [String] = []
    public var devices: [String] = []

    public init() {}

    public var isEmpty: Bool { kinds.isEmpty && types.isEmpty && apps.isEmpty && devices.isEmpty }

    public func matches(_ event: EventEntry) -> Bool {
        (kinds.isEmpty || kinds.contains(event.kind))
            && Self.contains(types, event.type) && Self.contains(apps, event.app)
            && Self.contains(devices, event.device)
    }

    private static func contains(_ names: [String], _ bytes: UnsafeRawBufferPointer) -> Bool {
        names.isEmpty || names.contains { $0.utf8.elementsEqual(bytes) }
    }
}
