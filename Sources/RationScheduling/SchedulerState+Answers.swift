internal import RationBus
internal import RationJSON
internal import RationModel
internal import RationSQLite
internal import RationWire

extension SchedulerState {
    /// Takes answers in the order of their requests: forgets these and takes note of what the broker has not taken, in one
    /// transaction.
    func take(_ answers: [PublishingAnswer], retryMilliseconds: Int64, _ totals: inout AnswerTotals) throws {
        guard !answers.isEmpty else { return }
        var (newTotals, newBatches) = (totals, batches)
        try database.transaction {
            for answer in answers { try take(answer, retryMilliseconds, &newTotals, &newBatches) }
        }
        (totals, batches) = (newTotals, newBatches)
    }

    private func take(
        _ answer: PublishingAnswer, _ retryMilliseconds: Int64, _ totals: inout AnswerTotals,
        _ batches: inout [UInt64: UInt64]
    ) throws {
        guard let (request, body) = try oldestRequest() else {
            preconditionFailure("an answer to number \(answer.number), and no request waits for one")
        }
        switch answer {
        case .acknowledgement(let committed):
            let acknowledgement = try committed.acknowledgement()
            try apply(Self.endings(of: acknowledgement, request, body, retryMilliseconds, &totals))
            batches[request] = acknowledgement.batch
            try database.run(
                "INSERT OR REPLACE INTO acknowledgements VALUES (?, ?)",
                [.integer(Int64(bitPattern: request)), .integer(Int64(bitPattern: acknowledgement.batch))])
        case .alreadyCommitted, .unknown:
            totals.told.tell("a request was decided some time ago; what became of it is no longer kept: asking again")
            try raise(.resend)
        case .refusal(_, let fault):
            totals.told.tell("a request was refused: \(fault.code.rawValue): \(fault.message)")
            try distrust(recipientsOf: body, fault.code.rawValue, &totals)
        }
        try database.run("DELETE FROM requests WHERE request = ?", [.integer(Int64(bitPattern: request))])
    }

    private func oldestRequest() throws(SQLiteError) -> (request: UInt64, body: [UInt8])? {
        var found: (UInt64, [UInt8])?
        try database.run("SELECT request, body FROM requests ORDER BY request LIMIT 1") { row in
            found = (UInt64(bitPattern: row.integer(0)), row.blob(1))
        }
        return found
    }

    /// None of a request's lines was applied, and what they stood for is no longer known.
    private func distrust(recipientsOf body: [UInt8], _ code: String, _ totals: inout AnswerTotals) throws {
        var lines = RequestLines()
        for line in lines.names(in: body, where: { _ in true }) {
            totals.rejected[code, default: 0] += 1
            try database.run(
                "UPDATE recipients SET doubt = max(doubt, ?) WHERE app = ? AND device = ?",
                [.integer(Doubt.anew.rawValue), .text(line.app), .text(line.device)])
        }
    }

    /// What the broker did not take, and the counts of what it did.
    private static func endings(
        of acknowledgement: Acknowledgement, _ request: UInt64, _ body: [UInt8], _ retryMilliseconds: Int64,
        _ totals: inout AnswerTotals
    ) -> [Ending] {
        let outcomes = Array(acknowledgement.outcomes.utf8).map { Outcome(rawValue: $0) }
        let problems = Dictionary(
            acknowledgement.problems.filter { $0.level == "error" }.map { ($0.index, $0) },
            uniquingKeysWith: { first, _ in first })
        for problem in acknowledgement.problems where problem.level != "error" {
            totals.told.tell("\(problem.level): \(problem.id ?? ""): \(problem.code): \(problem.message)")
        }
        for outcome in outcomes {
            switch outcome {
            case .held, .queued, .unchanged, .expired, .evicted: totals.scheduled += 1
            case .cancelled: totals.cancelled += 1
            case .notFound, .done, .rejected, nil: break
            }
        }
        let until = acknowledgement.now.advanced(by: retryMilliseconds)
        var lines = RequestLines()
        let failed = lines.names(in: body) { index in
            guard outcomes.indices.contains(index) else { return false }
            return [.rejected, .expired, .evicted].contains(outcomes[index])
        }
        return failed.compactMap { line in
            var standing = PublishedNotification.Standing.refused(until: until)
            if outcomes[line.index] == .expired { standing = .ended }
            if outcomes[line.index] == .rejected {
                let code = problems[line.index]?.code ?? "untold"
                totals.rejected[code, default: 0] += 1
                totals.told.tell(
                    "\(line.id) of \(line.app)/\(line.device): \(code): \(problems[line.index]?.message ?? "no room to say")"
                )
                if Self.isForGood(code) { standing = .ended }
            }
            return Ending(
                app: line.app, device: line.device, id: line.id, standing: standing, subject: .request(request),
                isRejection: outcomes[line.index] == .rejected)
        }
    }

    /// Whether the same line would be rejected at any later time as well.
    private static func isForGood(_ code: String) -> Bool {
        code == Rejection.Code.triggerPast.rawValue || code == Rejection.Code.triggerNever.rawValue
    }
}

/// Reads back what lines of a request name: of those only that the broker did not take.
struct RequestLines: ~Copyable {
    struct Names {
        var index: Int
        var app: String
        var device: String
        /// Empty for a line that names no id.
        var id: String
    }

    private var parser = JSONParser()

    mutating func names(in body: [UInt8], where isWanted: (Int) -> Bool) -> [Names] {
        var (found, index): ([Names], Int) = ([], 0)
        body.withUnsafeBytes { bytes in
            Lines.forEach(in: bytes) { line in
                defer { index += 1 }
                // A line that cannot be read back names nobody: the broker's word about it is told all the same.
                guard isWanted(index), let value = try? parser.parse(line, isPadded: false) else { return }
                found.append(
                    Names(
                        index: index, app: value["app"]?.text ?? "", device: value["device"]?.text ?? "",
                        id: value["id"]?.text ?? ""))
            }
        }
        return found
    }
}
