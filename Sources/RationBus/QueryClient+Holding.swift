public import RationWire

extension QueryClient {
    /// What some recipients hold, all at one position of the log.
    public struct Holdings: Hashable, Sendable {
        public var answer: HoldingAnswer
        /// One for each recipient that found room in the answer, in their order; nil for one that the broker does not know.
        public var told: [ToldHolding?]

        public init(answer: HoldingAnswer, told: [ToldHolding?]) {
            (self.answer, self.told) = (answer, told)
        }
    }

    /// What these recipients hold, with contents, on the admin endpoint; waits for it.
    /// - Parameter recipients: at least one, at most ``HoldingRequest/limit``.
    /// - Returns: at least one; those behind the last one that is told are to be asked for again.
    /// - Throws: ``QueryError``, ``ZeroMQError``.
    public func holdings(
        _ recipients: [DevicesRequest.Recipient], timeoutMilliseconds: Int
    ) throws -> Holdings {
        begin(.holding, body: HoldingRequest(recipients).body)
        let bodies = try awaitAnswer(timeoutMilliseconds)
        guard bodies.count == 2 else {
            throw QueryError(.answer, endpoint, "an answer to 'holding' has \(bodies.count) frames, expected 2")
        }
        return try parse { () throws(AnswerFault) in try Self.holdings(bodies, of: recipients.count) }
    }

    private static func holdings(_ bodies: [[UInt8]], of count: Int) throws(AnswerFault) -> Holdings {
        let answer = try bodies[0].withUnsafeBufferPointer { (body) throws(AnswerFault) in
            try HoldingAnswer(body: UnsafeRawBufferPointer(body))
        }
        var reader = ToldHoldingReader()
        var told: [ToldHolding?] = []
        var fault: AnswerFault?
        bodies[1].withUnsafeBytes { lines in
            Lines.forEach(in: lines) { line in
                guard fault == nil else { return }
                do throws(AnswerFault) { told.append(try reader.read(line)) } catch { fault = error }
            }
        }
        if let fault { throw fault }
        guard (1...count).contains(told.count) else {
            throw AnswerFault("the answer has \(told.count) lines, expected 1 to \(count)")
        }
        return Holdings(answer: answer, told: told)
    }
}
