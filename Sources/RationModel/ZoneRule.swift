/// What a zone's clocks do after the last transition that its file lists: a standard offset, and perhaps daylight-saving
/// time between two days of every year (RFC 9636 section 3.3.1, POSIX `TZ`).
public struct ZoneRule: Hashable, Sendable {
    /// A day of every year.
    public enum Day: Hashable, Sendable {
        /// `Jn`: 1–365, 29 February not counted, so that 60 is always 1 March.
        case julian(Int)
        /// `n`: 0–365, 29 February counted.
        case ordinal(Int)
        /// `Mm.w.d`: the w-th (1–5, 5 is the last) weekday d (0 is Sunday) of month m.
        case weekday(month: Int, week: Int, day: Int)
    }

    /// When the clocks change.
    public struct Change: Hashable, Sendable {
        public var day: Day
        /// After that day's midnight on the wall before the change; from −167 h to 167 h.
        public var milliseconds: Int64

        public init(day: Day, milliseconds: Int64) {
            (self.day, self.milliseconds) = (day, milliseconds)
        }
    }

    public struct Daylight: Hashable, Sendable {
        /// Milliseconds east of UTC; below the standard offset where "daylight saving" is in winter, as in Dublin.
        public var offsetMilliseconds: Int64
        public var begins: Change
        public var ends: Change

        public init(offsetMilliseconds: Int64, begins: Change, ends: Change) {
            self.offsetMilliseconds = offsetMilliseconds
            (self.begins, self.ends) = (begins, ends)
        }
    }

    /// Milliseconds east of UTC outside daylight-saving time.
    public var standardMilliseconds: Int64
    /// nil where clocks do not change any more.
    public var daylight: Daylight?

    public init(standardMilliseconds: Int64, daylight: Daylight? = nil) {
        (self.standardMilliseconds, self.daylight) = (standardMilliseconds, daylight)
    }
}
