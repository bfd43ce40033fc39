internal import RationJSON
import RationModel
import RationPlanner
internal import RationWire

/// A line of steps that cannot be read: what was expected and what was found.
public struct StepFault: Error, Hashable, Sendable {
    public var message: String
}

/// Reads `{"now": T, "intents": […], "down": bool}` (semantics.md section 7).
struct StepReader: ~Copyable {
    private var whole = JSONParser(maximumDepth: 1024, maximumValues: 1 << 31)
    private var parser = JSONParser()
    private var intents: IntentReader

    /// - Parameters:
    ///   - zones: those that an intent may name.
    ///   - categories: those that it may name.
    init(zones: any ZoneChecking, categories: CategoryCheck = CategoryCheck()) {
        intents = IntentReader(zones: zones, categories: categories)
    }

    struct Step {
        var now: Instant
        /// Whether the broker is taken to have been off until then.
        var isDown: Bool
    }

    /// - Parameter batch: gets the step's intents.
    mutating func read(_ line: UnsafeRawBufferPointer, into batch: inout IntentBatch) throws(StepFault) -> Step {
        try checkSyntax(line)
        var splitter = StepSplitter(line)
        let (texts, rest) = splitter.split()
        let step = try readRest(rest)
        batch.removeAll()
        for text in texts { intents.readLine(text, isPadded: false, into: &batch) }
        return step
    }

    /// A line that is no JSON at all is a fault of the file; what only an intent may not contain is that intent's.
    private mutating func checkSyntax(_ line: UnsafeRawBufferPointer) throws(StepFault) {
        do throws(JSONError) {
            _ = try whole.parse(line, isPadded: false)
        } catch {
            switch error.code {
            case .duplicateKey, .loneSurrogate, .numberRange, .invalidUTF8, .tooDeep, .tooManyValues: return
            default: throw StepFault(message: error.message + (error.offset.map { " (byte \($0))" } ?? ""))
            }
        }
    }

    private mutating func readRest(_ rest: [UInt8]) throws(StepFault) -> Step {
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(rest)
        } catch {
            throw StepFault(message: error.message)
        }
        guard value.kind == .object else { throw StepFault(message: "expected an object with now and intents") }
        for member in value.children
        where !["now", "intents", "down"].contains(where: { equals(member.key, $0) }) {
            let name = String(decoding: member.key, as: UTF8.self)
            throw StepFault(message: "unknown field '\(name)'; a step has now, intents and down")
        }
        guard let now = Self.instant(value["now"]), Instant.writable.contains(now) else {
            throw StepFault(message: "'now' is not an RFC 3339 date or whole milliseconds of the years 0000 to 9999")
        }
        if let list = value["intents"], list.kind != .array, !list.isNull {
            throw StepFault(message: "'intents' is not a list")
        }
        let down = value["down"]
        guard down == nil || down?.isNull == true || down?.bool != nil else {
            throw StepFault(message: "'down' is not true or false")
        }
        return Step(now: now, isDown: down?.bool ?? false)
    }

    private static func instant(_ value: JSONValue?) -> Instant? {
        guard let value else { return nil }
        if let text = value.string { return Instant(rfc3339: text) }
        return value.integer.map { Instant(milliseconds: $0) }
    }
}

extension Core {
    /// When a batch is decided by itself before a step; nil when the step is next.
    func wake(before step: StepReader.Step) -> Instant? {
        guard !step.isDown, let wake = nextWake, wake < step.now else { return nil }
        return wake
    }
}
