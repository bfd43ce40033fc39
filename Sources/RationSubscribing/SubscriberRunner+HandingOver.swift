internal import RationModel
internal import RationPluginKit
internal import RationSQLite

/// How a runner hands over what it has in hand.
extension SubscriberRunner {
    /// Hands over as many events as may be at once, and moves the cursor; or takes note of a failure.
    func handOver() throws {
        guard let page = hand, let cursor = file.cursor else { return }
        var events = page.chunk(trying.limit)
        do {
            try noteStart(page)
            if let first = events.first, first.sequence <= file.deaths.carefulUntil {
                events = page.chunk(1)
                if try isDeadly(first) {
                    let error = "\(file.deaths.suspectStarts) processes have ended while they handled it"
                    try setAside(page, cursor, error: error)
                    return
                }
            }
            try commit(events, of: page, cursor)
        } catch {
            (plugin as? any StoringSubscriber)?.forget()
            try failed(events, of: page, cursor, error)
        }
    }

    private func commit(_ events: ArraySlice<ReceivedEvent>, of page: PageInHand, _ cursor: SubscriberFile.Cursor)
        throws
    {
        let handed = EventPage(log: cursor.log, events: events)
        if !events.isEmpty, let committing = plugin as? any CommittingSubscriber { try committing.handle(handed) }
        let next = self.next(cursor, events, of: page)
        let isLast = page.done + events.count == page.events.count
        let unread = isLast ? page.unread.map { aside($0.sequence, $0.bytes, $0.message) } : []
        try file.commit(next, deaths: progress(to: next.position), setAside: unread) {
            guard !events.isEmpty, let storing = plugin as? any StoringSubscriber else { return }
            try storing.store(handed, in: file.database)
        }
        for event in unread { tell(.setAside(event.sequence, error: event.error)) }
        if trying.isUnavailable { tell(.available) }
        trying.isUnavailable = false
        trying.succeed()
        finish(events.count, of: page, setAside: unread.count)
    }

    /// The cursor behind these events.
    private func next(
        _ cursor: SubscriberFile.Cursor, _ events: ArraySlice<ReceivedEvent>, of page: PageInHand
    ) -> SubscriberFile.Cursor {
        var next = cursor
        next.position = page.position(behind: events.count)
        next.events += UInt64(events.count)
        if page.done == 0 { next.gone += page.gone }
        if let last = events.last { next.time = last.time.milliseconds }
        return next
    }

    /// What is known about deaths once the cursor has moved.
    private func progress(to position: UInt64) -> SubscriberFile.Deaths {
        var deaths = SubscriberFile.Deaths()
        if position < file.deaths.carefulUntil { deaths.carefulUntil = file.deaths.carefulUntil }
        return deaths
    }

    private func finish(_ count: Int, of page: PageInHand, setAside: Int) {
        var page = page
        page.finish(count)
        // The unread are stored with the last event, so that one more turn has nothing to do.
        hand = page.isDone ? nil : page
        board.update { [file] status in
            status.show(file)
            status.setAside += UInt64(setAside)
            status.isUnavailable = false
            status.nextTime = page.isDone ? nil : page.events[page.done].time.milliseconds
        }
    }

    private func aside(_ sequence: UInt64, _ bytes: [UInt8], _ error: String) -> SubscriberFile.SetAside {
        SubscriberFile.SetAside(sequence: sequence, bytes: bytes, error: error, at: wallClock())
    }

    /// Moves the cursor beyond the next event without handing it over.
    private func setAside(_ page: PageInHand, _ cursor: SubscriberFile.Cursor, error: String) throws {
        let event = page.events[page.done]
        var next = self.next(cursor, page.chunk(1), of: page)
        next.events = cursor.events
        let isLast = page.done + 1 == page.events.count
        let unread = isLast ? page.unread.map { aside($0.sequence, $0.bytes, $0.message) } : []
        let set = [aside(event.sequence, page.nextBytes, error)] + unread
        try file.commit(next, deaths: progress(to: next.position), setAside: set)
        for event in set { tell(.setAside(event.sequence, error: event.error)) }
        finish(1, of: page, setAside: set.count)
    }

    private func failed(
        _ events: ArraySlice<ReceivedEvent>, of page: PageInHand, _ cursor: SubscriberFile.Cursor, _ error: any Error
    ) throws {
        if Self.isOfTheMachine(error) || events.isEmpty {
            if !trying.isUnavailable { tell(.unavailable("\(error)")) }
            trying.isUnavailable = true
            board.update { $0.isUnavailable = true }
            return rest()
        }
        board.update { $0.retries += 1 }
        let first = events.first?.sequence ?? 0
        switch trying.fail(events.count, tries: options.tries) {
        case .again:
            tell(
                .retrying(
                    first: first, events: events.count, try: trying.failures, of: options.tries, error: "\(error)"))
            rest()
        case .halved: break
        case .setAside:
            do {
                try setAside(page, cursor, error: "\(error)")
            } catch {
                // The file does not take even that: the event is tried once more, later.
                tell(.unavailable("\(error)"))
                trying.isUnavailable = true
                rest()
            }
        }
    }

    /// Whether an error says nothing about the events: what is needed is away, or the file is locked, full or unreadable
    /// (sqlite.org/rescode.html: NOMEM, READONLY, IOERR, FULL, CANTOPEN).
    private static func isOfTheMachine(_ error: any Error) -> Bool {
        if error is SubscriberUnavailable { return true }
        guard let error = error as? SQLiteError else { return false }
        guard case .result(let result) = error.code else { return error.isRetryable }
        return [7, 8, 10, 13, 14].contains(result & 0xFF)
    }
}

/// How a runner finds an event that ends the process.
extension SubscriberRunner {
    /// Counts this process before its first event is handed over. After some that have made no progress, events are
    /// handed over one by one up to the end of what they had in hand.
    private func noteStart(_ page: PageInHand) throws {
        guard !isStartCounted, let last = page.events.last else { return }
        var deaths = file.deaths
        if let working = plugin as? any WorkingSubscriber, working.hasAdvanced { deaths = SubscriberFile.Deaths() }
        deaths.starts += 1
        if deaths.starts > options.startsBeforeSingles, deaths.carefulUntil == 0 {
            deaths.carefulUntil = last.sequence
            tell(.careful(until: last.sequence, starts: deaths.starts - 1))
        }
        try file.store(deaths)
        isStartCounted = true
    }

    /// Takes note that this event is handed over alone.
    /// - Returns: whether that has ended so many processes that it is not handed over any more.
    private func isDeadly(_ event: ReceivedEvent) throws -> Bool {
        guard notedSuspect != event.sequence else { return false }
        var deaths = file.deaths
        if deaths.suspect == event.sequence {
            if deaths.suspectStarts >= Int64(options.tries) { return true }
            deaths.suspectStarts += 1
        } else {
            (deaths.suspect, deaths.suspectStarts) = (event.sequence, 1)
        }
        try file.store(deaths)
        notedSuspect = event.sequence
        return false
    }
}
