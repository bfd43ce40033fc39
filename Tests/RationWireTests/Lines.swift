import RationModel
import RationWire

/// An intent's line in the making: members with their JSON, and those of its content.
struct Line {
    private var members: [(name: String, value: String)]
    private var content: [(name: String, value: String)] = []

    init(_ members: [(name: String, value: String)], content: [(name: String, value: String)] = []) {
        (self.members, self.content) = (members, content)
    }

    private static let recipient = [(name: "app", value: #""com.example.a""#), (name: "device", value: #""d1""#)]

    static let schedule = Line(
        [("op", #""schedule""#)] + recipient + [("id", #""n1""#), ("trigger", #"{"at":"2026-12-01T08:00:00Z"}"#)],
        content: [("title", #""T""#)])
    static let cancel = Line([("op", #""cancel""#)] + recipient)
    static let device = Line([("op", #""device""#)] + recipient)
    static let remove = Line([("op", #""remove""#)] + recipient)
    static let feedback = Line([("op", #""feedback""#)] + recipient + [("id", #""n1""#), ("outcome", #""opened""#)])

    /// The line with members set, or taken away where the value is nil.
    func with(_ changes: [String: String?]) -> Line {
        Line(Self.changed(members, changes), content: content)
    }

    /// The line with members of its content set or taken away.
    func withContent(_ changes: [String: String?]) -> Line {
        Line(members, content: Self.changed(content, changes))
    }

    private static func changed(
        _ members: [(name: String, value: String)], _ changes: [String: String?]
    ) -> [(name: String, value: String)] {
        let kept = members.compactMap { name, value in
            guard let change = changes[name] else { return (name: name, value: value) }
            return change.map { (name: name, value: $0) }
        }
        let added = changes.filter { change in !members.contains { $0.name == change.key } }
        return kept
            + added.sorted { $0.key < $1.key }.compactMap { name, value in value.map { (name: name, value: $0) } }
    }

    private static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    var text: String {
        let isGiven = content.isEmpty || members.contains { $0.name == "content" }
        return Self.object(isGiven ? members : members + [("content", Self.object(content))])
    }
}

/// A batch of what a body holds, read twice: once followed by bytes that continue it, once without a byte after it.
func batch(_ body: some Collection<UInt8>) throws -> (batch: IntentBatch, lines: Int) {
    var reader = IntentReader(zones: EveryZone())
    let followed = Array(body) + Array(repeatElement(Array(#""]}{1,"#.utf8), count: 11).joined())
    var results: [(batch: IntentBatch, lines: Int)] = []
    for isPadded in [true, false] {
        var batch = IntentBatch()
        let lines = try followed.withUnsafeBytes { bytes in
            try reader.read(UnsafeRawBufferPointer(rebasing: bytes[..<body.count]), isPadded: isPadded, into: &batch)
        }
        results.append((batch, lines))
    }
    guard description(results[0].batch) == description(results[1].batch) else {
        throw RequestFault(.malformed, "padded and unpadded bodies are read differently")
    }
    return results[0]
}

func batch(_ text: String) throws -> IntentBatch {
    try batch(Array(text.utf8)).batch
}

/// All of a batch, as text to compare.
func description(_ batch: IntentBatch) -> String {
    "\(batch.intents) \(batch.settings) \(batch.feedback) \(batch.rejections) \(String(decoding: batch.bytes.bytes, as: UTF8.self))"
}

/// How one line was refused: `code field`; nil when it was not.
func refusal(_ line: String) throws -> String? {
    let batch = try batch(line)
    guard batch.intents.count == 1 else { return "\(batch.intents.count) intents" }
    guard batch.intents[0].operation == .rejected else { return nil }
    let rejection = batch.rejections[Int(batch.intents[0].detail)]
    return "\(rejection.code.rawValue) \(rejection.field)"
}

/// The canonical content of one line; nil when it was refused.
func content(_ line: Line) throws -> String? {
    let batch = try batch(line.text)
    guard let intent = batch.intents.first, intent.operation == .schedule else { return nil }
    return batch.bytes.text(intent.content)
}

/// Knows every time zone but one.
struct EveryZone: ZoneChecking {
    static let unknown = "Mars/Olympus"

    func contains(_ name: UnsafeRawBufferPointer) -> Bool { !name.isEmpty && !name.elementsEqual(Self.unknown.utf8) }
}
