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
        try transactionThatMayBeLost {
            for answer in answers { try take(answer, retryMilliseconds, &newTotals, &newBatches) }
        }
        (totals, batches) = (newTotals, newBatches)
    }

    private func take(
        _ answer: PublishingAnswer, _ retryMilliseconds: Int64, _ totals: inout AnswerTotals,
        _ batches: inout [UInt64: UInt64]
    ) throws {
        guard let request = try oldestRequest() else {
            preconditionFailure("an answer to number \(answer.number), and no request waits for one")
        }
        switch answer {
        case .acknowledgement(let committed):
            let acknowledgement = try committed.acknowledgement()
            let failed = Self.count(acknowledgement, &totals)
            if !failed.isEmpty {
                let lines = try lines(of: request) { failed.contains($0) }
                try apply(Self.endings(lines, acknowledgement, request, retryMilliseconds, &totals))
            }
            batches[request] = acknowledgement.batch
            try database.run(
                "INSERT OR REPLACE INTO acknowledgements VALUES (?, ?)",
                [.integer(Int64(bitPattern: request)), .integer(Int64(bitPattern: acknowledgement.batch))])
        case .alreadyCommitted, .unknown:
            totals.told.tell("a request was decided some time ago; what became of it is no longer kept: asking again")
            try raise(.resend)
        case .refusal(_, let fault):
            totals.told.tell("a request was refused: \(fault.code.rawValue): \(fault.message)")
            try distrust(try lines(of: request) { _ in true }, fault.code.rawValue, &totals)
        }
        try database.run("DELETE FROM requests WHERE request = ?", [.integer(Int64(bitPattern: request))])
    }

    private func oldestRequest() throws(SQLiteError) -> UInt64? {
        var found: UInt64?
        try database.run("SELECT request FROM requests ORDER BY request LIMIT 1") { row in
            found = UInt64(bitPattern: row.integer(0))
        }
        return found
    }

    private func lines(of request: UInt64, where isWanted: (Int) -> Bool) throws(SQLiteError) -> [RequestLines.Names] {
        var body: [UInt8] = []
        try database.run("SELECT body FROM requests WHERE request = ?", [.integer(Int64(bitPattern: request))]) { row in
            body = row.blob(0)
        }
        var lines = RequestLines()
        return lines.names(in: body, where: isWanted)
    }

    /// None of a request's lines was applied, and what they stood for is no longer known.
    private func distrust(_ lines: [RequestLines.Names], _ code: String, _ totals: inout AnswerTotals) throws {
        for line in lines {
            totals.rejected[code, default: 0] += 1
            try database.run(
                "UPDATE recipients SET doubt = max(doubt, ?) WHERE app = ? AND device = ?",
                [.integer(Doubt.anew.rawValue), .text(line.app), .text(line.device)])
        }
    }

    /// Counts what became of the lines.
    /// - Returns: the places of those that left nothing pending.
    private static func count(_ acknowledgement: Acknowledgement, _ totals: inout AnswerTotals) -> Set<Int> {
        var failed: Set<Int> = []
        for (index, letter) in acknowledgement.outcomes.utf8.enumerated() {
            switch Outcome(rawValue: letter) {
            case .held, .queued, .unchanged: totals.scheduled += 1
            case .expired, .evicted:
                totals.scheduled += 1
                failed.insert(index)
            case .rejected: failed.insert(index)
            case .cancelled: totals.cancelled += 1
            case .notFound, .done, nil: break
            }
        }
        for problem in acknowledgement.problems where problem.level != "error" {
            totals.told.tell("\(problem.level): \(problem.id ?? ""): \(problem.code): \(problem.message)")
        }
        return failed
    }

    private static func endings(
        _ lines: [RequestLines.Names], _ acknowledgement: Acknowledgement, _ request: UInt64,
        _ retryMilliseconds: Int64,
        _ totals: inout AnswerTotals
    ) -> [Ending] {
        let outcomes = Array(acknowledgement.outcomes.utf8).map { Outcome(rawValue: $0) }
        let errors = acknowledgement.problems.filter { $0.level == "error" }.map { ($0.index, $0) }
        let problems = Dictionary(errors, uniquingKeysWith: { first, _ in first })
        let until = acknowledgement.now.advanced(by: retryMilliseconds)
        return lines.map { line in
            let isRejection = outcomes[line.index] == .rejected
            var standing = PublishedNotification.Standing.refused(until: until)
            if outcomes[line.index] == .expired { standing = .ended }
            if isRejection {
                let code = problems[line.index]?.code ?? "untold"
                totals.rejected[code, default: 0] += 1
                // A time on the device's clock is offered until it has come everywhere: most clocks are past it before.
                if code != Rejection.Code.triggerNever.rawValue {
                    totals.told.tell(
                        "\(line.id) of \(line.app)/\(line.device): \(code): "
                            + (problems[line.index]?.message ?? "the acknowledgement had no room for the reason"))
                }
                if isForGood(code) { standing = .ended }
            }
            return Ending(
                app: line.app, device: line.device, id: line.id, standing: standing, subject: .request(request),
                isRejection: isRejection)
        }
    }

    /// Whether the same line would be rejected at any later time as well. A time that is past on the device's clock is not
    /// when the device goes west.
    private static func isForGood(_ code: String) -> Bool {
        code == Rejection.Code.triggerPast.rawValue
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
