internal import RationModel
internal import RationWire

/// How a follower reads the log.
extension EventFollower {
    /// Asks for the next page, or takes it.
    /// - Returns: whether there was an answer.
    func ask(_ tell: (FollowedItem) throws -> Void) throws -> Bool {
        if !queries.isAsking || askedMode != mode { begin() }
        do {
            guard let bodies = try queries.advance() else { return false }
            if soughtInstant != nil {
                let answer = try queries.logAnswer(bodies)
                try hear(tell)
                settle(on: answer)
                return true
            }
            let page = try queries.page(bodies)
            try hear(tell)
            if mode == .locating { try settle(on: page.answer, tell) } else { try take(page, tell) }
        } catch let error as QueryError {
            guard case .refused(let fault) = error.code, fault.code == .cursorAhead, log != nil else {
                throw error
            }
            mode = .locating
        }
        return true
    }

    /// The time where to begin, as long as its position is not known.
    private var soughtInstant: Instant? {
        guard mode == .locating, log == nil, case .since(let instant) = start else { return nil }
        return instant
    }

    private func begin() {
        askedMode = mode
        if let soughtInstant {
            queries.begin(.log, body: LogRequest(at: soughtInstant).body)
            return
        }
        var request = ReadRequest()
        if mode == .locating {
            request.most = 1
            request.mostBytes = 1
        } else {
            request.log = log
            request.after = position
            request.filter = filter
            request.most = options.pageEvents
            request.mostBytes = options.pageBytes
            request.waitMilliseconds = readsOnly ? options.waitMilliseconds : 0
        }
        queries.begin(.read, body: request.body, patience: Int64(request.waitMilliseconds))
    }

    /// Begins with the log that there is: the one to follow, or another than before.
    private func settle(on answer: ReadAnswer, _ tell: (FollowedItem) throws -> Void) throws {
        let beginning = answer.first > 0 ? answer.first - 1 : 0
        if let log, log != answer.log {
            try tell(.logChanged(answer.log))
            position = beginning
        } else if log == nil {
            position = start == .now ? answer.last : beginning
        } else {
            position = min(position, answer.last)
        }
        follow(answer.log, upTo: answer.last)
    }

    private func follow(_ log: String, upTo last: UInt64) {
        self.log = log
        mode = .reading
        endAtStart = endAtStart ?? last
    }

    /// Begins where the time is.
    private func settle(on answer: LogAnswer) {
        position = answer.after ?? answer.last
        follow(answer.log, upTo: answer.last)
    }

    private func take(_ page: QueryClient.Page, _ tell: (FollowedItem) throws -> Void) throws {
        let answer = page.answer
        log = answer.log
        endAtStart = endAtStart ?? answer.last
        if answer.first > position + 1, position < answer.last {
            try tell(.gone(count: answer.first - position - 1))
        }
        // Behind a filter one page at the log's end is the normal case, and no news.
        if answer.next < answer.last || (!readsOnly && position < answer.last) {
            try tell(.catchingUp(behind: answer.last - min(position, answer.last)))
        }
        try page.events.withUnsafeBytes { events in
            try Lines.forEach(in: events) { try tell(.event($0)) }
        }
        position = max(position, answer.next)
        if !readsOnly, answer.next >= answer.last { mode = .live }
    }
}
