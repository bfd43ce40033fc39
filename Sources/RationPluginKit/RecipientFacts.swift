public import RationModel

/// What is known of one recipient.
public struct RecipientFacts: Hashable, Sendable {
    public var app: String
    public var device: String
    /// The rows of each of the scheduler's tables, in the order of its `tables`.
    public var tables: [[FactRow]]

    public init(app: String, device: String, tables: [[FactRow]]) {
        (self.app, self.device, self.tables) = (app, device, tables)
    }
}

/// One row of a query's result: the values in the order of the table's `columns`, each of its column's form or, where the
/// column is optional, null. Reading a value as another form is a fault of the scheduler's code, and traps.
public struct FactRow: Hashable, Sendable {
    /// The place in the query's result, from 1.
    public var number: Int
    public var values: [FactValue]

    public init(number: Int, _ values: [FactValue]) {
        (self.number, self.values) = (number, values)
    }

    public func isNull(_ column: Int) -> Bool { values[column] == .null }

    public func text(_ column: Int) -> String {
        guard case .text(let text) = values[column] else {
            preconditionFailure("column \(column) is \(values[column])")
        }
        return text
    }

    public func wholeNumber(_ column: Int) -> Int64 {
        guard case .wholeNumber(let number) = values[column] else {
            preconditionFailure("column \(column) is \(values[column])")
        }
        return number
    }

    public func number(_ column: Int) -> Double {
        guard case .number(let number) = values[column] else {
            preconditionFailure("column \(column) is \(values[column])")
        }
        return number
    }

    public func instant(_ column: Int) -> Instant {
        guard case .instant(let instant) = values[column] else {
            preconditionFailure("column \(column) is \(values[column])")
        }
        return instant
    }

    public func truth(_ column: Int) -> Bool {
        guard case .truth(let truth) = values[column] else {
            preconditionFailure("column \(column) is \(values[column])")
        }
        return truth
    }
}

/// A value of a fact.
public enum FactValue: Hashable, Sendable {
    case null
    case text(String)
    case wholeNumber(Int64)
    case number(Double)
    case instant(Instant)
    case truth(Bool)
}

/// A row that a scheduler cannot use: it is left out, the others count.
public struct FactFault: Error, Hashable, Sendable {
    public var table: String
    /// The row's place in the query's result.
    public var row: Int
    public var column: String
    /// What was expected and what was found.
    public var message: String

    public init(table: String, row: Int, column: String, _ message: String) {
        (self.table, self.row, self.column, self.message) = (table, row, column, message)
    }
}
