/// The components of a calendar trigger (semantics.md section 2); -1 where one is absent.
public struct CalendarPattern: Hashable, Sendable, BitwiseCopyable {
    /// 1–9999.
    public var year: Int16 = -1
    /// 1–12.
    public var month: Int16 = -1
    /// 1–31.
    public var day: Int16 = -1
    /// 1–7, 1 is Sunday.
    public var weekday: Int16 = -1
    /// 0–23.
    public var hour: Int16 = -1
    /// 0–59.
    public var minute: Int16 = -1
    /// 0–59.
    public var second: Int16 = -1

    public init() {}

    /// Whether a year, month, day or weekday is named.
    public var namesDate: Bool {
        // -1 has every bit set: the conjunction is -1 when all are absent.
        year & month & day & weekday != -1
    }

    /// Whether any component is named.
    public var isEmpty: Bool {
        year & month & day & weekday & hour & minute & second == -1
    }
}
