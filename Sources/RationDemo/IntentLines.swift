internal import RationJSON
import RationModel

/// Intents as NDJSON, in the order in which they are to be published (semantics.md section 2).
public struct IntentLines {
    private var writer = JSONWriter()
    /// Where each line ends, behind its `\n`.
    private var ends: [Int] = []

    public init() {}

    /// The lines that wait.
    public var count: Int { ends.count }

    /// Takes the first lines.
    /// - Parameter most: lines; at least 1.
    /// - Returns: nothing if none wait.
    /// - Complexity: linear in the bytes that wait.
    public mutating func take(_ most: Int) -> [UInt8] {
        let taken = min(most, ends.count)
        guard taken > 0 else { return [] }
        let length = ends[taken - 1]
        let lines = Array(writer.bytes[..<length])
        writer.bytes.removeFirst(length)
        ends.removeFirst(taken)
        for index in ends.indices { ends[index] -= length }
        return lines
    }

    mutating func schedule(_ wish: Wish, for person: Person) {
        begin("schedule", person)
        text("id", wish.id)
        if let type = wish.type { text("type", type) }
        content(of: wish)
        trigger(of: wish)
        if let expires = wish.expires { text("expires", expires.rfc3339) }
        if wish.isDeliveredLate { text("overdue", "deliver") }
        end()
    }

    mutating func cancel(id: String, of person: Person) {
        begin("cancel", person)
        text("id", id)
        end()
    }

    mutating func cancel(prefix: String, of person: Person) {
        begin("cancel", person)
        text("prefix", prefix)
        end()
    }

    /// The settings of a phone that registers.
    mutating func register(_ phone: Phone) {
        begin("device", phone.app, phone.device)
        text("timeZone", phone.zone)
        text("token", phone.token)
        text("environment", "production")
        text("delivery", phone.holdsPlan ? "local" : "push")
        integer("reserved", phone.reserved)
        writer.raw(#","categories":["reminder","supply"]"#)
        end()
    }

    mutating func register(_ person: Person) {
        register(Phone(person))
    }

    /// Only the zone of a phone.
    mutating func moved(_ person: Person, to zone: String) {
        begin("device", person)
        text("timeZone", zone)
        end()
    }

    mutating func remove(_ person: Person) {
        begin("remove", person)
        end()
    }

    mutating func feedback(_ id: String, _ outcome: String, action: String?, from person: Person) {
        begin("feedback", person)
        text("id", id)
        text("outcome", outcome)
        if let action { text("action", action) }
        end()
    }

    /// A line that is no JSON: cut off in the middle.
    mutating func broken(for person: Person) {
        begin("schedule", person)
        writer.raw(#","id":"com.myapp.entryRem"#)
        endLine()
    }

    private mutating func content(of wish: Wish) {
        writer.raw(#","content":{"title":"#)
        writer.string(wish.title)
        text("body", wish.body)
        if let category = wish.category { text("category", category) }
        if let thread = wish.thread { text("threadId", thread) }
        text("sound", "default")
        writer.raw(#","userInfo":{"reference":"#)
        writer.integer(Int64(wish.reference))
        writer.raw("}}")
    }

    private mutating func trigger(of wish: Wish) {
        writer.raw(#","trigger":{"#)
        switch wish.trigger {
        case .at(let instant):
            writer.key("at")
            writer.string(instant.rfc3339)
        case .after(let seconds):
            writer.key("after")
            writer.integer(Int64(seconds))
        case .every(let seconds):
            writer.key("every")
            writer.integer(Int64(seconds))
        }
        writer.byte(UInt8(ascii: "}"))
    }

    private mutating func begin(_ operation: String, _ person: Person) {
        begin(operation, person.app, person.device)
    }

    private mutating func begin(_ operation: String, _ app: String, _ device: String) {
        writer.raw(#"{"op":"#)
        writer.string(operation)
        text("app", app)
        text("device", device)
    }

    private mutating func text(_ name: StaticString, _ value: String) {
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        writer.string(value)
    }

    private mutating func integer(_ name: StaticString, _ value: Int) {
        writer.byte(UInt8(ascii: ","))
        writer.key(name)
        writer.integer(Int64(value))
    }

    private mutating func end() {
        writer.byte(UInt8(ascii: "}"))
        endLine()
    }

    private mutating func endLine() {
        writer.byte(UInt8(ascii: "\n"))
        ends.append(writer.bytes.count)
    }
}
