import RationModel

/// Schedulers, subscribers and processes from their sections.
extension ServiceDecoding {
    mutating func scheduler(_ entry: YAMLEntry, at path: String) -> SchedulerConfiguration? {
        let plugin = plugin(entry, "scheduler", among: installed.schedulers, at: path)
        let fields = fields(entry, at: path, keys: SchedulerConfiguration.keys, plugin)
        let facts = facts(fields["facts"], of: entry, at: path)
        let state = file(fields["state"], of: entry, at: path)
        if let facts, state?.utf8.elementsEqual(facts.utf8) ?? false {
            decoding.refuse(
                entry.place, at: path, "expected a state file of its own, found the facts' '\(Quoted.short(facts))'")
        }
        var scheduler = SchedulerConfiguration(
            name: entry.key, plugin: plugin?.name ?? entry.key, facts: facts ?? "", state: state ?? "")
        if let field = fields["every"] {
            let range = SchedulerConfiguration.everyRangeMilliseconds
            decoding.duration(field.value, at: "\(path).every", in: range).map { scheduler.everyMilliseconds = $0 }
        }
        if let field = fields["retry"] {
            let range = SchedulerConfiguration.retryRangeMilliseconds
            decoding.duration(field.value, at: "\(path).retry", in: range).map { scheduler.retryMilliseconds = $0 }
        }
        guard let plugin else { return nil }
        scheduler.queries = queries(fields["queries"], of: entry, plugin, at: path)
        scheduler.settings = settings(entry, fields, plugin, at: path)
        return scheduler
    }

    mutating func subscriber(_ entry: YAMLEntry, at path: String) -> SubscriberConfiguration? {
        let plugin = plugin(entry, "subscriber", among: installed.subscribers, at: path)
        let fields = fields(entry, at: path, keys: SubscriberConfiguration.keys, plugin)
        let data = file(fields["data"], of: entry, at: path)
        var subscriber = SubscriberConfiguration(
            name: entry.key, plugin: plugin?.name ?? entry.key, data: data ?? "")
        if let field = fields["apps"] {
            subscriber.apps = names(field.value, "an app", limit: Limits.appBytes, at: "\(path).apps")
        }
        if let field = fields["types"] {
            subscriber.types = names(field.value, "a type", limit: Limits.typeBytes, at: "\(path).types")
        }
        if let field = fields["page"] {
            let range = SubscriberConfiguration.pageRange
            decoding.wholeNumber(field.value, at: "\(path).page", in: range).map { subscriber.pageEvents = $0 }
        }
        if let field = fields["tries"] {
            let range = SubscriberConfiguration.triesRange
            decoding.wholeNumber(field.value, at: "\(path).tries", in: range).map { subscriber.tries = $0 }
        }
        if let field = fields["http"] { subscriber.http = address(field.value, at: "\(path).http") }
        guard let plugin else { return nil }
        subscriber.settings = settings(entry, fields, plugin, at: path)
        return subscriber
    }

    mutating func process(_ entry: YAMLEntry, at path: String) -> ProcessConfiguration? {
        let keys = ProcessConfiguration.keys
        let fields = entry.value.isNull ? [:] : decoding.fields(entry.value, at: path, keys: keys)
        guard let field = fields["command"] else {
            decoding.refuse(
                entry.place, at: path, "expected the key 'command', a list of the program and its arguments, found none"
            )
            return nil
        }
        let commandPath = "\(path).command"
        guard let items = items(field.value), !items.isEmpty else {
            let found = items(field.value) == nil ? field.value.summary : "an empty list"
            decoding.refuse(
                field.value.place, at: commandPath,
                "expected a list of the program and its arguments, found \(found)")
            return nil
        }
        let words = items.enumerated().compactMap { index, item in word(item, at: "\(commandPath)[\(index)]") }
        guard words.count == items.count else { return nil }
        return ProcessConfiguration(name: entry.key, command: [program(words[0])] + words.dropFirst())
    }

    private func items(_ node: YAMLNode) -> [YAMLNode]? {
        if case .sequence(let items) = node.value { items } else { nil }
    }

