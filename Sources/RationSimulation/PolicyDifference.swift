/// What differs between two policies over the same steps.
public struct PolicyDifference: Hashable, Sendable {
    /// What one row counts.
    public struct Row: Hashable, Sendable {
        /// The notification's type as classified; empty for what was rejected.
        public var type: String
        /// An event's kind, or `rejected`.
        public var kind: String
        /// The event's cause and reason, or a rejection's code; empty for none.
        public var cause: String
        public var reason: String
        public var counts: Pair<Int>
    }

    /// What is counted of all types together.
    public struct Total: Hashable, Sendable {
        /// An event's kind, `rejected`, or how it is pending at the end of the run: `pending held`, `pending queued`.
        public var kind: String
        public var counts: Pair<Int>
    }

    /// Fates that differ in one way.
    public struct Group: Hashable, Sendable {
        public var change: FateChange
        public var count: Int
        /// The first of them.
        public var examples: [DifferingFate]
    }

    public var steps = 0
    public var intents = 0
    /// Rows whose counts differ, by type, kind, cause and reason.
    public var rows: [Row] = []
    /// Every kind that there was.
    public var totals: [Total] = []
    /// Wishes whose fates were compared, and those whose fates differ.
    public var compared = 0
    public var differing = 0
    /// The ways in which fates differ, the most frequent first.
    public var groups: [Group] = []
}
