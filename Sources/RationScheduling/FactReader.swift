internal import RationModel
internal import RationPluginKit
internal import RationSQLite

/// The facts of all recipients, one after another by the bytes of (app, device), from the results of all queries side by
/// side.
///
/// A recipient's rows are kept as SQLite gives them, with a digest: most are as they were at the last run, and are never
/// looked at more closely.
final class FactReader {
    /// Where a row is in `bytes`.
    private struct PackedRow {
        var table: Int
        var number: Int
        var range: Range<Int>
    }

    private let decodings: [FactDecoding]
    /// Of the tables that the configuration gives a query for.
    private let cursors: [(table: Int, cursor: FactCursor)]
    private let skip: (FactFault) -> Void

    /// The recipient's names.
    private(set) var key = OwnedKey()
    /// The same for the same rows, in whichever order they come; never 0.
    private(set) var digest: UInt64 = 0
    /// Rows beyond the limits, which do not count.
    private(set) var rowsOmitted = 0
    private var rows: [PackedRow] = []
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - queries: by the tables' names.
    ///   - skip: takes each row that names no recipient.
    /// - Throws: ``FactsError``, `SQLiteError`.
    init(
        _ tables: [FactTable], queries: [String: String], in database: SQLiteDatabase,
        skip: @escaping (FactFault) -> Void
    ) throws {
        decodings = tables.map { FactDecoding(table: $0) }
        self.skip = skip
        cursors = try tables.enumerated().compactMap { index, table in
            guard let sql = queries[table.name] else {
                guard table.isOptional else {
                    throw FactsError(file: database.file, message: "there is no query '\(table.name)'")
                }
                return nil
            }
            return (index, try FactCursor(table, index: index, sql: sql, in: database))
        }
        for (_, cursor) in cursors { try cursor.advance(skip) }
    }

    func close() {
        for (_, cursor) in cursors { cursor.close() }
    }

    /// Reads the next recipient's rows.
    /// - Returns: false at the end.
    func next() throws -> Bool {
        var first: FactKey?
        for (_, cursor) in cursors {
            guard let head = cursor.head else { continue }
            if first.map({ FactKey.compare(head, $0) < 0 }) ?? true { first = head }
        }
        guard let first else { return false }
        key.take(first)
        rows.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        (digest, rowsOmitted) = (0, 0)
        for (table, cursor) in cursors { try take(table, cursor) }
        if digest == 0 { digest = 1 }
        return true
    }

    private func take(_ table: Int, _ cursor: FactCursor) throws {
        while let head = cursor.head, key.compare(to: head) == 0 {
            if rows.count < SchedulerLimits.rowsPerRecipient, bytes.count < SchedulerLimits.rowBytesPerRecipient {
                let start = bytes.count
                cursor.pack(into: &bytes)
                let range = start..<bytes.count
                rows.append(PackedRow(table: table, number: cursor.number, range: range))
                // Added up, so that the rows' order does not matter.
                digest &+= bytes.withUnsafeBytes { ByteHash.hash(UnsafeRawBufferPointer(rebasing: $0[range]), seed: 0) }
            } else {
                rowsOmitted += 1
                guard rowsOmitted <= SchedulerLimits.omittedRows else {
                    throw FactsError(
                        file: cursor.file,
                        message:
                            "query '\(cursor.table.name)' gives more than \(SchedulerLimits.omittedRows) rows for one "
                            + "recipient, \(String(decoding: key.app, as: UTF8.self))/"
                            + "\(String(decoding: key.device, as: UTF8.self)): does it lack a condition of a join?")
                }
            }
            try cursor.advance(skip)
        }
    }

    /// The rows of the recipient, as the tables' columns say.
    /// - Parameter fault: takes each row that is not so; the others count.
    func facts(_ fault: (FactFault) -> Void) -> RecipientFacts {
        var facts = RecipientFacts(
            app: String(decoding: key.app, as: UTF8.self), device: String(decoding: key.device, as: UTF8.self),
            tables: decodings.map { _ in [] })
        bytes.withUnsafeBytes { bytes in
            for row in rows {
                // Behind the byte that tells the table.
                let values = UnsafeRawBufferPointer(rebasing: bytes[row.range.dropFirst()])
                var reader = PackedReader(values)
                do throws(FactFault) {
                    facts.tables[row.table].append(try decodings[row.table].row(row.number, &reader))
                } catch let error {
                    fault(error)
                }
            }
        }
        return facts
    }
}
