import RationBus
import RationCommandLine
import RationJSON
import RationWire

/// The answer to a query about one thing, which the broker may not know.
enum QueryAnswer {
    /// Values that an answer may have: a plan has some for each notification.
    private static let mostValues = 10_000_000

    /// Asks.
    /// - Parameter words: what is said when the broker does not know the thing.
    /// - Throws: `CommandFailure` then; what `ask` throws otherwise.
    static func body(orUnknown words: (RequestFault) -> String, _ ask: () throws -> [UInt8]) throws -> [UInt8] {
        do {
            return try ask()
        } catch let error as QueryError {
            guard case .refused(let fault) = error.code, fault.code == .unknown else { throw error }
            throw CommandFailure(words(fault))
        }
    }

    /// Prints an answer as it is, or as people read it.
    static func show(
        _ body: [UInt8], asJSON: Bool, _ console: Console, _ show: (JSONValue) throws -> Void
    ) throws -> ExitStatus {
        if asJSON {
            try body.withUnsafeBytes { try console.output.line(bytes: $0) }
            return .success
        }
        var parser = JSONParser(maximumValues: mostValues)
        try show(parser.parse(body))
        return .success
    }
}
