import RationConfiguration

/// Reads the words behind a subcommand's name against what the subcommand declares.
struct ArgumentParser {
    let command: any Command.Type
    private var parsed = ParsedArguments()
    private var positional: [String] = []
    private(set) var wantsHelp = false

    init(_ command: any Command.Type) {
        self.command = command
        for option in command.options { parsed.declared.insert(option.name) }
        for argument in command.arguments { parsed.declared.insert(argument.name) }
    }

    /// - Returns: nil if help was asked for.
    /// - Throws: `UsageError` with what was meant.
    static func parse(_ words: [String], for command: any Command.Type) throws -> ParsedArguments? {
        var parser = ArgumentParser(command)
        try parser.take(words)
        guard !parser.wantsHelp else { return nil }
        try parser.placePositional()
        try parser.check()
        return parser.parsed
    }

    private mutating func take(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                return
            } else if word == "-h" || word == "--help" {
                wantsHelp = true
                return
            } else if word.hasPrefix("--") {
                try takeOption(word.dropFirst(2), &rest)
            } else if word.hasPrefix("-"), word != "-" {
                throw UsageError(
                    "unknown option '\(Quoted.short(word))' for '\(command.name)'; options have long names")
            } else {
                positional.append(word)
            }
        }
    }

    private mutating func takeOption(_ word: Substring, _ rest: inout ArraySlice<String>) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = command.options.first(where: { $0.name == name }) else {
            let names = command.options.map(\.name) + ["help"]
            throw UsageError(
                Spelling.unknown("option", name, among: names, mark: "--", place: " for '\(command.name)'"))
        }
        guard parsed.texts[name] == nil || option.isRepeatable else {
            throw UsageError("option '--\(name)' is given twice")
        }
        parsed.texts[name, default: []].append(try value(of: option, written: parts.dropFirst().first, &rest))
    }

    private func value(
        of option: any OptionDeclaration, written: String?, _ rest: inout ArraySlice<String>
    ) throws -> String {
        guard let placeholder = option.placeholder else {
            guard written == nil else { throw UsageError("option '--\(option.name)' takes no value") }
            return ""
        }
        if let written { return written }
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw UsageError("option '--\(option.name)' needs a value: --\(option.name)=\(placeholder)")
        }
        rest.removeFirst()
        return next
    }

    private mutating func placePositional() throws {
        var rest = positional[...]
        for argument in command.arguments {
            let taken = rest.prefix(argument.count.upperBound)
            guard taken.count >= argument.count.lowerBound else {
                throw UsageError("'\(command.name)' needs \(argument.name): \(argument.meaning)")
            }
            if !taken.isEmpty { parsed.texts[argument.name] = Array(taken) }
            rest = rest.dropFirst(taken.count)
        }
        if let extra = rest.first {
            throw UsageError("'\(command.name)' takes no argument '\(Quoted.short(extra))'")
        }
    }

    /// Reads every value once, so that reading it later cannot fail.
    private func check() throws {
        for option in command.options {
            do {
                _ = try option.value(of: parsed.texts[option.name] ?? [])
            } catch {
                throw UsageError("option '--\(option.name)': \(error.message)")
            }
        }
    }
}
