internal import RationModel

/// Answers that are kept for repetitions, without the texts of those whom they may be about (wire.md, "Forgetting a device").
public enum ErasedAnswer {
    /// What stands in place of a message.
    public static let message = "erased"

    /// - Parameter body: of an acknowledgement.
    /// - Returns: it with neither ids nor messages; places, codes and fields of its problems stay. Nil for one without problems,
    ///   and for what is none.
    public static func acknowledgement(_ body: [UInt8]) -> [UInt8]? {
        let read: Acknowledgement
        do throws(AnswerFault) {
            read = try body.withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try Acknowledgement(number: 0, body: UnsafeRawBufferPointer(body))
            }
        } catch {
            return nil
        }
        guard read.problems.contains(where: { $0.id != nil || $0.message != message }) else { return nil }
        let outcomes = read.outcomes.utf8.compactMap(Outcome.init(rawValue:))
        let problems = read.problems.compactMap { problem in
            Rejection.Code(rawValue: problem.code).map { code in
                AcknowledgementWriter.Problem(
                    index: problem.index, id: UnsafeRawBufferPointer(start: nil, count: 0),
                    rejection: Rejection(code, field: problem.field, message), isWarning: problem.level == "warning")
            }
        }
        return AcknowledgementWriter(log: read.log).body(
            batch: read.batch, now: read.now, outcomes: outcomes[...], problems: problems, omitted: read.more)
    }

    /// - Parameter body: of a refusal.
    /// - Returns: it with its code alone; nil for one that says no more.
    public static func refusal(_ body: [UInt8]) -> [UInt8]? {
        do throws(AnswerFault) {
            let fault = try body.withUnsafeBufferPointer { (body) throws(AnswerFault) in
                try RequestFault(body: UnsafeRawBufferPointer(body))
            }
            guard fault.message != message else { return nil }
            return RequestFault(fault.code, message, expected: fault.expected).body
        } catch {
            return nil
        }
    }
}
