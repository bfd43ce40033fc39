import RationStore

/// What goes wrong, and how a broker comes back.
extension SimulatedWorld {
    func misfortune() throws {
        switch below(16) {
        case 0, 1: if let link = network.links.randomElement(using: &random) { network.lose(link, &random) }
        case 2:
            note("a publisher dies")
            try publishers[Int(below(3))].die(&random)
        case 3:
            note("a reader dies")
            readers[Int(below(3))].die(&random)
        case 4, 5: if broker != nil { try end(crash()) }
        case 6, 7, 8: armCrash(within: 40)
        case 9, 10, 11: failDisk()
        case 12: if climate.hasSpoiltReads { spoilRead(within: 30) }
        case 13: if climate.hasClockJumps { jump() }
        case 14: if climate.hasLittleRoom { changeRoom() }
        default: if climate.hasClockJumps { acceptClock() }
        }
    }

    private func crash() -> Crash {
        guard climate.hasPowerFailures else { return .kill }
        return Crash.allCases[Int(below(3))]
    }

    private func armCrash(within operations: UInt64) {
        let (crash, place) = (crash(), 1 + below(operations))
        note("arms \(crash) in \(place) changes")
        disk.arm(crash, after: place, seed: random.next())
    }

    private func failDisk() {
        guard climate.hasFailingDisk else { return }
        let (isSync, place) = (chance(2), 1 + below(12))
        note("lets the disk fail: \(isSync ? "sync" : "append") \(place)")
        if isSync { disk.fail(sync: place) } else { disk.fail(append: place) }
        mayFail = true
    }

    private func spoilRead(within reads: UInt64) {
        let place = 1 + below(reads)
        note("spoils read \(place)")
        disk.spoil(read: place, zeroes: chance(2), seed: random.next())
        mayFail = true
    }

    private func changeRoom() {
        let free = below(400_000)
        note("leaves \(free) bytes free")
        disk.capacity = disk.usedBytes + free
        mayFail = true
    }

    private func jump() {
        let forward = chance(2)
        let milliseconds = Int64(below(100_000_000))
        note("the wall clock jumps \(forward ? milliseconds : -milliseconds) ms")
        clock.jump(forward ? milliseconds : -milliseconds)
    }

    private func acceptClock() {
        guard let broker else { return }
        note("the wall clock is accepted")
        broker.acceptClock()
        hasJumped = hasJumped || clock.aheadMilliseconds > 0
    }

    /// Calls what touches the disk.
    /// - Returns: nil when the process has ended in it.
    @discardableResult
    func given<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            let result = try body()
            if disk.hasCrashed { try end(.kill) }
            return isEnded ? nil : result
        } catch let error as StoreError {
            if disk.hasCrashed { try end(.kill) } else { try end(after: error) }
        } catch let error as UnreadableEvents {
            note("is told: ", error.message)
            guard mayFail || isDamaged else { throw Breach("a reader is told '\(error.message)'") }
            hasRefused = hasRefused || isDamaged
        }
        return nil
    }

    /// The process ends as it finds that its store has failed.
    func end(after error: any Error) throws {
        note("ends: ", "\(error)")
        tally.count("ends by fault")
        guard mayFail || isDamaged else { throw Breach("the broker ends without a cause: \(error)") }
        if isDamaged { hasRefused = true }
        try end(.kill)
    }

    /// The process ends. If a crash was armed and has come, it was that one, at its moment.
    func end(_ crash: Crash) throws {
        note("\(crash) after \(disk.operations) changes")
        tally.count(disk.hasCrashed ? "crashes in a change" : "crashes by \(crash)")
        isEnded = true
        broker = nil
        network.loseAll(&random)
        trace.mix(disk.traceHash)
        let isKill = crash == .kill && !disk.hasCrashed
        disk = disk.after(crash, seed: random.next())
        mayFail = disk.capacity < 1 << 40
        plant()
        if isKill, climate.hasDamage, !isDamaged, !isHealed, chance(3) { damage() }
    }

    /// Damages a file of the store.
    private func damage() {
        let folder = SimulatedBroker.folder
        var paths = disk.paths(in: folder) + disk.paths(in: folder + "/rocksdb")
        if chance(2) { paths = paths.filter { $0.hasSuffix(".log") } }
        guard let path = paths.randomElement(using: &random), let size = disk.size(of: path), size > 0 else { return }
        let place = below(size)
        let kind = below(3)
        note("damages \(path) of \(size) bytes at \(place), kind \(kind)")
        switch kind {
        case 0: disk.flip(path, at: place)
        case 1: disk.zero(path, at: place, count: 1 + below(2_000))
        default: disk.truncate(path, to: place)
        }
        isDamaged = true
        tally.count("damaged files")
    }

    func start() throws {
        if !isHealed, chance(4) { armCrash(within: 120) }
        if !isHealed, climate.hasSpoiltReads, chance(6) { spoilRead(within: 60) }
        note("starts")
        isEnded = false
        starts += 1
        let started = try given {
            try SimulatedBroker(
                disk, settings, clock, policy: policy, wakeLimit: climate.isCompared ? .max : 2, fault)
        }
        guard let started, !isEnded else { return }
        tally.count("starts")
        note("has started: batch \(started.lastBatch)")
        if started.lastBatch < book.batches.count { tally.count("starts without the last batch") }
        try book.restart(at: started.lastBatch)
        if let last = book.batches.last, started.stateHash() != last.state {
            throw Breach("a start makes another state than batch \(last.number) has left")
        }
        broker = started
        network.isBrokerUp = true
        replannedSlots = nil
        hasJumped = hasJumped || clock.aheadMilliseconds > 0
        try checkPlans()
    }
}
