public import RationModel
internal import RationWire

/// What follows from an answer.
extension PushSender {
    /// Takes the answer to a push that is under way.
    public mutating func answered(_ ticket: Int, _ answer: PushAnswer, now: Instant) -> [PushEffect] {
        guard let lane = landed(ticket), let entry = entries[ticket] else { return [] }
        let place = Self.route(of: entry.push)
        let meaning = answer.meaning
        if meaning != .delivered { entries[ticket]?.lastReason = answer.shownReason }
        if routes[place].lane == lane { prove(place, meaning, now) }
        switch meaning {
        case .delivered: return delivered(ticket, entry.push)
        case .tokenIsGone: return tokenIsGone(ticket, entry.push, answer, now)
        case .tokenIsBad: return tokenIsBad(ticket, entry.push, now)
        case .providerTokenExpired: return providerTokenExpired(ticket, entry, lane, answer, now)
        case .keyRefused: return keyRefused(ticket, entry, lane, answer, now)
        case .tooManyProviderTokens:
            return pause(place, for: ProviderTokenState.shortestMilliseconds, now)
                + putOff(ticket, by: ProviderTokenState.shortestMilliseconds, answer, now)
        case .deviceIsBusy: return deviceIsBusy(ticket, entry.push, answer, now)
        case .serverFailed, .serviceIsAway: return serverFailed(ticket, entry.push, place, lane, answer, now)
        case .connectionIsStale:
            routes[place].putFirst(ticket)
            return close(place, lane)
        case .refused: return refused(ticket, entry.push, answer)
        }
    }

    /// A connection that answers may carry more than one stream.
    private mutating func prove(_ place: Int, _ meaning: PushAnswer.Meaning, _ now: Instant) {
        routes[place].lastAnswer = now
        routes[place].failures = 0
        if meaning != .serverFailed { routes[place].serverFailures = 0 }
        switch meaning {
        case .providerTokenExpired, .keyRefused, .tooManyProviderTokens: break
        default: routes[place].isProven = true
        }
        routes[place].window = min(limits.streams, routes[place].window + 1)
    }

    private mutating func delivered(_ ticket: Int, _ push: Push) -> [PushEffect] {
        keys[push.key].isDoubted = false
        let learned: [PushEffect] =
            push.hasWorked || push.content.kind == .broadcast ? [] : [.tokenWorked(push)]
        return learned + end(ticket, .delivered)
    }

    /// A token that was told again since it was found dead is alive.
    private mutating func tokenIsGone(
        _ ticket: Int, _ push: Push, _ answer: PushAnswer, _ now: Instant
    ) -> [PushEffect] {
        let since = answer.timestamp ?? now
        let isOld = push.address.registered.map { $0 >= since } ?? false
        let learned: [PushEffect] = isOld ? [] : [.tokenIsDead(push, since: since)]
        return learned + end(ticket, .failed(reason: answer.shownReason))
    }

    private mutating func tokenIsBad(_ ticket: Int, _ push: Push, _ now: Instant) -> [PushEffect] {
        let learned: PushEffect =
            push.hasWorked
            ? .alarm(.wrongEnvironment(app: push.app, device: push.device, isSandbox: push.address.isSandbox))
            : .tokenIsDead(push, since: now)
        return [learned] + end(ticket, .failed(reason: "BadDeviceToken"))
    }

    /// One new token, on a new connection. What is still answered to older ones goes again with the one that there is now.
    private mutating func providerTokenExpired(
        _ ticket: Int, _ entry: Entry, _ lane: PushLane, _ answer: PushAnswer, _ now: Instant
    ) -> [PushEffect] {
        let key = entry.push.key
        if let reason = keys[key].stopped { return putOff(ticket, reason, now) }
        let isOlder = entry.tokenGeneration < keys[key].token.generation
        guard isOlder || keys[key].token.replaceExpired(now) else {
            return stop(key, answer, now) + putOff(ticket, answer.shownReason, now)
        }
        let place = Self.route(of: entry.push)
        routes[place].putFirst(ticket)
        return close(place, lane)
    }

    /// One more try, on a new connection: an earlier one may belong to another team.
    private mutating func keyRefused(
        _ ticket: Int, _ entry: Entry, _ lane: PushLane, _ answer: PushAnswer, _ now: Instant
    ) -> [PushEffect] {
        let key = entry.push.key
        if let reason = keys[key].stopped { return putOff(ticket, reason, now) }
        let place = Self.route(of: entry.push)
        guard lane == routes[place].lane else {
            routes[place].putFirst(ticket)
            return []
        }
        guard !keys[key].isDoubted else { return stop(key, answer, now) + putOff(ticket, answer.shownReason, now) }
        keys[key].isDoubted = true
        routes[place].putFirst(ticket)
        return close(place, lane)
    }

