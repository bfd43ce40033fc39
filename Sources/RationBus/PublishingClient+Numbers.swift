import RationModel
internal import RationWire

/// How a publishing client and its broker agree on numbers (wire.md, "Publishing intents").
extension PublishingClient {
    /// Compares the outbox with the last number that the broker has committed.
    ///
    /// What is stored and committed already is sent again with its number: the broker gives the acknowledgement that it
    /// has kept, or says `alreadyCommitted`.
    func reconcile(with hello: Hello) throws {
        guard let outbox else { return }
        log = hello.log
        brokerWindow = min(max(1, hello.window), Limits.publisherWindow)
        if let first = try newFirstNumber(hello, outbox) {
            numberOffset &+= window.oldestNumber &- first
            try outbox.agree(on: hello.log, renumberingFrom: first)
            window.renumber(from: first)
        } else if outbox.log != hello.log {
            try outbox.agree(on: hello.log, renumberingFrom: nil)
        }
    }

    /// - Returns: the number that the oldest stored request, or the next one, has to get; nil: it has the right one.
    private func newFirstNumber(_ hello: Hello, _ outbox: any Outbox) throws(PublishingError) -> UInt64? {
        let first = window.oldestNumber
        guard let last = hello.last, last > 0 else { return first == 1 ? nil : 1 }
        guard last < 1 << 62 else {
            throw PublishingError(.answer, "\(endpoint) says that number \(last) is committed, which cannot be")
        }
        if outbox.log == nil {
            // Nothing was ever sent from this outbox: it goes on behind whatever the name has published before.
            return first == last + 1 ? nil : last + 1
        }
        if last >= window.nextNumber {
            throw PublishingError(
                .outboxBehind,
                "the broker has committed number \(last) of publisher '\(publisher)', but the outbox's last is "
                    + "\(window.nextNumber - 1): another client uses the name, or the outbox is an old copy")
        }
        if last + 1 < first, outbox.log != hello.log {
            // The log was restored from a backup that knows this publisher, but not all that it has published since.
            forgotten = last + 1...first - 1
            return last + 1
        }
        if last + 1 < first {
            throw PublishingError(
                .outboxAhead,
                "the broker's last number of publisher '\(publisher)' is \(last), but \(last + 1) to \(first - 1) were "
                    + "acknowledged before: the broker's data are older than the outbox")
        }
        return nil
    }

    /// Takes the answer to a request that is under way.
    /// - Returns: false if the client has to greet the broker anew.
    func take(_ answer: AnswerFrames, _ now: Int64) throws -> Bool {
        let number = answer.number
        let known = number &+ numberOffset
        if answer.isNamed(Frame.acknowledgement) {
            backoff.succeed()
            lastPostponement = nil
            window.answer(number, .acknowledgement(CommittedRequest(number: known, body: [UInt8](answer.body))))
        } else if answer.isNamed(Frame.error) {
            let fault = try read(answer) { (body) throws(AnswerFault) in try RequestFault(body: body) }
            return try take(fault, number, now)
        }
        return true
    }

    private func take(_ fault: RequestFault, _ number: UInt64, _ now: Int64) throws(PublishingError) -> Bool {
        let known = number &+ numberOffset
        switch fault.code {
        case .busy, .full, .stopping:
            lastPostponement = fault.message
            sendLater(number, now)
        case .outOfOrder where !publisher.isEmpty:
            // Only a request that still waits for its answer can be what the broker lacks.
            guard let expected = fault.expected, window.isOpen(expected) else { return false }
            sendLater(number, now)
        case .numberReused where !publisher.isEmpty:
            throw PublishingError(
                .numberReused,
                "the broker has another request under number \(number) of publisher '\(publisher)': another client uses "
                    + "the name, or the outbox is an old copy")
        case .alreadyCommitted:
            backoff.succeed()
            window.answer(number, .alreadyCommitted(number: known))
        default:
            backoff.succeed()
            window.answer(number, .refusal(number: known, fault))
        }
        return true
    }

    /// The first of several refusals in a row says how long to wait; the others follow from it.
    private func sendLater(_ number: UInt64, _ now: Int64) {
        if !window.isRewinding { pausedUntil = now + backoff.fail(&random) }
        window.sendAgain(number)
    }
}
