internal import RationJSON
public import RationModel

/// Writes intents as a service sends them, one a line (semantics.md section 2): what an ``IntentReader`` reads back.
public struct IntentWriter: Sendable {
    /// When a notification is wanted.
    public enum Date: Hashable, Sendable {
        case at(Instant)
        /// Once, at the next time that matches on the clock of the recipient's device.
        case calendar(CalendarPattern)
    }

    /// What a `schedule` says.
    public struct Schedule: Hashable, Sendable {
        public var id: String
        /// Empty: the policy classifies it.
        public var type = ""
        public var content: Content
        public var date: Date
        public var expires: Instant?
        public var overdue = Overdue.drop

        public init(id: String, content: Content, date: Date) {
            (self.id, self.content, self.date) = (id, content, date)
        }
    }

    /// What a notification shows; empty texts are left out.
    public struct Content: Hashable, Sendable {
        public var title = ""
        public var subtitle = ""
        public var body = ""
        public var category = ""
        public var threadId = ""
        public var sound = ""
        public var interruptionLevel = InterruptionLevel.active
        /// Finite.
        public var relevanceScore: Double?
        /// Texts by name, for the app.
        public var userInfo: [String: String] = [:]

        public init() {}
    }

    /// The lines that were written, each with its end.
    public var bytes: [UInt8] = []

    public init() {}

    public mutating func schedule(_ schedule: Schedule, app: String, device: String) {
        line("schedule", app, device) { members, writer in
            members.text("id", schedule.id, to: &writer)
            if !schedule.type.isEmpty { members.text("type", schedule.type, to: &writer) }
            if schedule.overdue == .deliver { members.text("overdue", "deliver", to: &writer) }
            members.name("content", to: &writer)
            Self.write(schedule.content, to: &writer)
            members.name("trigger", to: &writer)
            Self.write(schedule.date, to: &writer)
            guard let expires = schedule.expires else { return }
            members.name("expires", to: &writer)
            writer.instant(expires)
        }
    }

    public mutating func cancel(id: String, app: String, device: String) {
        line("cancel", app, device) { members, writer in members.text("id", id, to: &writer) }
    }

    /// - Parameter prefix: not empty.
    public mutating func cancel(prefix: String, app: String, device: String) {
        line("cancel", app, device) { members, writer in members.text("prefix", prefix, to: &writer) }
    }

    /// What became of a notification that was sent.
    /// - Parameter failure: why it failed; nil: it was delivered.
    public mutating func feedback(id: String, failure: String?, app: String, device: String) {
        line("feedback", app, device) { members, writer in
            members.text("id", id, to: &writer)
            members.text("outcome", failure == nil ? "delivered" : "failed", to: &writer)
            if let failure, !failure.isEmpty { members.text("reason", failure, to: &writer) }
        }
    }

    private mutating func line(
        _ operation: String, _ app: String, _ device: String,
        _ rest: (inout MemberWriter, inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        var members = MemberWriter()
        members.text("op", operation, to: &writer)
        members.text("app", app, to: &writer)
        members.text("device", device, to: &writer)
        rest(&members, &writer)
        members.end(&writer)
        writer.byte(UInt8(ascii: "\n"))
        swap(&writer.bytes, &bytes)
    }

    private static func write(_ content: Content, to writer: inout JSONWriter) {
        var members = MemberWriter()
        let texts: [(StaticString, String)] = [
            ("title", content.title), ("subtitle", content.subtitle), ("body", content.body),
            ("category", content.category), ("threadId", content.threadId), ("sound", content.sound),
        ]
        for (name, text) in texts where !text.isEmpty { members.text(name, text, to: &writer) }
        if content.interruptionLevel != .active {
            members.text("interruptionLevel", "\(content.interruptionLevel.name)", to: &writer)
        }
        if let score = content.relevanceScore {
            members.name("relevanceScore", to: &writer)
            writer.number(score)
        }
        if !content.userInfo.isEmpty {
            members.name("userInfo", to: &writer)
            write(content.userInfo, to: &writer)
        }
        members.end(&writer)
    }

    /// In the order of the names' bytes, as a dictionary has none of its own.
    private static func write(_ userInfo: [String: String], to writer: inout JSONWriter) {
        var members = MemberWriter()
        for (name, text) in userInfo.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            var name = name
            name.withUTF8 { members.name(UnsafeRawBufferPointer($0), to: &writer) }
            writer.string(text)
        }
        members.end(&writer)
    }

    private static func write(_ date: Date, to writer: inout JSONWriter) {
        var members = MemberWriter()
        switch date {
        case .at(let instant):
            members.name("at", to: &writer)
            writer.instant(instant)
        case .calendar(let pattern):
            members.name("calendar", to: &writer)
            var components = MemberWriter()
            for component in CalendarPattern.Component.allCases where pattern[component] >= 0 {
                components.integer(component.name, Int64(pattern[component]), to: &writer)
            }
            components.end(&writer)
        }
        members.end(&writer)
    }
}
