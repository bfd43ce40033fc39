internal import RationModel
internal import RationSQLite

/// What is known of a recipient without its notifications.
struct KnownRecipient {
    var app: [UInt8]
    var device: [UInt8]
    var key: Int64
    /// Of the facts that it was planned with; nil: it has none any more.
    var digest: UInt64?
    /// From when on it has to be looked at although its facts are the same.
    var next: Instant
    var doubt: Doubt
    /// Rows of its facts that were left out.
    var faults: Int
}

/// What a request changes about one recipient.
struct StagedRecipient {
    var app: String
    var device: String
    var key: Int64
    /// nil: it has no facts any more.
    var digest: UInt64?
    var next: Instant
    var doubt: Doubt
    var faults: Int
    /// As `[PublishedNotification].packed()` writes it.
    var published: [UInt8]
}

extension SchedulerState {
    /// A digest that no recipient with facts has.
    private static let departedDigest: Int64 = 0
    static let pageRecipients = 4_096

    /// The recipients behind one, in order.
    /// - Parameter previous: nil: from the first on.
    func recipients(after previous: KnownRecipient?) throws(SQLiteError) -> [KnownRecipient] {
        var found: [KnownRecipient] = []
        found.reserveCapacity(Self.pageRecipients)
        let most = SQLiteValue.integer(Int64(Self.pageRecipients))
        guard let previous else {
            try statements.first.read([most]) { found.append(KnownRecipient($0)) }
            return found
        }
        // What was stored is valid UTF-8, or has not come in.
        let place: [SQLiteValue] = [
            .text(String(decoding: previous.app, as: UTF8.self)),
            .text(String(decoding: previous.device, as: UTF8.self)),
        ]
        try statements.page.read([most] + place) { found.append(KnownRecipient($0)) }
        return found
    }

    /// What was published for a recipient, by rising bytes of the ids.
    func published(_ key: Int64) throws(SQLiteError) -> [PublishedNotification] {
        var (found, isBroken): ([PublishedNotification], Bool) = ([], false)
        try statements.published.read([.integer(key)]) { row in
            guard case .blob(let bytes) = row.view(0), let list = [PublishedNotification](packed: bytes) else {
                isBroken = true
                return
            }
            found = list
        }
        guard !isBroken else {
            throw SQLiteError(.foreign, file: file, "recipient \(key) is not as this program writes it")
        }
        return found
    }

    /// Keeps what is staged without a request: nothing has to be sent for it.
    func storeStaged() throws {
        guard !staged.isEmpty else { return }
        try transactionThatMayBeLost {
            for recipient in staged { try put(recipient) }
        }
        staged = []
    }

    func put(_ recipient: StagedRecipient) throws(SQLiteError) {
        let digest = recipient.digest.map { Int64(bitPattern: max(1, $0)) } ?? Self.departedDigest
        try statements.putRecipient.run([
            .text(recipient.app), .text(recipient.device), .integer(recipient.key), .integer(digest),
            .integer(recipient.next.milliseconds), .integer(recipient.doubt.rawValue),
            .integer(Int64(recipient.faults)),
        ])
        try put(recipient.published, recipient.key)
    }

    /// A number for a new recipient.
    func newKey() -> Int64 {
        defer { nextKey += 1 }
        return nextKey
    }

    func put(_ published: [UInt8], _ key: Int64) throws(SQLiteError) {
        if published.isEmpty {
            try statements.removePublished.run([.integer(key)])
        } else {
            try statements.putPublished.run([.integer(key), .blob(published)])
        }
    }

    func find(_ app: String, _ device: String) throws(SQLiteError) -> (key: Int64, next: Instant)? {
        var found: (Int64, Instant)?
        try statements.find.read([.text(app), .text(device)]) { row in
            found = (row.integer(0), Instant(milliseconds: row.integer(1)))
        }
        return found
    }

    /// Forgets a recipient that has had no facts for a long time.
    func remove(_ recipient: KnownRecipient) throws(SQLiteError) {
        try statements.removePublished.run([.integer(recipient.key)])
        try statements.removeRecipient.run([
            .text(String(decoding: recipient.app, as: UTF8.self)),
            .text(String(decoding: recipient.device, as: UTF8.self)),
        ])
    }

    /// Has a recipient looked at from an instant on.
    func wake(_ app: String, _ device: String, at time: Instant) throws(SQLiteError) {
        try database.run(
            "UPDATE recipients SET next = min(next, ?) WHERE app = ? AND device = ?",
            [.integer(time.milliseconds), .text(app), .text(device)])
    }
}

extension KnownRecipient {
    init(_ row: SQLiteRow) {
        app = Self.bytes(row.view(0))
        device = Self.bytes(row.view(1))
        key = row.integer(2)
        let digest = row.integer(3)
        self.digest = digest == 0 ? nil : UInt64(bitPattern: digest)
        next = Instant(milliseconds: row.integer(4))
        doubt = Doubt(rawValue: row.integer(5)) ?? .anew
        faults = Int(row.integer(6))
    }

    private static func bytes(_ view: SQLiteView) -> [UInt8] {
        guard case .text(let text) = view else { return [] }
        return Array(text)
    }
}
