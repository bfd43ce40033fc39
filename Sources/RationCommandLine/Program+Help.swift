/// The texts of `--help`: aligned, at most 100 columns.
extension Program {
    /// The list of subcommands.
    public var help: String {
        var lines = [summary, "", "Usage: \(name) COMMAND [OPTIONS]", "", "Commands:"]
        lines += HelpLayout.aligned(commands.map { ($0.name, $0.summary) })
        lines += ["", "Options:"]
        lines += HelpLayout.aligned([
            ("-h, --help", "show this, or with a command what that command takes"),
            ("--version", "show the version"),
        ])
        lines += ["", "'\(name) help COMMAND' says more about a command."]
        return lines.joined(separator: "\n")
    }

    /// What one subcommand does and takes.
    public func help(for command: any Command.Type) -> String {
        var lines = [command.summary + ".", "", usage(of: command)]
        for paragraph in command.details { lines += [""] + HelpLayout.wrapped(paragraph, width: HelpLayout.width) }
        if !command.arguments.isEmpty {
            lines += ["", "Arguments:"]
            lines += HelpLayout.aligned(command.arguments.map { ($0.name, $0.meaning) })
        }
        lines += ["", "Options:"]
        lines += HelpLayout.aligned(command.options.map(row) + [("-h, --help", "show this")])
        if !command.examples.isEmpty {
            lines += ["", "Examples:"]
            for example in command.examples { lines += ["  # \(example.meaning)", "  \(example.line)"] }
        }
        return lines.joined(separator: "\n")
    }

    private func usage(of command: any Command.Type) -> String {
        var words = ["Usage:", name, command.name]
        if !command.options.isEmpty { words.append("[OPTIONS]") }
        for argument in command.arguments {
            let word = argument.count.upperBound > 1 ? "\(argument.name)…" : argument.name
            words.append(argument.count.lowerBound == 0 ? "[\(word)]" : word)
        }
        return words.joined(separator: " ")
    }

    private func row(_ option: any OptionDeclaration) -> (String, String) {
        var meaning = option.meaning
        if let defaultText = option.defaultText { meaning += " (default: \(defaultText))" }
        if option.isRepeatable { meaning += "; may be repeated, or hold several with commas" }
        guard let placeholder = option.placeholder else { return ("--\(option.name)", meaning) }
        return ("--\(option.name) \(placeholder)", meaning)
    }
}

/// How help is laid out.
enum HelpLayout {
    static let width = 100

    /// Two columns; long texts go on in the second.
    static func aligned(_ rows: [(String, String)]) -> [String] {
        let first = min(rows.map { DisplayWidth.of($0.0) }.max() ?? 0, 32)
        let indent = String(repeating: " ", count: first + 4)
        return rows.flatMap { name, meaning -> [String] in
            let parts = wrapped(meaning, width: width - first - 4)
            let fits = DisplayWidth.of(name) <= first
            let head = "  " + DisplayWidth.padded(name, to: first) + "  "
            var lines = fits ? [head + (parts.first ?? "")] : ["  " + name]
            lines += parts.dropFirst(fits ? 1 : 0).map { indent + $0 }
            return lines
        }
    }

    /// Breaks a text between words.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