    /// A number needs no quotes in a command.
    private mutating func word(_ node: YAMLNode, at path: String) -> String? {
        if case .scalar(let scalar) = node.value, [.wholeNumber, .otherNumber, .truth].contains(scalar.kind) {
            return scalar.text
        }
        return decoding.text(node, at: path, expected: "a text without NUL") { $0.utf8.contains(0) ? nil : $0 }
    }

    private func program(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "/")) ? FileText.path(text, besideFile: decoding.file) : text
    }

    private mutating func facts(_ field: YAMLEntry?, of entry: YAMLEntry, at path: String) -> String? {
        if let field { return self.path(field.value, at: "\(path).facts") }
        decoding.refuse(
            entry.place, at: path, "expected the key 'facts', the SQLite file that the facts are read from, found none")
        return nil
    }

    /// The names of a filter.
    private mutating func names(_ node: YAMLNode, _ kind: String, limit: Int, at path: String) -> [String] {
        let expected = "\(kind) of 1 to \(limit) letters, digits, '.', '-' and '_'"
        return decoding.texts(node, at: path, most: SubscriberConfiguration.filterLimit, expected: expected) { text in
            var text = text
            return text.withUTF8 { Name.isPlain(UnsafeRawBufferPointer($0), limit: limit) }
        }
    }

    /// The queries by the names of the plugin's tables.
    private mutating func queries(
        _ field: YAMLEntry?, of entry: YAMLEntry, _ plugin: InstalledPlugin, at path: String
    ) -> [String: String] {
        let queriesPath = "\(path).queries"
        let place = field?.place ?? entry.place
        if let field, case .mapping = field.value.value {
        } else if let field {
            decoding.refuse(field.value.place, at: queriesPath, "expected a mapping, found \(field.value.summary)")
            return [:]
        }
        let fields =
            field.map { decoding.fields($0.value, at: queriesPath, keys: plugin.tables.map(\.name)) } ?? [:]
        var queries: [String: String] = [:]
        for table in plugin.tables {
            let tablePath = DottedPath.joined(queriesPath, table.name)
            guard let query = fields[table.name] else {
                guard !table.isOptional else { continue }
                decoding.refuse(place, at: tablePath, "expected a query, found none")
                continue
            }
            queries[table.name] = decoding.text(query.value, at: tablePath, expected: "a query in SQL") {
                $0.utf8.allSatisfy { $0 <= 0x20 } ? nil : $0
            }
        }
        return queries
    }

    /// The plugin's own settings, checked by it.
    private mutating func settings(
        _ entry: YAMLEntry, _ fields: [String: YAMLEntry], _ plugin: InstalledPlugin, at path: String
    ) -> [Setting] {
        let names = plugin.settings.map(\.name)
        var reading = SettingDecoding(decoding: decoding)
        var settings: [Setting] = []
        var told: Set<String> = []
        for field in Self.inOrder(fields) where names.contains(field.key) {
            let settingPath = DottedPath.joined(path, field.key)
            if let setting = reading.setting(field, at: settingPath) {
                settings.append(setting)
            } else {
                told.insert(field.key)
            }
        }
        decoding = reading.decoding
        for setting in plugin.settings where setting.standard == nil && fields[setting.name] == nil {
            told.insert(setting.name)
            decoding.refuse(
                entry.place, at: path, "expected the key '\(setting.name)', \(setting.form), found none")
        }
        for fault in plugin.faults(settings) where !told.contains(Self.name(ofSetting: fault.path)) {
            decoding.refuseBelow(DottedPath.joined(path, fault.path), root: entry.place, fault.message)
        }
        return settings
    }

    /// The setting that a path leads into: `messages` of `messages.day1.title`, `days` of `days[2]`.
    private static func name(ofSetting path: String) -> String {
        String(path.prefix { $0 != "." && $0 != "[" })
    }

    private static func inOrder(_ fields: [String: YAMLEntry]) -> [YAMLEntry] {
        fields.values.sorted { $0.place < $1.place }
    }
}
