import struct Foundation.Date
import struct Foundation.TimeZone

/// The wall clock of a time zone, as Foundation knows it: independent of the zone tables of the planner.
///
/// Found by asking for the offset at the start of every day and halving down to the second of a change.
struct ModelZone: Sendable {
    /// A stretch of the real time line during which the clocks do not change.
    struct Span {
        /// Milliseconds since 1970; the first span has no beginning and the last no end.
        var start: Int64
        var end: Int64
        /// Milliseconds east of UTC.
        var offset: Int64
    }

    static let names: [Text] = [
        "UTC", "Europe/Madrid", "Europe/London", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe",
        "Pacific/Chatham", "Africa/Casablanca", "Africa/Lagos", "Asia/Kathmandu", "Asia/Tokyo",
    ]
    static let day: Int64 = 86_400_000
    private static let zones = Dictionary(uniqueKeysWithValues: names.map { ($0, ModelZone($0)) })

    let spans: [Span]

    static func named(_ name: Text) -> ModelZone? {
        zones[name]
    }

    private init(_ name: Text) {
        guard let zone = TimeZone(identifier: name.description) else {
            preconditionFailure("Foundation does not know \(name)")
        }
        func offset(_ second: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))) * 1000
        }
        var spans = [Span(start: .min, end: .max, offset: offset(Self.firstSecond))]
        for start in stride(from: Self.firstSecond, to: Self.lastSecond, by: 86_400) {
            let (before, after) = (offset(start), offset(start + 86_400))
            guard before != after else { continue }
            var (same, different) = (start, start + 86_400)
            while different - same > 1 {
                let middle = (same + different) / 2
                if offset(middle) == before { same = middle } else { different = middle }
            }
            spans[spans.count - 1].end = different * 1000
            spans.append(Span(start: different * 1000, end: .max, offset: after))
        }
        self.spans = spans
    }

    /// 2026-01-01 to 2049-12-31: scenarios lie in 2026 and 2027, and look 3,653 days ahead.
    private static let firstSecond: Int64 = 1_767_225_600
    private static let lastSecond: Int64 = 2_524_521_600

    func span(at instant: Int64) -> Span {
        for span in spans where instant < span.end { return span }
        preconditionFailure("the last span has no end")
    }

    /// What the clocks show: milliseconds since 1970-01-01T00:00:00 of theirs.
    func wall(at instant: Int64) -> Int64 {
        instant + span(at: instant).offset
    }

    /// "A wall time inside a daylight-saving gap is read with the offset before the gap; one that occurs twice fires at the
    /// first."
    func instant(wall: Int64) -> Int64 {
        var before: Int64 = 0
        for span in spans {
            let instant = wall - span.offset
            if instant < span.start { return wall - before }
            if instant < span.end { return instant }
            before = span.offset
        }
        preconditionFailure("the last span has no end")
    }
}

extension Int64 {
    /// The whole part of a division, rounded down.
    func divided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