    /// Stops a key: what waits for it is put off, and a person is told.
    private mutating func stop(_ key: Int, _ answer: PushAnswer, _ now: Instant) -> [PushEffect] {
        keys[key].stopped = answer.shownReason
        var effects: [PushEffect] = [.alarm(.keyStopped(key: key, reason: answer.shownReason))]
        for place in [key * 2, key * 2 + 1] {
            while let waiting = routes[place].takeFirst() { effects += putOff(waiting, answer.shownReason, now) }
        }
        return effects
    }

    private mutating func putOff(_ ticket: Int, _ reason: String, _ now: Instant) -> [PushEffect] {
        guard let push = entries[ticket]?.push else { return [] }
        return end(ticket, deferral(push, by: limits.serverMilliseconds, reason, now))
    }

    /// Puts off a push that was answered so.
    private mutating func putOff(
        _ ticket: Int, by milliseconds: Int64, _ answer: PushAnswer, _ now: Instant
    ) -> [PushEffect] {
        entries[ticket]?.push.attempts += 1
        guard let push = entries[ticket]?.push else { return [] }
        return end(ticket, deferral(push, by: milliseconds, answer.shownReason, now))
    }

    private mutating func deviceIsBusy(
        _ ticket: Int, _ push: Push, _ answer: PushAnswer, _ now: Instant
    ) -> [PushEffect] {
        let wait = Self.wait(
            answer, push.attempts, from: limits.deviceMilliseconds, to: limits.longestDeviceMilliseconds)
        if busy.count >= limits.busyDevices { busy = busy.filter { $0.value > now } }
        busy[push.recipient] = now.advanced(by: wait)
        return putOff(ticket, by: wait, answer, now)
    }

    /// The push waits; all that goes there waits if the service says that it is away, or fails again and again.
    private mutating func serverFailed(
        _ ticket: Int, _ push: Push, _ place: Int, _ lane: PushLane, _ answer: PushAnswer, _ now: Instant
    ) -> [PushEffect] {
        let wait = Self.wait(
            answer, push.attempts, from: limits.serverMilliseconds, to: limits.longestServerMilliseconds)
        var effects = putOff(ticket, by: wait, answer, now)
        if answer.meaning == .serviceIsAway { return effects + pause(place, for: wait, now) }
        routes[place].serverFailures += 1
        if answer.reason == "Shutdown" { effects += close(place, lane) }
        guard routes[place].serverFailures >= limits.serverFailures else { return effects }
        routes[place].serverFailures = 0
        return effects + pause(place, for: wait, now)
    }

    /// What the server asks for, else twice as long after each try.
    private static func wait(_ answer: PushAnswer, _ attempts: Int, from first: Int64, to most: Int64) -> Int64 {
        if let seconds = answer.retryAfterSeconds, seconds > 0 { return min(seconds, 86_400) * 1_000 }
        return min(most, first << Int64(min(attempts, 16)))
    }

    /// Sends nothing more on a route for a while; what waits for it is put off if that is long.
    private mutating func pause(_ place: Int, for milliseconds: Int64, _ now: Instant) -> [PushEffect] {
        let until = now.advanced(by: milliseconds)
        routes[place].pausedUntil = max(routes[place].pausedUntil, until)
        routes[place].isProven = false
        guard milliseconds > limits.patienceMilliseconds else { return [] }
        var effects: [PushEffect] = []
        while let waiting = routes[place].takeFirst() {
            guard let entry = entries[waiting] else { continue }
            let reason = entry.lastReason ?? "ServiceUnavailable"
            effects += end(waiting, deferral(entry.push, by: milliseconds, reason, now))
        }
        return effects
    }

    /// Nothing more goes out on a lane; the next one begins with one stream.
    mutating func close(_ place: Int, _ lane: PushLane) -> [PushEffect] {
        guard routes[place].lane == lane else { return [] }
        routes[place].lane.number += 1
        routes[place].isProven = false
        routes[place].inFlight = 0
        return [.connectionClosed(lane)]
    }

    private mutating func refused(_ ticket: Int, _ push: Push, _ answer: PushAnswer) -> [PushEffect] {
        let isOfSettings = [
            "Forbidden", "TopicDisallowed", "BadTopic", "MissingTopic", "BadPath", "MethodNotAllowed",
            "DeviceTokenNotForTopic",
        ].contains(answer.reason)
        let alarm: [PushEffect] =
            isOfSettings && keys[push.key].told.insert(answer.reason).inserted
            ? [.alarm(.refused(key: push.key, reason: answer.reason))] : []
        return alarm + end(ticket, .failed(reason: answer.shownReason))
    }
}
