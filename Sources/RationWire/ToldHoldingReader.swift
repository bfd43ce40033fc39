internal import RationJSON
internal import RationModel

/// Reads the lines of an answer to `holding`, one after another in memory that it keeps.
public struct ToldHoldingReader: ~Copyable {
    // A line has the contents of many notifications, each as deep and as large as an intent's.
    private var parser = JSONParser(maximumDepth: 64, maximumValues: 4_000_000)

    public init() {}

    /// - Returns: nil for the line of an unknown recipient.
    /// - Throws: ``AnswerFault`` for the first field that is missing or is not what wire.md says.
    public mutating func read(_ line: UnsafeRawBufferPointer) throws(AnswerFault) -> ToldHolding? {
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(line, isPadded: false)
        } catch {
            throw AnswerFault("a line is not JSON: \(error.message)")
        }
        guard value.kind == .object else { throw AnswerFault("a line is \(value.kindName), expected an object") }
        guard value.count > 0 else { return nil }
        guard let delivery = value["delivery"]?.text, ["push", "local"].contains(delivery),
            let timeZone = value["timeZone"]?.text, let list = value["held"], list.kind == .array
        else { throw AnswerFault("a line lacks 'delivery', 'timeZone' or 'held'") }
        var holding = ToldHolding(delivery: delivery == "local" ? .local : .push, timeZone: timeZone, held: [])
        for element in list.children { holding.held.append(try Self.notification(element)) }
        return holding
    }

    private static func notification(_ value: JSONValue) throws(AnswerFault) -> ToldHolding.Notification {
        guard let id = value["id"]?.text, let fireDate = value["fireDate"]?.instant, let content = value["content"],
            content.kind == .object
        else { throw AnswerFault("a notification lacks 'id', 'fireDate' or 'content'") }
        var writer = JSONWriter()
        content.canonical(into: &writer)
        return ToldHolding.Notification(
            id: id, fireDate: fireDate, expires: value["expires"]?.instant, repetition: try repetition(value),
            content: writer.bytes)
    }

    private static func repetition(_ value: JSONValue) throws(AnswerFault) -> ToldHolding.Repetition {
        if let milliseconds = value["everyMs"]?.integer {
            guard milliseconds > 0 else { throw AnswerFault("'everyMs' is not a positive number") }
            return .interval(milliseconds: milliseconds)
        }
        guard let calendar = value["calendar"] else { return .never }
        do throws(Rejection) {
            return .calendar(try CalendarFields(calendar).checked(), timeZone: value["timeZone"]?.text ?? "")
        } catch {
            throw AnswerFault("\(error.field): \(error.message)")
        }
    }
}
