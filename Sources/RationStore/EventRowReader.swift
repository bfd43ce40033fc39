internal import RationModel
internal import RationRocksDB

/// Reads rows of the event log one after another, each held against the one before it.
struct EventRowReader: ~Copyable {
    private let path: String
    private var rows: RocksIterator
    private var isOnRow = false
    /// Of the row that was read last: the sequence number after it, and its seal.
    private var before: (next: UInt64, hash: UInt64)?

    init(_ database: RocksDatabase, _ path: String) {
        self.path = path
        rows = database.iterator(StoreFamily.events.rawValue)
    }

    /// Goes to the row that holds an event, which must be in the log.
    mutating func seek(_ sequence: UInt64) throws(StoreError) {
        do throws(RocksError) {
            isOnRow = try rows.seekBack(NumberKey.bytes(sequence))
        } catch {
            throw StoreError(error)
        }
        guard isOnRow else { throw damaged("event \(sequence) is missing, and all before it") }
        let (first, _, head) = try row()
        guard sequence < first + head.count else {
            throw damaged("event \(sequence) is missing: the row before it ends with event \(first + head.count - 1)")
        }
    }

    /// The row that it stands on; then it stands on the next one.
    /// - Returns: nil past an event.
    mutating func next(upTo last: UInt64) throws(StoreError) -> [UInt8]? {
        if let before, before.next > last { return nil }
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
        before = (first + head.count, value.hash)
        let bytes = Array(value.body)
        do throws(RocksError) {
            isOnRow = try rows.next()
        } catch {
            throw StoreError(error)
        }
        return bytes
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

    private func damaged(_ message: String) -> StoreError { StoreError(.damaged, path: path, message) }
}
