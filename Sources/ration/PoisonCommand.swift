import RationBroker
import RationCommandLine
import RationConfiguration
import RationModel
import RationWire

/// `ration poison`: requests that have ended the broker twice.
struct PoisonCommand: Command {
    static let name = "poison"
    static let summary = "List requests that have ended the broker twice and are refused, or show one"
    static let details = [
        "When the broker crashes, the requests that were being decided are noted, and each is tried alone when it is sent again. One "
            + "that ends the broker a second time is refused with 'poison', which uses up its number, and is kept for a person.",
        "To let one through again, with a broker that can decide it: remove its .json file in DATA/poison, start the broker anew, and "
            + "publish its .ndjson file.",
    ]
    static let hash = Argument<String?>.optional("NAME", "show this one, as it was sent; list all without it")
    static let data = Option<String?>.text("data", "FOLDER", "the broker's data folder, instead of the configuration's")
    static let config = Option<String?>.text("config", "FILE", "take the data folder from this configuration")
    static let json = Option<Bool>.flag("json", "list as JSON, one a line")
    static let arguments: [any ArgumentDeclaration] = [hash]
    static let options: [any OptionDeclaration] = [config, data, json]
    static let examples = [
        Example("ration poison --config deploy/ration.yaml", "what is kept aside"),
        Example("ration poison 3f0c6c2a9e51b7d4 --data /var/lib/ration", "one of them"),
    ]

    private let name: String?
    private let folder: PoisonFolder
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        name = arguments[Self.hash]
        var data = BrokerConfiguration().data
        if let file = arguments[Self.config] {
            do throws(ConfigurationFaults) {
                data = try Configuration.read(endpointsOf: file).broker.data
            } catch {
                throw CommandFailure(error)
            }
        }
        folder = PoisonFolder(data: arguments[Self.data] ?? data)
        printsJSON = arguments[Self.json]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let entries = try folder.entries()
        if let name {
            guard let entry = entries.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw CommandFailure("no request '\(name.printable)' is kept in \(folder.path.printable)")
            }
            try folder.body(of: entry.hash).withUnsafeBytes { body in
                try Lines.forEach(in: body) { try console.output.line(bytes: $0) }
            }
            return .success
        }
        if entries.isEmpty, !printsJSON { try console.output.line("none") }
        for entry in entries { try tell(entry, console) }
        return .success
    }

    private func tell(_ entry: PoisonFolder.Entry, _ console: Console) throws {
        guard printsJSON else {
            let publisher =
                entry.publisher.isEmpty
                ? "a publisher without a name" : "\(entry.publisher.printable), number \(entry.number)"
            return try console.output.line(
                "\(entry.name)  \(entry.at.rfc3339)  \(ByteCount.words(UInt64(entry.bytes))) of \(publisher)")
        }
        let line = ObjectText.bytes { object in
            object.texts(
                ("name", entry.name), ("at", entry.at.rfc3339), ("publisher", entry.publisher),
                ("file", folder.bodyPath(entry.hash)))
            object.integers(("number", Int(truncatingIfNeeded: entry.number)), ("bytes", entry.bytes))
        }
        try line.withUnsafeBytes { try console.output.line(bytes: $0) }
    }
}
