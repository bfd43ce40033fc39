internal import RationModel
internal import RationPluginKit
internal import RationSQLite

/// A row's values in memory of one's own, as SQLite has them: what is hashed, and read only when the hash is another one.
/// Each is a tag, then 8 bytes of a number, or 4 bytes of a length and the bytes.
enum PackedFact {
    static let null: UInt8 = 0
    private static let integer: UInt8 = 1
    private static let real: UInt8 = 2
    private static let text: UInt8 = 3
    private static let blob: UInt8 = 4

    static func append(_ value: SQLiteView, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(null)
        case .integer(let number): append(integer, UInt64(bitPattern: number), to: &bytes)
        case .real(let number): append(real, number.bitPattern, to: &bytes)
        case .text(let content): append(text, content, to: &bytes)
        case .blob(let content): append(blob, content, to: &bytes)
        }
    }

    private static func append(_ tag: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
        bytes.append(tag)
        bytes.append(number: number)
    }

    private static func append(_ tag: UInt8, _ content: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        bytes.append(tag)
        // SQLite's values have less than 2^31 bytes.
        bytes.append(number: UInt32(truncatingIfNeeded: content.count))
        bytes.append(bytes: content)
    }

    /// Reads the next value.
    static func read(_ reader: inout PackedReader) -> SQLiteView {
        switch reader.number(UInt8.self) {
        case integer: .integer(reader.number(Int64.self) ?? 0)
        case real: .real(Double(bitPattern: reader.number(UInt64.self) ?? 0))
        case text: .text(content(&reader))
        case blob: .blob(content(&reader))
        default: .null
        }
    }

    private static func content(_ reader: inout PackedReader) -> UnsafeRawBufferPointer {
        reader.number(UInt32.self).flatMap { reader.bytes(Int($0)) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }
}

/// Reads packed rows as a table's columns say.
struct FactDecoding {
    let table: FactTable

    /// - Parameter values: reads the row's values, in the order of the table's columns.
    /// - Throws: the first fault of the row.
    func row(_ number: Int, _ values: inout PackedReader) throws(FactFault) -> FactRow {
        var row = FactRow(number: number, [])
        row.values.reserveCapacity(table.columns.count)
        for column in table.columns {
            let value = PackedFact.read(&values)
            guard let fact = Self.fact(value, column) else {
                let orNull = column.isOptional ? " or NULL" : ""
                throw FactFault(
                    table: table.name, row: number, column: column.name,
                    "expected \(column.form.words)\(orNull), found \(value.words)")
            }
            row.values.append(fact)
        }
        return row
    }

    /// - Returns: nil for a value that the column does not take.
    private static func fact(_ value: SQLiteView, _ column: FactColumn) -> FactValue? {
        switch (column.form, value) {
        case (_, .null): column.isOptional ? .null : nil
        case (.text, .text(let bytes)): String(validating: bytes, as: UTF8.self).map { .text($0) }
        case (.wholeNumber, .integer(let number)): .wholeNumber(number)
        case (.number, .integer(let number)): .number(Double(number))
        case (.number, .real(let number)): number.isFinite ? .number(number) : nil
        case (.instant, .integer(let number)): .instant(Instant(milliseconds: number))
        case (.instant, .text(let bytes)): Instant(rfc3339: bytes).map { .instant($0) }
        case (.truth, .integer(let number)): number == 0 || number == 1 ? .truth(number == 1) : nil
        default: nil
        }
    }
}

/// Text of a database.
enum FactText {
    /// Whether bytes are well-formed UTF-8, which SQLite does not check.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }
}

extension FactColumn.Form {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .text: "text"
        case .wholeNumber: "a whole number"
        case .number: "a finite number"
        case .instant: "an instant (RFC 3339 text, or whole milliseconds since 1970)"
        case .truth: "0 or 1"
        }
    }
}

extension SQLiteView {
    /// For people: the kind, and the value if it is short.
    var words: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "integer \(number)"
        case .real(let number): "real \(number)"
        case .blob(let bytes): "a blob of \(bytes.count) bytes"
        case .text(let bytes):
            FactText.isValid(bytes)
                ? "text '\(String(decoding: bytes.prefix(60), as: UTF8.self))'\(bytes.count > 60 ? "…" : "")"
                : "text that is not UTF-8"
        }
    }
}
