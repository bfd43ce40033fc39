internal import RationModel
internal import RationRocksDB

/// Opens a store's database and checks what it finds (store.md: "a log that ends before it is damaged").
struct StoreOpening {
    let database: RocksDatabase
    private let folder: StoreFolder
    private let settings: StoreSettings
    /// Nil in a store that is being made.
    private let acknowledged: Acknowledged?

    init(_ folder: StoreFolder, _ settings: StoreSettings, _ space: FreeSpace) throws(StoreError) {
        self.folder = folder
        self.settings = settings
        acknowledged = try AcknowledgedFile.read(folder.acknowledged, on: folder.disk)
        if let acknowledged { try acknowledged.manifest.check(in: folder.database, on: folder.disk) }
        try space.releaseBallastIfNeeded()
        do throws(RocksError) {
            database = try Self.open(folder, settings, isNew: acknowledged == nil, space)
        } catch {
            let explained = Self.explained(error, acknowledged)
            guard error.code == .corruption else { throw explained }
            do {
                database = try Self.openTorn(folder, settings, acknowledged, space)
            } catch {
                // More than the last write is damaged.
                throw explained
            }
        }
    }

    /// Opens a store that is there only to read it.
    init(reading folder: StoreFolder, _ settings: StoreSettings) throws(StoreError) {
        guard let acknowledged = try AcknowledgedFile.read(folder.acknowledged, on: folder.disk) else {
            throw StoreError(.damaged, path: folder.acknowledged, "it is missing")
        }
        try acknowledged.manifest.check(in: folder.database, on: folder.disk)
        do throws(RocksError) {
            self.init(try Self.look(folder, settings, .strict), folder, settings, acknowledged)
        } catch {
            let explained = Self.explained(error, acknowledged)
            guard error.code == .corruption else { throw explained }
            do {
                self = try Self.lookTorn(folder, settings, acknowledged)
            } catch {
                throw explained
            }
        }
    }

    private init(
        _ database: RocksDatabase, _ folder: StoreFolder, _ settings: StoreSettings, _ acknowledged: Acknowledged?
    ) {
        (self.database, self.folder, self.settings, self.acknowledged) = (database, folder, settings, acknowledged)
    }

    private static func options(_ folder: StoreFolder, _ settings: StoreSettings) -> RocksOptions {
        var options = RocksOptions()
        options.memtableBytes = settings.memtableBytes * 3
        options.logBytes = settings.logBytes
        options.environment = folder.disk.environment
        return options
    }

    private static func open(
        _ folder: StoreFolder, _ settings: StoreSettings, isNew: Bool, _ space: FreeSpace,
        _ recovery: RocksOptions.Recovery = .strict
    ) throws(RocksError) -> RocksDatabase {
        var options = options(folder, settings)
        // A database whose beginning is lost must not be taken for a new one.
        options.createsIfMissing = isNew
        options.recovery = recovery
        let families = StoreFamily.allCases.map { $0.family(settings) }
        do throws(RocksError) {
            return try RocksDatabase(folder: folder.database, options, families: families)
        } catch {
            guard error.code == .noSpace, space.releaseBallast() else { throw error }
            return try RocksDatabase(folder: folder.database, options, families: families)
        }
    }

    private static func look(
        _ folder: StoreFolder, _ settings: StoreSettings, _ recovery: RocksOptions.Recovery
    ) throws(RocksError) -> RocksDatabase {
        var options = options(folder, settings)
        options.isReadOnly = true
        options.recovery = recovery
        return try RocksDatabase(
            folder: folder.database, options, families: StoreFamily.allCases.map { $0.family(settings) })
    }

    /// Looks at a database whose last write was interrupted by a power failure, and came to the disk in part and out of order.
    /// RocksDB tells that from damage only where no more than the end is missing. Here the chain tells: it has to be whole
    /// without that record, up to what was acknowledged.
    /// - Throws: when it is not so.
    private static func lookTorn(
        _ folder: StoreFolder, _ settings: StoreSettings, _ acknowledged: Acknowledged?
    ) throws -> StoreOpening {
        let looked = StoreOpening(try look(folder, settings, .skippingDamage), folder, settings, acknowledged)
        try looked.check(try looked.lastLink())
        return looked
    }

    /// Opens such a database, which has been looked at before anything in it is changed.
    private static func openTorn(
        _ folder: StoreFolder, _ settings: StoreSettings, _ acknowledged: Acknowledged?, _ space: FreeSpace
    ) throws -> RocksDatabase {
        _ = try lookTorn(folder, settings, acknowledged)
        return try open(folder, settings, isNew: false, space, .skippingDamage)
    }

