import RationCommandLine
import RationJSON
import RationModel

/// Reads CloudEvents of the broker for people.
struct EventReader: ~Copyable {
    private var parser = JSONParser()
    private let ids: [String]
    /// Whether events have to be read at all.
    private let isNeeded: Bool

    /// - Parameter ids: those that are wanted; empty for all.
    init(ids: [String], isNeeded: Bool) {
        self.ids = ids
        self.isNeeded = isNeeded
    }

    /// An event's members.
    struct Event {
        let time: String
        let kind: EventKind
        let type: String
        let data: JSONValue

        /// For people: without what could rewrite a terminal.
        func text(_ name: StaticString) -> String { (data[name]?.text ?? "").printable }
    }

    enum Reading {
        case unread
        case unwanted
        case event(Event)
    }

    /// - Returns: a view that is valid until the next event is read.
    /// - Throws: `JSONError`.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws -> Reading {
        guard isNeeded else { return .unread }
        let event = try parser.parse(bytes, isPadded: false)
        guard let data = event["data"], let name = data["kind"]?.text,
            let kind = EventKind.allCases.first(where: { "\($0.name)" == name })
        else { return .unwanted }
        if !ids.isEmpty, !ids.contains(data["id"]?.text ?? "") { return .unwanted }
        return .event(
            Event(time: event["time"]?.text ?? "", kind: kind, type: data["type"]?.text ?? "", data: data))
    }
}
