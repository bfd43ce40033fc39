internal import RationModel
internal import RationSQLite
internal import RationWire

/// How far a look at all devices is that the broker has: at each start, and when it has another log.
enum Surveying: Hashable {
    case beginning
    /// The place of the next page, whether all is looked at, since events were lost, and the numbers of the plans that pages
    /// have had.
    case going(after: String, isThorough: Bool, numbers: Set<Int64>)
    case done(log: String)
}

/// A hash of what a device holds, as a snapshot and a holding tell it: ids and dates.
enum PlanShape {
    private static let seed: UInt64 = 0x7368_6170_65

    static func hash(_ told: ToldHolding) -> UInt64 {
        hash(told.held.lazy.map { ($0.id, $0.fireDate) })
    }

    static func hash(_ held: some Sequence<(id: String, fireDate: Instant)>) -> UInt64 {
        var bytes: [UInt8] = []
        for (id, fireDate) in held.prefix(HoldingRequest.heldLimit) {
            bytes += Array(id.utf8) + [0]
            withUnsafeBytes(of: fireDate.milliseconds) { bytes += $0 }
        }
        return bytes.withUnsafeBytes { ByteHash.hash($0, seed: seed) }
    }
}

extension Plans {
    /// Looks at the next devices, a page in each call, until all were looked at.
    /// - Returns: whether there are more.
    func survey(in database: SQLiteDatabase, _ tables: PlansTables) throws -> Bool {
        guard let parts else { preconditionFailure("a survey before the start") }
        switch surveying {
        case .done(let log):
            // The runner follows another log: the broker was restored.
            guard let followed = try followedLog(database), !followed.utf8.elementsEqual(log.utf8) else { return false }
            surveying = .beginning
            return true
        case .beginning:
            guard let log = try followedLog(database) else { return false }
            let last = try tables.survey()
            let isKnown = try last.map { try $0.log.utf8.elementsEqual(log.utf8) && $0.gone == tables.gone(log: log) }
            surveying = .going(after: "", isThorough: !(isKnown ?? false), numbers: [])
            return true
        case .going(let place, let isThorough, var numbers):
            guard let page = try parts.directory.recipients(after: place) else {
                surveying = .beginning
                return true
            }
            try database.transaction {
                try look(at: isThorough ? page.glimpses.map(\.recipient) : different(page.glimpses, tables))
                numbers.formUnion(try page.glimpses.compactMap { try tables.number($0.recipient) })
                if page.next.isEmpty { try endSurvey(database, tables, numbers) }
            }
            let log = try followedLog(database) ?? ""
            surveying =
                page.next.isEmpty
                ? .done(log: log) : .going(after: page.next, isThorough: isThorough, numbers: numbers)
            counters.update { $0.hasSurveyed = page.next.isEmpty }
            return !page.next.isEmpty
        }
    }

    private func different(
        _ glimpses: [RecipientPage.Glimpse], _ tables: PlansTables
    ) throws -> [DevicesRequest.Recipient] {
        try glimpses.filter { try tables.plan($0.recipient)?.shape != $0.shape }.map(\.recipient)
    }

    /// What no page had is new to the broker since, or it does not know it.
    private func endSurvey(_ database: SQLiteDatabase, _ tables: PlansTables, _ numbers: Set<Int64>) throws {
        guard let log = try followedLog(database) else { return }
        try look(at: tables.others(than: numbers))
        try tables.putSurvey(log: log, gone: tables.gone(log: log))
    }

    private func followedLog(_ database: SQLiteDatabase) throws -> String? {
        var log: String?
        try database.run("SELECT log FROM ration_subscriber") { log = $0.text(0) }
        return log
    }
}
