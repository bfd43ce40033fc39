/// The components of a calendar trigger (semantics.md section 2); -1 where one is absent.
public struct CalendarPattern: Hashable, Sendable, BitwiseCopyable {
    public var year: Int16 = -1
    /// 1–12.
    public var month: Int16 = -1
    /// 1–31.
    public var day: Int16 = -1
    /// 1–7, 1 is Sunday.
    public var weekday: Int16 = -1
    public var hour: Int16 = -1
    public var minute: Int16 = -1
    public var second: Int16 = -1

    public init() {}
}

/// A calendar trigger: its pattern, and whose wall clock it is read on.
public struct CalendarTrigger: Hashable, Sendable {
    public var pattern: CalendarPattern
    public var repeats: Bool
    /// The zone's name, known to the tz database; empty for one that floats with its recipient.
    public var timeZone: ByteRange

    public init(pattern: CalendarPattern, repeats: Bool, timeZone: ByteRange) {
        self.pattern = pattern
        self.repeats = repeats
        self.timeZone = timeZone
    }
}
