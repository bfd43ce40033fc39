internal import Glibc
internal import RationModel
internal import RationPluginKit
internal import RationSQLite

/// Facts that cannot be read: the run publishes nothing, as "no facts" would cancel everything.
struct FactsError: Error, Hashable, CustomStringConvertible {
    var file: String
    var message: String

    var description: String { "\(file): \(message)" }
}

/// One query's result, row by row in the order of its recipients.
final class FactCursor {
    let table: FactTable
    private let index: UInt8
    let file: String
    private let statement: SQLiteStatement
    private let appColumn: Int32
    private let deviceColumn: Int32
    /// Where the table's columns stand in the result; nil for an optional one that the query leaves out.
    private let places: [Int32?]
    private var row: SQLiteRow?
    /// The place of the current row in the result, from 1.
    private(set) var number = 0
    /// Of the current row, valid until ``advance``; nil at the end.
    private(set) var head: FactKey?
    /// The recipient of the row before, for the order.
    private var previous = OwnedKey()
    private var isHeadPrevious = false

    /// - Throws: ``FactsError`` by query and column, `SQLiteError` for SQL that SQLite does not take.
    init(_ table: FactTable, index: Int, sql: String, in database: SQLiteDatabase) throws {
        self.table = table
        self.index = UInt8(index)
        file = database.file
        do {
            statement = try database.prepare(sql)
        } catch {
            throw FactsError(file: database.file, message: "query '\(table.name)': \(error.message)")
        }
        let columns = statement.columns
        func place(_ name: String, isOptional: Bool) throws(FactsError) -> Int32? {
            let found = columns.indices.filter { columns[$0].utf8.elementsEqual(name.utf8) }
            if let place = found.first, found.count == 1 { return Int32(place) }
            if found.isEmpty, isOptional { return nil }
            let list = columns.map { "'\($0)'" }.joined(separator: ", ")
            throw FactsError(
                file: database.file,
                message: found.isEmpty
                    ? "query '\(table.name)' returns no column '\(name)', it returns \(list)"
                    : "query '\(table.name)' returns \(found.count) columns '\(name)'")
        }
        guard let app = try place("app", isOptional: false), let device = try place("device", isOptional: false) else {
            preconditionFailure("a column that is required is found or told")
        }
        (appColumn, deviceColumn) = (app, device)
        places = try table.columns.map { try place($0.name, isOptional: $0.isOptional) }
        guard statement.readsOnly else {
            throw FactsError(file: database.file, message: "query '\(table.name)' would change the file")
        }
    }

    /// Goes to the next row that names a recipient.
    /// - Parameter skip: takes a row that does not.
    /// - Throws: ``FactsError`` for a row out of order.
    func advance(_ skip: (FactFault) -> Void) throws {
        // The head's memory goes with its row.
        if let head, !isHeadPrevious { previous.take(head) }
        repeat {
            row = try statement.next()
            guard let row else {
                head = nil
                return
            }
            number += 1
            head = key(of: row, skip)
        } while head == nil
        guard let head, !isHeadPrevious, previous.isSet, previous.compare(to: head) > 0 else { return }
        throw FactsError(
            file: file,
            message: "query '\(table.name)' is not in order: row \(number) (\(head.text)) comes behind "
                + "\(previous.text); end it with ORDER BY app, device")
    }

    /// Ends the query.
    func close() {
        row = nil
        head = nil
        statement.reset()
    }

    private func key(of row: SQLiteRow, _ skip: (FactFault) -> Void) -> FactKey? {
        let (app, device) = (row.view(appColumn), row.view(deviceColumn))
        guard case .text(let appBytes) = app else {
            skip(fault("app", "expected text, found \(app.words)"))
            return nil
        }
        guard case .text(let deviceBytes) = device else {
            skip(fault("device", "expected text, found \(device.words)"))
            return nil
        }
        let key = FactKey(app: appBytes, device: deviceBytes)
        // What was right in the row before is right again.
        isHeadPrevious = previous.isSet && previous.compare(to: key) == 0
        if isHeadPrevious { return key }
        guard Name.isPlain(appBytes, limit: Limits.appBytes) else {
            skip(
                fault(
                    "app",
                    "expected 1 to \(Limits.appBytes) letters, digits, '.', '-' or '_', found \(app.words)"))
            return nil
        }
        guard FactText.isValid(deviceBytes),
            Name.isText(deviceBytes, limit: Limits.deviceBytes, slashAllowed: false)
        else {
            skip(
                fault(
                    "device",
                    "expected 1 to \(Limits.deviceBytes) bytes of UTF-8 without control characters, '/' and spaces at the "
                        + "ends, found \(device.words)"))
            return nil
        }
        return key
    }

    private func fault(_ column: String, _ message: String) -> FactFault {
        FactFault(table: table.name, row: number, column: column, message)
    }

    /// Appends the current row's values, in the order of the table's columns, and the table, which tells equal rows of two
    /// tables apart.
    func pack(into bytes: inout [UInt8]) {
        guard let row else { return }
        bytes.append(index)
        for place in places {
            guard let place else {
                bytes.append(PackedFact.null)
                continue
            }
            PackedFact.append(row.view(place), to: &bytes)
        }
    }
}

/// The pair that names a recipient: views of bytes that somebody else owns.
struct FactKey {
    var app: UnsafeRawBufferPointer
    var device: UnsafeRawBufferPointer

    /// - Returns: a number below, at or above 0.
    static func compare(_ left: FactKey, _ right: FactKey) -> Int {
        let app = compare(left.app, right.app)
        return app != 0 ? app : compare(left.device, right.device)
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.count - right.count }
        // Both have as many bytes as are compared.
        let order = memcmp(first, second, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
    }

    var text: String { "\(String(decoding: app, as: UTF8.self))/\(String(decoding: device, as: UTF8.self))" }
}

/// A recipient's names, copied.
struct OwnedKey {
    private(set) var app: [UInt8] = []
    private(set) var device: [UInt8] = []

    /// Whether it names a recipient.
    var isSet: Bool { !app.isEmpty }

    mutating func take(_ key: FactKey) {
        app.removeAll(keepingCapacity: true)
        app.append(bytes: key.app)
        device.removeAll(keepingCapacity: true)
        device.append(bytes: key.device)
    }

    /// - Returns: a number below, at or above 0.
    func compare(to key: FactKey) -> Int {
        app.withUnsafeBytes { app in
            device.withUnsafeBytes { device in FactKey.compare(FactKey(app: app, device: device), key) }
        }
    }

    var text: String { "\(String(decoding: app, as: UTF8.self))/\(String(decoding: device, as: UTF8.self))" }
}
