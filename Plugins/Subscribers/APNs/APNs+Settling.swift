internal import RationModel
internal import RationSQLite
internal import RationSubscribing
internal import RationWire

/// A notification that is to be pushed, as an event or the table of those that wait has it.
struct Candidate {
    var source: Push.Source
    var app: String
    var device: String
    var id: String
    var content: [UInt8]
    var validUntil: Instant
    var attempts = 0

    init(_ event: ReceivedEvent, log: String) {
        source = Push.Source(log: log, sequence: event.sequence)
        (app, device, id, content) = (event.app, event.device, event.id, event.content)
        validUntil = event.validUntil ?? .distantFuture
    }

    init(_ waiting: APNsTables.Waiting) {
        (source, app, device, id) = (waiting.source, waiting.app, waiting.device, waiting.id)
        (content, validUntil, attempts) = (waiting.content, waiting.validUntil, waiting.attempts)
    }

    var recipient: DevicesRequest.Recipient { DevicesRequest.Recipient(app: app, device: device) }
}

/// How candidates become pushes, and what is stored of what becomes of them.
extension APNs {
    /// What became of candidates, in the order in which it was learned.
    struct Settled {
        var ended: [(Candidate, failure: String?)] = []
        var waiting: [APNsTables.Waiting] = []
        var facts: [(DevicesRequest.Recipient, APNsTables.TokenFact)] = []
    }

    /// One turn sends for so long; what has not ended then is stored to be tried again.
    static let turnMilliseconds: Int64 = 20_000

    /// Sends what the journal does not know as ended.
    func settle(_ candidates: [Candidate], _ journal: EndedJournal, _ tables: APNsTables) throws -> Settled {
        var outcome = Settled()
        var left: [Candidate] = []
        for candidate in candidates {
            if !journal.records.isEmpty, let record = journal.records[candidate.source] {
                outcome.ended.append((candidate, record.failure))
            } else {
                left.append(candidate)
            }
        }
        guard !left.isEmpty, let parts, let exchange else { return outcome }
        let addresses = try addresses(of: left, parts)
        var reader = PushContentReader()
        var pushes: [Push] = []
        var bySource = [Push.Source: Candidate](minimumCapacity: left.count)
        pushes.reserveCapacity(left.count)
        outcome.ended.reserveCapacity(candidates.count)
        for candidate in left {
            bySource[candidate.source] = candidate
            switch try push(candidate, addresses[candidate.recipient] ?? nil, tables, &reader, parts.clock()) {
            case .success(let push): pushes.append(push)
            case .failure(let unsendable):
                outcome.ended.append((candidate, unsendable.reason))
                journal.note(candidate.source, failure: unsendable.reason)
            }
        }
        try exchange.send(
            pushes, limitMilliseconds: Self.turnMilliseconds,
            learn: { effect in self.learn(effect, bySource, journal, &outcome) },
            round: { try journal.flush() })
        countTransport(parts.transport)
        return outcome
    }

    private func addresses(
        of candidates: [Candidate], _ parts: Parts
    ) throws -> [DevicesRequest.Recipient: DeviceAddress?] {
        var order: [DevicesRequest.Recipient] = []
        var seen: Set<DevicesRequest.Recipient> = []
        for candidate in candidates where seen.insert(candidate.recipient).inserted {
            order.append(candidate.recipient)
        }
        let found = try parts.directory.addresses(order)
        return Dictionary(zip(order, found)) { first, _ in first }
    }

    /// Why a candidate makes no push.
    private struct Unsendable: Error {
        var reason: String
    }

    private func push(
        _ candidate: Candidate, _ address: DeviceAddress?, _ tables: APNsTables, _ reader: inout PushContentReader,
        _ now: Instant
    ) throws -> Result<Push, Unsendable> {
        guard let key = configuration.key(ofApp: candidate.app) else {
            return .failure(Unsendable(reason: PushReason.noKey))
        }
        let content: PushContent
        do throws(Rejection) {
            content = try reader.read(candidate.content, at: now)
        } catch {
            return .failure(Unsendable(reason: PushReason.content))
        }
        guard var address = address ?? Self.anywhere(content) else {
            return .failure(Unsendable(reason: PushReason.unknownDevice))
        }
        let fact = try tables.fact(app: candidate.app, device: candidate.device, token: address.token)
        if let since = fact?.deadSince, address.registered.map({ $0 <= since }) ?? true { address.token = "" }
        return .success(
            Push(
                source: candidate.source, app: candidate.app, device: candidate.device, id: candidate.id,
                content: content, validUntil: candidate.validUntil, address: address, key: key,
                attempts: candidate.attempts, hasWorked: fact?.hasWorked ?? false))
    }

