internal import RationJSON
public import RationModel

/// `holding`, on the admin endpoint only: what some recipients hold, with contents, as phones need it that show what is due by
/// themselves. No event but `due` has a content, so whoever hands plans to phones asks for them.
public struct HoldingRequest: Hashable, Sendable {
    public var recipients: [DevicesRequest.Recipient]

    /// Recipients of one request.
    public static let limit = 64
    /// Notifications of one recipient that are told: four times as many as iOS keeps.
    public static let heldLimit = 256
    /// Bytes of one answer after which no further recipient is added to it.
    public static let answerBytes = 1024 * 1024

    public init(_ recipients: [DevicesRequest.Recipient]) {
        self.recipients = recipients
    }

    /// The body of a request.
    public var body: [UInt8] { DevicesRequest(recipients).body }
}

/// The first frame of the answer to a `holding`; the second has a line for each recipient that was told, in the order in which
/// they were asked for: an empty object for an unknown one. Those that found no room are to be asked for again.
public struct HoldingAnswer: Hashable, Sendable {
    public var log: String
    /// The last event that what is told has seen.
    public var sequence: UInt64
    /// When the last batch was decided.
    public var now: Instant

    public init(log: String, sequence: UInt64, now: Instant) {
        (self.log, self.sequence, self.now) = (log, sequence, now)
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        sequence = try answer.unsigned("sequence")
        now = try answer.instant("now")
    }

    /// The body of the first frame.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.text("log", log)
            object.integers(("sequence", Int(truncatingIfNeeded: sequence)))
            object.text("now", now.rfc3339)
        }
    }
}

/// What a recipient holds, as `holding` tells it.
public struct ToldHolding: Hashable, Sendable {
    /// When a notification comes again.
    public enum Repetition: Hashable, Sendable {
        case never
        /// At this distance, from its fire date on.
        case interval(milliseconds: Int64)
        /// Whenever the clocks of a zone match; an empty name is that of the recipient's zone.
        case calendar(CalendarPattern, timeZone: String)
    }

    public struct Notification: Hashable, Sendable {
        public var id: String
        public var fireDate: Instant
        /// When it must no longer be shown; nil if it always may.
        public var expires: Instant?
        public var repetition: Repetition
        /// Canonical JSON.
        public var content: [UInt8]

        public init(id: String, fireDate: Instant, expires: Instant?, repetition: Repetition, content: [UInt8]) {
            (self.id, self.fireDate, self.expires) = (id, fireDate, expires)
            (self.repetition, self.content) = (repetition, content)
        }
    }

    public var delivery: Delivery
    public var timeZone: String
    /// By (fire date, priority, id).
    public var held: [Notification]

    public init(delivery: Delivery, timeZone: String, held: [Notification]) {
        (self.delivery, self.timeZone, self.held) = (delivery, timeZone, held)
    }

    /// The line of an unknown recipient.
    public static let unknown: [UInt8] = Array("{}".utf8)

    /// The line, without its end.
    public var line: [UInt8] {
        var writer = JSONWriter(capacity: 64 + held.count * 384)
        var members = MemberWriter()
        members.text("delivery", "\(delivery.name)", to: &writer)
        members.text("timeZone", timeZone, to: &writer)
        members.list("held", held, to: &writer) { $0.write(to: &$1) }
        members.end(&writer)
        return writer.bytes
    }
}

extension ToldHolding.Notification {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.text("id", id, to: &writer)
        members.name("fireDate", to: &writer)
        writer.instant(fireDate)
        if let expires {
            members.name("expires", to: &writer)
            writer.instant(expires)
        }
        switch repetition {
        case .never: break
        case .interval(let milliseconds): members.integer("everyMs", milliseconds, to: &writer)
        case .calendar(let pattern, let timeZone):
            members.name("calendar", to: &writer)
            writer.calendar(pattern)
            if !timeZone.isEmpty { members.text("timeZone", timeZone, to: &writer) }
        }
        members.name("content", to: &writer)
        if content.isEmpty { writer.raw("{}") } else { content.withUnsafeBytes { writer.raw($0) } }
        members.end(&writer)
    }
}

extension JSONWriter {
    /// A calendar trigger's components.
    mutating func calendar(_ pattern: CalendarPattern) {
        var components = MemberWriter()
        for component in CalendarPattern.Component.allCases where pattern[component] >= 0 {
            components.integer(component.name, Int64(pattern[component]), to: &self)
        }
        components.end(&self)
    }
}
