public import RationModel
internal import RationWire

/// Why a push has no answer.
public enum PushFailure: Hashable, Sendable {
    /// No connection came about.
    case notConnected
    /// It was not sent in time: the server allows fewer streams.
    case notSent
    /// The connection has ended under it, or the stream; the server may have it or not.
    case lost(mayHaveArrived: Bool)
    /// No answer came in time.
    case silent
}

/// What follows where no answer comes.
extension PushSender {
    public mutating func failed(_ ticket: Int, _ failure: PushFailure, now: Instant) -> [PushEffect] {
        guard let lane = landed(ticket), let entry = entries[ticket] else { return [] }
        let place = Self.route(of: entry.push)
        switch failure {
        case .notConnected:
            entries[ticket]?.lastReason = PushReason.noConnection
            routes[place].putFirst(ticket)
            return startAnew(place, lane, now)
        case .notSent:
            routes[place].putFirst(ticket)
            // What else waits was not sent either: as many streams as are left are probably too many, too.
            if lane == routes[place].lane {
                routes[place].window = max(1, min(routes[place].window, routes[place].inFlight))
            }
            return []
        case .lost(let mayHaveArrived):
            return startAnew(place, lane, now) + sendAgain(ticket, place, isLoss: mayHaveArrived, now)
        case .silent:
            return startAnew(place, lane, now) + sendAgain(ticket, place, isLoss: true, now)
        }
    }

    /// The first failure of a lane closes it; each lane that comes to nothing makes the next one wait longer.
    private mutating func startAnew(_ place: Int, _ lane: PushLane, _ now: Instant) -> [PushEffect] {
        guard lane == routes[place].lane else { return [] }
        let wait = min(
            limits.longestConnectionMilliseconds,
            limits.connectionMilliseconds << Int64(min(routes[place].failures, 16)))
        // A connection that has worked is replaced at once.
        let until = routes[place].isProven ? now : now.advanced(by: wait)
        routes[place].pausedUntil = max(routes[place].pausedUntil, until)
        routes[place].failures += 1
        return close(place, lane)
    }

    /// The same push with the same `apns-id`: at least once. After some losses it is put off, so that it holds up nothing.
    private mutating func sendAgain(_ ticket: Int, _ place: Int, isLoss: Bool, _ now: Instant) -> [PushEffect] {
        if isLoss { entries[ticket]?.losses += 1 }
        entries[ticket]?.lastReason = PushReason.noAnswer
        guard let entry = entries[ticket], entry.losses >= limits.losses else {
            routes[place].putFirst(ticket)
            return []
        }
        var push = entry.push
        push.attempts += 1
        let wait = min(
            limits.longestConnectionMilliseconds, limits.connectionMilliseconds << Int64(min(entry.push.attempts, 16)))
        return end(ticket, deferral(push, by: wait, PushReason.noAnswer, now))
    }
}