    /// A broadcast goes to a channel: its recipient need not have told anything.
    private static func anywhere(_ content: PushContent) -> DeviceAddress? {
        guard content.kind == .broadcast else { return nil }
        return DeviceAddress(token: "", isSandbox: false, delivery: .push, registered: nil)
    }

    private func learn(
        _ effect: PushEffect, _ candidates: [Push.Source: Candidate], _ journal: EndedJournal, _ outcome: inout Settled
    ) {
        switch effect {
        case .ended(let push, let ending):
            guard let candidate = candidates[push.source] else { return }
            note(candidate, ending, journal, &outcome)
        case .tokenWorked(let push):
            outcome.facts.append((push.recipient, fact(push, hasWorked: true, deadSince: nil)))
        case .tokenIsDead(let push, let since):
            outcome.facts.append((push.recipient, fact(push, hasWorked: push.hasWorked, deadSince: since)))
        case .alarm(let alarm): tell(alarm)
        case .connectionClosed: break
        }
    }

    private func note(
        _ candidate: Candidate, _ ending: PushEnding, _ journal: EndedJournal, _ outcome: inout Settled
    ) {
        switch ending {
        case .delivered:
            journal.note(candidate.source, failure: nil)
            outcome.ended.append((candidate, nil))
        case .failed(let reason):
            journal.note(candidate.source, failure: reason)
            outcome.ended.append((candidate, reason))
        case .deferred(let until, let attempts, let reason):
            outcome.waiting.append(
                APNsTables.Waiting(
                    source: candidate.source, app: candidate.app, device: candidate.device, id: candidate.id,
                    content: candidate.content, validUntil: candidate.validUntil, attempts: attempts, notBefore: until,
                    reason: reason))
        }
    }

    private func fact(_ push: Push, hasWorked: Bool, deadSince: Instant?) -> APNsTables.TokenFact {
        APNsTables.TokenFact(hash: APNsTables.hash(push.address.token), hasWorked: hasWorked, deadSince: deadSince)
    }

    /// Stores what became of candidates, inside a transaction.
    /// - Parameter retried: those that have waited till now.
    func write(_ outcome: Settled, into tables: APNsTables, of retried: [Push.Source]) throws {
        for source in retried { try tables.removeWaiting(source) }
        for waiting in outcome.waiting { try tables.put(waiting) }
        for (recipient, fact) in outcome.facts { try tables.put(fact, app: recipient.app, device: recipient.device) }
        for (candidate, failure) in outcome.ended {
            try tables.putFeedback(app: candidate.app, device: candidate.device, id: candidate.id, failure: failure)
        }
        counters.update { counters in
            for (_, failure) in outcome.ended {
                counters.ended[failure.map { "failed/\($0)" } ?? "delivered/none", default: 0] += 1
            }
            for waiting in outcome.waiting { counters.deferred[waiting.reason, default: 0] += 1 }
        }
    }

    private func countTransport(_ transport: any PushSending) {
        guard let transport = transport as? PushTransport else { return }
        counters.update { counters in
            (counters.connections, counters.providerTokens) = (transport.connectionCount, transport.tokenCount)
        }
    }

    private func tell(_ alarm: PushAlarm) {
        let (name, line) = words(alarm)
        counters.update { counters in
            counters.alarms[name, default: 0] += 1
            if case .keyStopped = alarm { counters.stoppedKeys += 1 }
        }
        parts?.tell(line)
    }

    private func words(_ alarm: PushAlarm) -> (name: String, line: String) {
        switch alarm {
        case .keyStopped(let key, let reason):
            (
                "keyStopped",
                "ALARM: the key '\(configuration.keys[key].name)' is stopped: APNs refuses it (\(reason)). Its pushes wait until "
                    + "they are too late. Check the file, the identifiers of key and team, and the clock; then start again"
            )
        case .wrongEnvironment(let app, let device, let isSandbox):
            (
                "wrongEnvironment",
                "ALARM: the token of device '\(device)' of '\(app)' has worked, and is none for the environment "
                    + "\(isSandbox ? "sandbox" : "production"): was the device told with the right one?"
            )
        case .refused(let key, let reason):
            ("refused", "ALARM: APNs refuses pushes with the key '\(configuration.keys[key].name)': \(reason)")
        }
    }
}

extension Push {
    var recipient: DevicesRequest.Recipient { DevicesRequest.Recipient(app: app, device: device) }
}
