import RationModel
import RationStore
import RationWire

@testable import RationBroker

/// What may happen next.
extension SimulatedWorld {
    func step() throws {
        clock.advance(chance(40) ? Int64(below(600_000)) : Int64(below(40)))
        if broker == nil, chance(4) { return try start() }
        switch below(128) {
        case 0..<12: try publishers[Int(below(3))].submit(&book, &random)
        case 12..<32: try publishers[Int(below(3))].turn(&network, &book, &random)
        case 32..<46: try readers[Int(below(3))].turn(&network, &book, &random)
        case 46..<70: try receive()
        case 70..<82: try decide()
        case 82..<98: try commit()
        case 98..<110: try tell()
        case 110..<113: beat()
        case 113..<115: try writeRecords()
        case 115..<118: try runJobs()
        case 118..<120: try replan()
        case 120..<127: try misfortune()
        default: try takeUpPolicy()
        }
    }

    /// The broker takes a request that has arrived.
    func receive() throws {
        guard let broker, let (request, link) = network.arrival(&random) else { return }
        let answer = try given { try broker.take(request, from: Network.address(link)) }
        note("takes \(Self.word(request)) of \(link.number)")
        if let failure = broker.store.failure { return try end(after: failure) }
        guard self.broker != nil, let answer = answer ?? nil else { return }
        network.send(answer)
    }

    private static func word(_ request: WireRequest) -> String {
        switch request {
        case .hello(let publisher): "hello of '\(publisher)'"
        case .publish(let publisher, let number, let body): "\(number) of '\(publisher)' (\(body.count) bytes)"
        case .read(let number, _): "read \(number)"
        }
    }

    func decide() throws {
        try add(broker?.decide(), "decides")
    }

    func writeRecords() throws {
        try add(broker?.writeRecords(), "writes records with")
    }

    func replan() throws {
        try add(broker?.replan(), "replans in")
    }

    private func add(_ batch: DecidedBatch?, _ word: String) throws {
        guard let batch else { return }
        note("\(word) batch \(batch.number): \(batch.bodies.count) requests, \(batch.events.count) events")
        trace.mix(batch.state)
        tally.count("batches")
        tally.count("requests", batch.bodies.count)
        tally.count("events", batch.events.count)
        try book.decide(batch)
        try checkPlans()
        try checkClock(batch)
    }

    /// The broker commits the oldest batch that waits; and whatever happens then.
    func commit() throws {
        guard let broker, broker.hasCommits else { return }
        try given {
            do {
                try broker.commit { try book.write($0) }
            } catch {
                note("a commit fails: ", "\(error)")
                tally.count("failed commits")
                try tell(broker.tellFailed())
                throw error
            }
        }
        note("commits \(broker.committed)")
    }

    func tell() throws {
        guard let broker else { return }
        let told = try given { broker.tell() }
        if let failure = broker.store.failure { return try end(after: failure) }
        guard let told, self.broker != nil else { return }
        try tell(told)
    }

    private func tell(_ told: (answers: [Answer], rows: [[UInt8]])) throws {
        guard let broker, !told.answers.isEmpty || !told.rows.isEmpty else { return }
        note("tells \(told.answers.count) answers and \(told.rows.count) rows")
        for row in told.rows where !row.isEmpty {
            for event in broker.live(row) { hear(event.sequence, event.payload) }
        }
        for answer in told.answers { network.send(answer) }
    }

    private func hear(_ sequence: UInt64, _ payload: [UInt8]?) {
        for reader in readers where !chance(climate.lostLiveMessages) { reader.hear(sequence, payload) }
    }

    /// How far what was told goes.
    func beat() {
        guard let broker, broker.isIdle else { return }
        hear(broker.store.range.last, nil)
    }

    func runJobs() throws {
        guard broker != nil else { return }
        try given { disk.runJobs(atMost: 1 + Int(below(3))) }
    }

    func takeUpPolicy() throws {
        guard climate.hasPolicies, let broker else { return }
        let next = Int(below(UInt64(SimulatedPolicies.documents.count)))
        guard try given({ try broker.takeUp(policy: next) }) ?? false else { return }
        note("takes up policy \(next)")
        (policy, replannedSlots) = (next, nil)
    }
}
