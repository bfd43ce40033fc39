public import RationModel

/// Reading optional values, and an order of rows that does not depend on how a query returned them.
extension FactRow {
    /// nil for null.
    @inlinable
    public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    @inlinable
    public func optionalNumber(_ column: Int) -> Double? { isNull(column) ? nil : number(column) }

    @inlinable
    public func optionalInstant(_ column: Int) -> Instant? { isNull(column) ? nil : instant(column) }

    /// False for null.
    @inlinable
    public func isTrue(_ column: Int) -> Bool { !isNull(column) && truth(column) }

    /// Whether its values come before another's: column by column, texts by their bytes. Of equal rows neither does.
    public func precedes(_ other: FactRow) -> Bool {
        for (mine, theirs) in zip(values, other.values) {
            if mine.precedes(theirs) { return true }
            if theirs.precedes(mine) { return false }
        }
        return false
    }
}

extension FactValue {
    fileprivate func precedes(_ other: FactValue) -> Bool {
        switch (self, other) {
        case (.null, _): other != .null
        case (.text(let mine), .text(let theirs)): mine.precedesByBytes(theirs)
        case (.wholeNumber(let mine), .wholeNumber(let theirs)): mine < theirs
        case (.number(let mine), .number(let theirs)): mine < theirs
        case (.instant(let mine), .instant(let theirs)): mine < theirs
        case (.truth(let mine), .truth(let theirs)): !mine && theirs
        default: false
        }
    }
}

extension String {
    /// Whether its UTF-8 bytes come before another's, as everything in Ration is ordered.
    public func precedesByBytes(_ other: String) -> Bool {
        var (mine, theirs) = (self, other)
        return mine.withUTF8 { left in
            theirs.withUTF8 { Name.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) < 0 }
        }
    }
}

extension FactTable {
    /// A fault of a row of this table.
    public func fault(_ row: FactRow, _ column: Int, _ message: String) -> FactFault {
        FactFault(table: name, row: row.number, column: columns[column].name, message)
    }

    /// An instant that lies in the years 0 to 9999.
    public func instant(_ row: FactRow, _ column: Int) throws(FactFault) -> Instant {
        let instant = row.instant(column)
        guard Instant.writable.contains(instant) else {
            throw fault(row, column, "expected an instant of the years 0 to 9999, found \(instant.milliseconds) ms")
        }
        return instant
    }

    /// An id: a prefix, the text of a column and what follows.
    public func identifier(
        _ row: FactRow, _ column: Int, prefix: String, suffix: String = ""
    ) throws(FactFault) -> String {
        let text = row.text(column)
        let limit = Limits.idBytes - prefix.utf8.count - suffix.utf8.count
        let id = prefix + text + suffix
        guard !text.isEmpty, id.isIdentifier(limit: Limits.idBytes) else {
            let found = text.utf8.count > limit ? "\(text.utf8.count) bytes" : "'\(text)'"
            throw fault(
                row, column,
                "expected 1 to \(limit) bytes without control characters or a space at the end, found \(found)")
        }
        return id
    }

    /// The clock of a zone that a column names.
    /// - Parameter standard: the zone's name where the column is null; nil: then it floats.
    public func clock(
        _ row: FactRow, _ column: Int, standard: String?, in zones: any ZoneSource
    ) throws(FactFault) -> RecipientClock {
        guard let name = row.optionalText(column) ?? standard else { return .floating }
        guard let zone = zones.zone(named: name) else {
            let cut = String(decoding: name.utf8.prefix(64), as: UTF8.self)
            throw fault(row, column, "expected a name of the tz database such as Europe/Madrid, found '\(cut)'")
        }
        return .zone(zone)
    }
}
