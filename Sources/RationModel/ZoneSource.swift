/// The time zones of a tz database, each read once.
public protocol ZoneSource: ZoneChecking {
    /// The zone of that name, byte for byte; nil if the database does not know it.
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable?

    /// The release, such as `2025b`, if it is known.
    var release: String? { get }
}
