public import RationModel

/// What analytics has counted of one event log in a stretch of time: everything that `ration analytics` shows, read at one
/// moment.
public struct AnalyticsReport: Hashable, Sendable {
    /// What is asked for.
    public struct Request: Hashable, Sendable {
        /// The event log; nil: the one with the newest event.
        public var log: String?
        /// How far back it looks, in milliseconds, to the beginning of an hour; nil: to the log's beginning.
        public var lastMilliseconds: Int64?
        public var now: Instant

        public init(now: Instant) {
            self.now = now
        }
    }

    /// Events of one kind of thing: of a type, an app or an hour.
    public struct Group: Hashable, Sendable {
        public var name: String
        /// By the numbers of ``EventKind``.
        public var kinds = [Int64](repeating: 0, count: EventKind.allCases.count)
        /// Evictions that ended the notification; the others wait in the queue.
        public var evictedForGood: Int64 = 0

        public subscript(kind: EventKind) -> Int64 { kinds[Int(kind.rawValue)] }
        public var total: Int64 { kinds.reduce(0, +) }
    }

    /// Events that share kind, cause, reason and finality.
    public struct Why: Hashable, Sendable {
        public var kind: EventKind
        public var cause: EventCause
        public var reason: EventReason
        public var isFinal: Bool?
        public var count: Int64

        /// The cause's or the reason's word; empty for none.
        public var word: String { cause == .none ? "\(reason.name)" : "\(cause.name)" }
    }

    /// How long something took, for one type.
    public struct Durations: Hashable, Sendable {
        public var measure: DurationMeasure
        public var type: String
        public var count: Int64 = 0
        public var sumMilliseconds: Int64 = 0
        public var mostMilliseconds: Int64 = 0
        /// Counts by ``DurationBuckets``.
        public var buckets = [Int64](repeating: 0, count: DurationBuckets.names.count)

        public var meanMilliseconds: Int64 { count == 0 ? 0 : sumMilliseconds / count }

        /// The bucket in which the given part of all durations ends.
        public func bucket(at part: Double) -> String {
            var seen: Int64 = 0
            for (index, number) in buckets.enumerated() {
                seen += number
                if number > 0, Double(seen) >= part * Double(count) { return DurationBuckets.names[index] }
            }
            return ""
        }
    }

    /// Counts of one thing over time, one for each bin.
    public struct Series: Hashable, Sendable {
        public var name: String
        public var values: [Int64]
        public var total: Int64 { values.reduce(0, +) }
    }

    /// How many of the notifications that came due were opened.
    public struct OpenRate: Hashable, Sendable {
        /// The type, the hour of the day or the priority.
        public var name: String
        public var due: Int64
        /// Of these, those that failed on their way, and nothing has told since that they were shown.
        public var failed: Int64
        /// Of these, those that were opened or answered with an action, each once.
        public var opened: Int64

        public init(name: String, due: Int64, failed: Int64, opened: Int64) {
            (self.name, self.due, self.failed, self.opened) = (name, due, failed, opened)
        }

        /// What may have been seen.
        public var shown: Int64 { due - failed }
        /// The part of those shown that was opened, in hundredths; 0 of none.
        public var percent: Double { shown == 0 ? 0 : Double(opened) * 100 / Double(shown) }
    }

    /// Open rates by the hours in which notifications came due.
    public struct OpenRates: Hashable, Sendable {
        public var types: [OpenRate] = []
        /// By hour of the fire date, in UTC.
        public var hoursOfDay: [OpenRate] = []
        public var priorities: [OpenRate] = []

        public init() {}
    }

    /// What was pending at the end of a bin.
    public struct Sample: Hashable, Sendable {
        public var held: Int64
        public var queued: Int64
        public var recipients: Int64
        public var over: Int64

        public init(held: Int64, queued: Int64, recipients: Int64, over: Int64) {
            (self.held, self.queued, self.recipients, self.over) = (held, queued, recipients, over)
        }

        /// The part of the recipients with something pending of which something is queued, in hundredths.
        public var overPercent: Double { recipients == 0 ? 0 : Double(over) * 100 / Double(recipients) }
    }

    /// The stretch of time, cut in equal bins of whole hours.
    public struct Bins: Hashable, Sendable {
        /// In hours since 1970.
        public var firstHour: Int64
        public var hoursEach: Int64
        public var count: Int

        public init(firstHour: Int64, hoursEach: Int64, count: Int) {
            (self.firstHour, self.hoursEach, self.count) = (firstHour, hoursEach, count)
        }

        public func begin(_ index: Int) -> Instant {
            Instant(milliseconds: (firstHour + Int64(index) * hoursEach) * PageFold.hourMilliseconds)
        }
    }

    public var log: String
    /// All logs that the file knows, by their age in it.
    public var logs: [String]
    public var now: Instant
    /// When the first and the last event of the stretch were decided, as far as hours tell; nil without any.
    public var hours: ClosedRange<Int64>?
    /// Events of the stretch.
    public var events: Int64
    /// When the log's last event was decided; nil without any.
    public var lastTime: Instant?
    /// What is pending now.
    public var current: Sample
    public var types: [Group]
    public var apps: [Group]
    public var hourly: [Group]
    public var whys: [Why]
    public var durations: [Durations]
    public var opens: OpenRates
    public var bins: Bins?
    public var evictionsByType: [Series]
    public var evictionsByReason: [Series]
    public var changesByCause: [Series]
    /// One for each bin; nil where the log had no event yet.
    public var samples: [Sample?]

    /// Whether anything was told of notifications that came due.
    public var hasFeedback: Bool { types.contains { type in EventKind.feedback.contains { type[$0] > 0 } } }
}