    private static func explained(_ error: RocksError, _ acknowledged: Acknowledged?) -> StoreError {
        var explained = StoreError(error)
        let last = acknowledged.map { "batch \($0.batch)" } ?? "no batch"
        switch error.code {
        case .corruption:
            explained.message +=
                "; a file is damaged, and what was acknowledged, up to \(last) or a little beyond, cannot be read"
        case .locked:
            explained.message = "another process has the store open"
        case .invalidArgument where acknowledged != nil:
            explained.code = .damaged
            explained.message += "; \(last) was acknowledged"
        case .noSpace:
            explained.message += "; make room on the disk and start again"
        default: break
        }
        return explained
    }

    /// The state that the last commit left.
    /// - Throws: `StoreError.damaged` with what is damaged and how.
    func state() throws(StoreError) -> StoreState {
        try begin()
        let link = try lastLink()
        try check(link)
        let segments = try segments()
        try checkEvents(link, segments)
        return StoreState(
            link: link, segments: EventSegments(segments, settings), publishers: try publishers(),
            revisions: try revisions(), forgettings: try forgettings())
    }

    /// Writes the beginning of a new log; of an old one, sees that the database is that of the folder's log.
    private func begin() throws(StoreError) {
        let log = Array(folder.log.utf8)
        let found = try rocks { () throws(RocksError) in
            try database.read(StoreFamily.state.rawValue, StateKey.log) { value in value.map { Array($0) } }
        }
        if let found {
            guard found.dropFirst(SealedValue.headCount).elementsEqual(log) else {
                throw damaged("the database is of another log than '\(folder.log)', which the file store names")
            }
            return
        }
        guard acknowledged == nil else { throw damaged("the database is empty") }
        var batch = RocksBatch(for: database)
        batch.putSealed(.state, StateKey.log, batch: 0, log)
        batch.put(StoreFamily.links.rawValue, NumberKey.bytes(0), BatchLink().bytes)
        try rocks { () throws(RocksError) in try database.write(batch, isSynced: true) }
    }

    private func lastLink() throws(StoreError) -> BatchLink {
        var links = database.iterator(StoreFamily.links.rawValue)
        guard try rocks({ () throws(RocksError) in try links.seekToLast() }) else {
            throw damaged("the chain of batches is empty")
        }
        guard let link = BatchLink(links.value), NumberKey.number(links.key) == link.batch else {
            throw damaged("the last link of the chain of batches, \(name(links.key)), is not what was committed")
        }
        return link
    }

    /// Walks over the chain, and holds its end against what was acknowledged.
    private func check(_ last: BatchLink) throws(StoreError) {
        var links = database.iterator(StoreFamily.links.rawValue)
        var isOnLink = try rocks { () throws(RocksError) in try links.seek(NumberKey.bytes(last.firstLink)) }
        var before: BatchLink?
        while isOnLink {
            guard let link = BatchLink(links.value), NumberKey.number(links.key) == link.batch else {
                throw damaged("\(name(links.key)) is damaged: its link is not what was committed")
            }
            try check(link, after: before, from: last.firstLink)
            before = link
            isOnLink = try rocks { () throws(RocksError) in try links.next() }
        }
        guard let acknowledged else {
            guard last.batch == 0, last.revisions == 0 else {
                throw damaged("the file acknowledged is missing, and the log goes up to batch \(last.batch)")
            }
            return
        }
        guard last.batch >= acknowledged.batch else {
            throw damaged("the log ends at batch \(last.batch), and batch \(acknowledged.batch) was acknowledged")
        }
        guard last.revisions >= acknowledged.revisions else {
            throw damaged(
                "the log ends at revision \(last.revisions), counted over all kinds, and revision "
                    + "\(acknowledged.revisions) was acknowledged")
        }
    }

    private func check(_ link: BatchLink, after before: BatchLink?, from first: UInt64) throws(StoreError) {
        let expected = before.map { $0.batch + 1 } ?? first
        guard link.batch == expected else {
            let missing =
                link.batch - 1 > expected ? "batches \(expected) to \(link.batch - 1) are" : "batch \(expected) is"
            throw damaged("\(missing) missing, and batch \(link.batch) is there")
        }
        guard let before else { return }
        guard link.previous == before.hash else {
            throw damaged(
                "batch \(before.batch) is damaged: it is not what batch \(link.batch) follows, or a revision between them "
                    + "is missing")
        }
    }

    private func name(_ key: UnsafeRawBufferPointer) -> String {
        NumberKey.number(key).map { "batch \($0)" } ?? "a batch whose key has \(key.count) bytes"
    }

    func damaged(_ message: String) -> StoreError { StoreError(.damaged, path: folder.database, message) }
}
