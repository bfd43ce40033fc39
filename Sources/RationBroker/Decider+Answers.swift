import RationModel
import RationPlanner
import RationStore
import RationWire

/// What publishers are answered, and when.
extension Decider {
    func stored(_ answer: StoredAnswer, for request: PublishRequest) -> Answer {
        Answer(
            address: request.address, name: answer.isRefusal ? Answer.errorName : Answer.acknowledgementName,
            number: request.numberFrame, bodies: [answer.body])
    }

    func storedAnswers(_ bodies: [[UInt8]]) -> [StoredAnswer] {
        zip(requests, bodies).filter { !$0.0.publisher.isEmpty }.map { request, body in
            StoredAnswer(
                publisher: request.publisher, number: request.number, bodyHash: request.bodyHash,
                isRefusal: request.refusal != nil, body: body)
        }
    }

    /// Counts a batch, the oldest that was not yet told, once it is committed.
    /// - Returns: all answers that may be given now: those to requests that had come twice are found in the store.
    mutating func settle(_ telling: borrowing Telling) -> [Answer] {
        numbering.committed(telling.batch)
        counters.add(telling.tally)
        counters.replanBacklog = telling.replanBacklog
        return telling.answers + telling.repeated.map { answer(toRepeated: $0) }
    }

    /// The answers' bodies, one for each request.
    /// - Parameter problems: in the order of the intents.
    func answerBodies(batch number: UInt64, _ problems: [ToldProblem]) -> [[UInt8]] {
        var problem = 0
        return requests.map { request in
            if let refusal = request.refusal { return refusal.body }
            let first = problem
            while problem < problems.count, problems[problem].intent < request.intents.upperBound {
                problem += 1
            }
            let intents = batch.intents
            return batch.bytes.bytes.withUnsafeBytes { bytes in
                let problems = problems[first..<problem].lazy.map { problem in
                    let id = intents[problem.intent].id
                    return AcknowledgementWriter.Problem(
                        index: problem.intent - request.intents.lowerBound,
                        id: UnsafeRawBufferPointer(rebasing: bytes[Int(id.offset)..<Int(id.offset + id.count)]),
                        rejection: problem.rejection, isWarning: problem.warning != nil)
                }
                return writer.body(
                    batch: number, now: decision.now, outcomes: decision.outcomes[request.intents], problems: problems)
            }
        }
    }

    func answers(_ bodies: [[UInt8]]) -> [Answer] {
        zip(requests, bodies).map { request, body in
            Answer(
                address: request.address,
                name: request.refusal == nil ? Answer.acknowledgementName : Answer.errorName,
                number: request.numberFrame, bodies: [body])
        }
    }

    private mutating func answer(toRepeated request: PublishRequest) -> Answer {
        let last = store.lastNumber(of: request.publisher) ?? 0
        switch numbering.repetition(request.number, of: request.publisher, bodyHash: request.bodyHash, last: last) {
        case .again(let answer):
            counters.repetitions += 1
            return stored(answer, for: request)
        case .refuse(let fault):
            counters.refusals += 1
            return Answer(fault, to: request.address, number: request.numberFrame)
        case .take, .later: preconditionFailure("a repetition of \(request.number) is neither kept nor refused")
        }
    }
}
