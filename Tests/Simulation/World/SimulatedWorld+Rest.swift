import RationStore

/// How a run ends: everything is healed, and all that was promised has to come true.
extension SimulatedWorld {
    private static let rounds = 400

    func comeToRest() throws {
        note("heals")
        heal()
        var round = 0
        while try !isAtRest() {
            round += 1
            guard round < Self.rounds else { throw Breach("nothing comes to rest: \(unrest())") }
            try turnAll()
            guard !hasRefused else { return }
        }
        try checkEnd()
        try restart(.kill)
        try restart(.power)
    }

    private func heal() {
        disk.capacity = 1 << 40
        disk.fail()
        disk.spoil(read: 0, zeroes: false, seed: 0)
        disk.arm(.kill, after: 0, seed: 0)
        clock.correct()
        isHealed = true
    }

    private func turnAll() throws {
        clock.advance(400)
        if broker == nil { try start() }
        broker?.acceptClock()
        for publisher in publishers { try publisher.turn(&network, &book, &random) }
        for reader in readers { try reader.turn(&network, &book, &random) }
        for _ in 0..<12 { try receive() }
        try decide()
        try replan()
        while broker?.hasCommits ?? false { try commit() }
        try tell()
        beat()
        disk.runJobs(atMost: 2)
    }

    private func isAtRest() throws -> Bool {
        guard let broker, broker.isIdle, !broker.isReplanning else { return false }
        return publishers.allSatisfy(\.isDrained) && readers.allSatisfy { $0.position == book.lastSequence }
    }

    private func unrest() -> String {
        "broker \(broker == nil ? "down" : "up"), idle \(broker?.isIdle ?? false), publishers drained "
            + "\(publishers.map(\.isDrained)), readers at \(readers.map(\.position)) of \(book.lastSequence)"
    }

    private func checkEnd() throws {
        try book.checkRefused()
        try checkRetention()
        if climate.isCompared {
            try book.compareWithModel(policy: SimulatedPolicies.documents[policy])
            tally.count("compared with the slow model")
        }
        for reader in readers {
            guard reader.output == Array(reader.first..<reader.first + UInt64(reader.output.count)) else {
                throw Breach("a reader has \(reader.output)")
            }
            guard reader.gone == 0 || climate.retentionBytes < 1 << 20 else {
                throw Breach("\(reader.gone) events are gone that had to be kept")
            }
        }
    }

    /// A last crash, with nothing under way: not a batch may be missing.
    private func restart(_ crash: Crash) throws {
        let last = broker?.lastBatch
        try end(crash)
        guard !isDamaged else { return }
        for _ in 0..<8 where broker == nil { try start() }
        guard !hasRefused else { return }
        guard broker?.lastBatch == last else {
            throw Breach(
                "after \(crash) the log ends with batch \(broker?.lastBatch ?? 0), and \(last ?? 0) was committed")
        }
    }
}
