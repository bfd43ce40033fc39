/// A calendar trigger: its pattern, and whose wall clock it is read on (semantics.md section 2).
public struct CalendarTrigger: Hashable, Sendable {
    public var pattern: CalendarPattern
    public var repeats: Bool
    /// The zone's name as the service wrote it, to be looked up in the tz database; empty for one that floats with its
    /// recipient.
    public var timeZone: ByteRange

    public init(pattern: CalendarPattern, repeats: Bool, timeZone: ByteRange) {
        self.pattern = pattern
        self.repeats = repeats
        self.timeZone = timeZone
    }
}
