import RationModel

/// Makes the schedulers, subscribers and processes of a deployment of their sections.
struct ServiceDecoding {
    var decoding: Decoding
    let broker: BrokerConfiguration
    let installed: InstalledServices
    /// What each process's name was used for, and the section's path of each file that a process writes.
    private var names: [String: String] = ["broker": "broker", "up": "the supervisor"]
    private var files: [String: String] = [:]
    private var addresses: [String: String] = [:]

    init(decoding: Decoding, broker: BrokerConfiguration, installed: InstalledServices) {
        (self.decoding, self.broker, self.installed) = (decoding, broker, installed)
        if let http = broker.http { addresses["\(http)"] = "broker.http" }
    }

    /// - Parameter sections: those of the document, by name.
    mutating func read(_ sections: [String: YAMLEntry], into configuration: inout Configuration) {
        configuration.schedulers = read(sections["schedulers"]) { reader, entry, path in
            reader.scheduler(entry, at: path)
        }
        configuration.subscribers = read(sections["subscribers"]) { reader, entry, path in
            reader.subscriber(entry, at: path)
        }
        configuration.processes = read(sections["processes"]) { reader, entry, path in
            reader.process(entry, at: path)
        }
    }

    private mutating func read<Service>(
        _ section: YAMLEntry?, _ reading: (inout ServiceDecoding, YAMLEntry, String) -> Service?
    ) -> [Service] {
        guard let section else { return [] }
        let entries = decoding.entries(section.value, at: section.key, keepsNull: true) ?? []
        return entries.compactMap { entry in
            let path = DottedPath.joined(section.key, entry.key)
            checkName(entry, at: path)
            return reading(&self, entry, path)
        }
    }

    /// A name stands before lines of output, in files' names and on the wire.
    private mutating func checkName(_ entry: YAMLEntry, at path: String) {
        guard Self.isName(entry.key) else {
            return decoding.refuse(
                entry.place, at: path,
                "expected a name of 1 to \(Limits.publisherBytes) letters, digits, '.', '-' and '_' that does not begin "
                    + "with '.' or '-', found '\(Quoted.short(entry.key))'")
        }
        if let other = names[entry.key] {
            decoding.refuse(entry.place, at: path, "expected a name of its own, found that of \(other)")
        } else {
            names[entry.key] = path
        }
    }

    private static func isName(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
            return Name.isPlain(UnsafeRawBufferPointer(bytes), limit: Limits.publisherBytes)
        }
    }

    /// The plugin that a section is for: what its key `plugin` says, else the process's name.
    /// - Returns: nil for one that is not installed; it is told.
    mutating func plugin(
        _ entry: YAMLEntry, _ kind: String, among plugins: [InstalledPlugin], at path: String
    ) -> InstalledPlugin? {
        var (name, place, namePath) = (entry.key, entry.place, path)
        if case .mapping(let fields) = entry.value.value,
            let field = fields.first(where: { $0.key == "plugin" && !$0.value.isNull })
        {
            namePath = DottedPath.joined(path, "plugin")
            guard let text = decoding.text(field.value, at: namePath) else { return nil }
            (name, place) = (text, field.value.place)
        }
        if let plugin = plugins.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return plugin }
        decoding.refuse(place, at: namePath, Spelling.unknown(kind, name, among: plugins.map(\.name)))
        return nil
    }

    /// The entries of a section by key. Without a plugin only the keys that every section has are looked at, since nobody
    /// knows the others.
    mutating func fields(
        _ entry: YAMLEntry, at path: String, keys: [String], _ plugin: InstalledPlugin?
    ) -> [String: YAMLEntry] {
        var node = entry.value
        if node.isNull { return [:] }
        if plugin == nil, case .mapping(let entries) = node.value {
            node.value = .mapping(entries.filter { keys.contains($0.key) })
        }
        return decoding.fields(node, at: path, keys: keys + (plugin?.settings.map(\.name) ?? []))
    }

    /// A file that one process alone writes.
    /// - Returns: its path; `NAME.db` in the broker's data folder where the key is absent.
    mutating func file(_ field: YAMLEntry?, of entry: YAMLEntry, at path: String) -> String? {
        let filePath = field.map { DottedPath.joined(path, $0.key) } ?? path
        var file: String? = broker.data + (broker.data.hasSuffix("/") ? "" : "/") + "\(entry.key).db"
        if let field { file = self.path(field.value, at: filePath) }
        guard let file else { return nil }
        if let other = files[file] {
            decoding.refuse(
                field?.value.place ?? entry.place, at: filePath,
                "expected a file of its own, found that of \(other), '\(Quoted.short(file))'")
        }
        files[file] = filePath
        return file
    }

    /// The path of a file; a relative one starts at the configuration's folder.
    mutating func path(_ node: YAMLNode, at path: String) -> String? {
        let file = decoding.file
        return decoding.text(node, at: path, expected: "a file's path") { text in
            text.isEmpty ? nil : FileText.path(text, besideFile: file)
        }
    }

    /// An address where one process alone answers.
    mutating func address(_ node: YAMLNode, at path: String) -> HTTPAddress? {
        guard let text = decoding.text(node, at: path), text != "off" else { return nil }
        do {
            let address = try HTTPAddress(text)
            guard address.port != 0 else { return address }
            if let other = addresses["\(address)"] {
                decoding.refuse(
                    node.place, at: path, "expected an address of its own, found that of \(other), '\(address)'")
            }
            addresses["\(address)"] = path
            return address
        } catch {
            decoding.refuse(node.place, at: path, error.message)
            return nil
        }
    }
}
