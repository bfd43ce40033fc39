import RationBus
import RationModel
import RationWire

/// What single messages are answered.
extension DecideLoop {
    /// Takes one message.
    /// - Returns: an answer that can be given at once.
    mutating func handle() -> Answer? {
        let request: IncomingRequest
        do throws(IncomingRequest.Refused) {
            request = try IncomingRequest(message)
        } catch {
            malformed += 1
            return Answer(error.fault, to: error.address, number: error.numberFrame)
        }
        func refused(_ fault: RequestFault) -> Answer {
            Answer(fault, to: request.address, number: request.numberFrame)
        }
        if case .refusing = phase { return refused(RequestFault(.stopping, "the broker stops; send again later")) }
        switch request.name {
        case .publish:
            guard let publisher = PublisherName(request.publisher) else {
                malformed += 1
                return refused(
                    RequestFault(
                        .malformed,
                        "expected a publisher's name of at most \(Limits.publisherBytes) bytes without control "
                            + "characters, or none"))
            }
            guard publisher.isEmpty || request.number > 0 else {
                malformed += 1
                return refused(RequestFault(.malformed, "the numbers of a publisher start at 1"))
            }
            guard !decider.mustWait(request.body) else {
                isHeld = true
                return nil
            }
            return decider.take(
                request.body, number: request.number, of: publisher, numberFrame: request.numberFrame,
                from: request.address, clock: now())
        case .hello:
            return Hello.answer(to: request, reader: &queryReader, store: store, server: server)
        case .read, .log, .plan, .snapshot, .explain, .status, .policy, .clock, .backup, .stop, .devices,
            .forget, .holding:
            let endpoint = request.name.isForAdministrators ? "admin" : "queries"
            return refused(
                RequestFault(.unknown, "'\(request.name.rawValue)' is answered on the \(endpoint) endpoint"))
        }
    }

    /// Answers `plan`, once what it tells is committed.
    mutating func answerPlans() {
        for request in mailbox.takePlans() {
            guard let plan = decider.plan(app: request.app, device: request.device) else {
                let fault = RequestFault(.unknown, "no device '\(request.device)' of the app '\(request.app)' is known")
                queries.post(Answer(fault, to: request.address, number: request.numberFrame))
                continue
            }
            let answer = Answer(
                address: request.address, name: Array(RequestName.plan.frame.utf8), number: request.numberFrame,
                bodies: [plan.body(sequence: decider.lastSequence)])
            say(.answer(answer, .queries))
        }
    }
}
