internal import RationModel
internal import RationRocksDB

/// Reads rows of the event log one after another, each held against the one before it.
struct EventRowReader: ~Copyable {
    private let database: RocksDatabase
    private let path: String
    private var rows: RocksIterator
    private var isOnRow = false
    /// What moving to the row behind the last one said.
    private var failure: RocksError?
    /// Of the row that was read last: the sequence number after it, and its seal.
    private var before: (next: UInt64, hash: UInt64)?

    init(_ database: RocksDatabase, _ path: String) {
        (self.database, self.path) = (database, path)
        rows = database.iterator(StoreFamily.events.rawValue)
    }

    /// Goes to the row that holds an event, which must be in the log.
    mutating func seek(_ sequence: UInt64) throws(StoreError) {
        (before, failure) = (nil, nil)
        do throws(RocksError) {
            isOnRow = try seekRow(sequence)
        } catch {
            throw unreadable(from: sequence, error)
        }
        guard isOnRow else { throw damaged("event \(sequence) is missing, and all before it") }
        let (first, _, head) = try row()
        guard sequence < first + head.count else {
            if let failure { throw unreadable(from: first + head.count, failure) }
            throw damaged("event \(sequence) is missing: the row before it ends with event \(first + head.count - 1)")
        }
        failure = nil
    }

    /// Goes to the last row at or before an event that can be read. Most often one begins with it.
    /// - Throws: when none can.
    private mutating func seekRow(_ sequence: UInt64) throws(RocksError) -> Bool {
        let key = NumberKey.bytes(sequence)
        do throws(RocksError) {
            if try rows.seek(key), NumberKey.number(rows.key) == sequence { return true }
            return try rows.seekBack(key)
        } catch {
            guard let first = database.lastReadable(.events, upTo: sequence) else { throw error }
            failure = error
            rows = database.iterator(StoreFamily.events.rawValue)
            return try rows.seek(NumberKey.bytes(first))
        }
    }

    /// The row that it stands on; then it stands on the next one.
    /// - Returns: nil past an event.
    mutating func next(upTo last: UInt64) throws(StoreError) -> [UInt8]? {
        try next(upTo: last) { _, value, _ in Array(value.body) }
    }

    /// - Parameter read: takes the row's first event, its value and what stands before its events.
    mutating func next<Result>(
        upTo last: UInt64, _ read: (_ first: UInt64, _ value: SealedValue, _ head: EventsHead) -> Result
    ) throws(StoreError) -> Result? {
        if let before, before.next > last { return nil }
        if let failure { throw unreadable(from: before?.next ?? 0, failure) }
        guard isOnRow else { throw damaged("events from \(before?.next ?? 0) to \(last) are missing") }
        let (first, value, head) = try row()
        if let before {
            guard first == before.next else {
                throw damaged("events from \(before.next) to \(first - 1) are missing")
            }
            guard head.previous == before.hash else {
                throw damaged("the row of events from \(first) on does not follow the one before it")
            }
        }
        before = (first + head.count, head.seal(value.hash))
        let result = read(first, value, head)
        do throws(RocksError) {
            isOnRow = try rows.next()
        } catch {
            // This row is sound: what comes behind it is told when it is wanted.
            failure = error
        }
        return result
    }

    /// What it stands on, valid until it moves.
    func row() throws(StoreError) -> (first: UInt64, value: SealedValue, head: EventsHead) {
        guard let first = NumberKey.number(rows.key),
            let value = SealedValue(rows.value, key: rows.key, fieldsCount: EventsHead.byteCount)
        else {
            let name = NumberKey.number(rows.key).map { "from \($0) on" } ?? "with a key of \(rows.key.count) bytes"
            throw damaged("the row of events \(name), \(rows.value.count) bytes, is not what was committed")
        }
        return (first, value, EventsHead(value.fields))
    }

    /// Events that RocksDB cannot read, with the last of them as far as it can be found.
    private func unreadable(from sequence: UInt64, _ error: RocksError) -> StoreError {
        var failed = StoreError(error)
        let found = database.firstReadable(.events, after: NumberKey.bytes(sequence))
        let next = found?.withUnsafeBytes { NumberKey.number($0) }
        let end = next.map { "to \($0 - 1)" } ?? "on"
        failed.message = "events from \(sequence) \(end) cannot be read: \(failed.message)"
        return failed
    }

    private func damaged(_ message: String) -> StoreError { StoreError(.damaged, path: path, message) }
}
