public import RationBus
internal import RationModel
internal import RationSQLite

extension SchedulerState: Outbox {
    public var nextNumber: UInt64 { nextRequest &+ numberDistance }

    public func unacknowledged() throws -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try database.run("SELECT request, body FROM requests ORDER BY request") { row in
            entries.append(
                OutboxEntry(number: UInt64(bitPattern: row.integer(0)) &+ numberDistance, body: row.blob(1)))
        }
        let first = nextNumber &- UInt64(entries.count)
        guard entries.enumerated().allSatisfy({ $1.number == first &+ UInt64($0) }) else {
            throw SQLiteError(.foreign, file: file, "its requests have holes; it was changed by another program")
        }
        return entries
    }

    /// Keeps a request together with what is staged.
    public func store(number: UInt64, body: [UInt8]) throws {
        precondition(number == nextNumber, "request \(number) is stored where \(nextNumber) is the next")
        // Sequence numbers rise by one from 1: they stay far below 2^63.
        let request = Int64(nextRequest)
        try database.transaction {
            try database.run("INSERT INTO requests VALUES (?, ?)", [.integer(request), .blob(body)])
            try database.run("UPDATE scheduler SET next = ?", [.integer(request + 1)])
            for recipient in staged { try put(recipient) }
        }
        nextRequest += 1
        staged = []
    }

    /// Does nothing: a request is forgotten in the transaction that takes its acknowledgement. Until then it may be sent
    /// again, and gets the acknowledgement that the broker keeps.
    public func remove(through number: UInt64) {}

    public func agree(on log: String, renumberingFrom firstNumber: UInt64?) throws {
        let isOther = self.log != log
        var count: Int64 = 0
        try database.run("SELECT count(*) FROM requests") { count = $0.integer(0) }
        let first = nextRequest - UInt64(count)
        let distance = firstNumber.map { $0 &- first } ?? numberDistance
        try database.transaction {
            if isOther { try forgetLog() }
            try database.run(
                "UPDATE scheduler SET log = ?, distance = ?", [.text(log), .integer(Int64(bitPattern: distance))])
        }
        if isOther { (cursor, batches) = (nil, [:]) }
        (self.log, numberDistance) = (log, distance)
    }

    /// Whatever is known is of another log: everything is published again.
    private func forgetLog() throws(SQLiteError) {
        try raise(.anew)
        try database.run("DELETE FROM acknowledgements")
        try database.run("UPDATE scheduler SET cursor = NULL")
    }

    /// The broker's numbers and these do not fit: what is stored is given up, the numbers start behind the broker's, and
    /// everything is published again.
    func startAnew() throws {
        try database.transaction {
            try forgetLog()
            try database.run("DELETE FROM requests")
            try database.run("UPDATE scheduler SET log = NULL")
        }
        (log, cursor, batches) = (nil, nil, [:])
    }

    /// Statements that take effect together, and survive the process; when the machine fails they may be lost, as what they say
    /// can be had again from the broker and the facts. What is stored before it is sent is synced, and these with it.
    func transactionThatMayBeLost(_ body: () throws -> Void) throws {
        try database.run("PRAGMA synchronous=NORMAL")
        let result = Result { try database.transaction(body) }
        try database.run("PRAGMA synchronous=FULL")
        try result.get()
    }

    /// Trusts what is known of all recipients no more than this.
    func raise(_ doubt: Doubt) throws(SQLiteError) {
        epoch += 1
        try database.run("UPDATE recipients SET doubt = max(doubt, ?)", [.integer(doubt.rawValue)])
    }
}
