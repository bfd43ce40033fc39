internal import RationJSON
public import RationModel

/// The answer to a `publish` that was committed (wire.md, "Publishing intents"), as a client reads it.
public struct Acknowledgement: Sendable, Hashable {
    /// What is told of one line.
    public struct Problem: Sendable, Hashable {
        /// Place of the line in the request, from 0.
        public var index: Int
        public var id: String?
        public var level: String
        public var code: String
        public var field: String
        public var message: String
    }

    public var number: UInt64
    /// The event log's name.
    public var log: String
    public var batch: UInt64
    public var now: Instant
    /// One letter a line.
    public var outcomes: String
    public var problems: [Problem]
    /// Problems that did not fit.
    public var more: Int

    /// How many lines ended so.
    public func count(_ outcome: Outcome) -> Int {
        outcomes.utf8.count { $0 == outcome.rawValue }
    }
}

/// Writes acknowledgements.
public struct AcknowledgementWriter: Sendable {
    /// Bytes of all problems of one acknowledgement; those beyond are counted in `more`.
    public static let problemBytes = 64 * 1024
    /// Bytes of its warnings among them, so that these leave room for errors.
    public static let warningBytes = 16 * 1024

    /// A problem to be told, with the id of its intent.
    public struct Problem {
        public var index: Int
        public var id: UnsafeRawBufferPointer
        public var rejection: Rejection
        /// Whether the line was taken nevertheless.
        public var isWarning: Bool

        public init(index: Int, id: UnsafeRawBufferPointer, rejection: Rejection, isWarning: Bool = false) {
            self.index = index
            self.id = id
            self.rejection = rejection
            self.isWarning = isWarning
        }
    }

    /// What is left for problems. Once one does not fit, the later ones of its level are only counted, so that the list
    /// has no holes.
    private struct ProblemRoom {
        private var left = problemBytes
        private var leftForWarnings = warningBytes
        private var isFull = false
        private var isFullOfWarnings = false

        mutating func takes(_ bytes: Int, isWarning: Bool) -> Bool {
            isFull = isFull || bytes > left && !isWarning
            isFullOfWarnings = isFullOfWarnings || isWarning && bytes > min(left, leftForWarnings)
            guard !isFull, !(isWarning && isFullOfWarnings) else { return false }
            left -= bytes
            if isWarning { leftForWarnings -= bytes }
            return true
        }
    }

    private let log: String

    /// - Parameter log: the event log's name.
    public init(log: String) {
        self.log = log
    }

    /// The body of an acknowledgement.
    /// - Parameters:
    ///   - outcomes: one a line of the request.
    ///   - problems: in the order of the lines.
    ///   - omitted: problems that are not among these, to be counted in `more`.
    public func body(
        batch: UInt64, now: Instant, outcomes: ArraySlice<Outcome>, problems: some Sequence<Problem>, omitted: Int = 0
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 224 + outcomes.count)
        writer.raw(#"{"log":""#)
        writer.bytes.append(contentsOf: log.utf8)
        writer.raw(#"","batch":"#)
        writer.integer(Int64(truncatingIfNeeded: batch))
        writer.raw(#","now":"#)
        writer.instant(now)
        writeCounts(outcomes, to: &writer)
        writer.raw(#","outcomes":""#)
        for outcome in outcomes { writer.bytes.append(outcome.rawValue) }
        writer.byte(UInt8(ascii: "\""))
        writeProblems(problems, omitted: omitted, to: &writer)
        writer.byte(UInt8(ascii: "}"))
        return writer.bytes
    }

    private func writeCounts(_ outcomes: ArraySlice<Outcome>, to writer: inout JSONWriter) {
        var counts = InlineArray<128, Int64>(repeating: 0)
        // A letter is below 128.
        for outcome in outcomes { counts[Int(outcome.rawValue)] += 1 }
        for outcome in Outcome.allCases {
            writer.byte(UInt8(ascii: ","))
            writer.key(outcome.name)
            writer.integer(counts[Int(outcome.rawValue)])
        }
    }

    private func writeProblems(_ problems: some Sequence<Problem>, omitted: Int, to writer: inout JSONWriter) {
        writer.raw(#","problems":["#)
        let start = writer.bytes.count
        var more = Int64(omitted)
        var room = ProblemRoom()
        for problem in problems {
            let place = writer.bytes.count
            if place > start { writer.byte(UInt8(ascii: ",")) }
            Self.write(problem, to: &writer)
            let bytes = writer.bytes.count - place
            guard !room.takes(bytes, isWarning: problem.isWarning) else { continue }
            writer.bytes.removeLast(bytes)
            more += 1
        }
        writer.byte(UInt8(ascii: "]"))
        if more > 0 {
            writer.raw(#","more":"#)
            writer.integer(more)
        }
    }

    private static func write(_ problem: Problem, to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.integer("index", Int64(problem.index), to: &writer)
        if !problem.id.isEmpty { members.text("id", problem.id, to: &writer) }
        members.text("level", problem.isWarning ? "warning" : "error", to: &writer)
        members.text("code", problem.rejection.code.rawValue, to: &writer)
        members.text("field", problem.rejection.field, to: &writer)
        members.text("message", problem.rejection.message, to: &writer)
        members.end(&writer)
    }
}

extension Acknowledgement {
    /// Reads the body of an acknowledgement.
    public init(number: UInt64, body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        self.number = number
        log = try answer.text("log")
        batch = try answer.unsigned("batch")
        now = try answer.instant("now")
        outcomes = try answer.text("outcomes")
        more = Int(try answer.optionalUnsigned("more") ?? 0)
        problems = answer.elements("problems") { problem in
            Problem(
                index: Int(problem["index"]?.integer ?? 0), id: problem["id"]?.text,
                level: problem["level"]?.text ?? "error", code: problem["code"]?.text ?? "",
                field: problem["field"]?.text ?? "", message: problem["message"]?.text ?? "")
        }
    }
}
