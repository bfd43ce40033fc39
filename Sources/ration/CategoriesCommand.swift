import RationCategories
import RationCommandLine
import RationConfiguration
import RationModel

/// `ration categories`: the file in which apps declare their notification categories.
struct CategoriesCommand: Command {
    static let name = "categories"
    static let summary =
        "Check the categories that apps declare, show them, or write the Swift source that registers them"
    static let details = [
        "check tells every fault of a file as file:line:column: path: message, with status 1; a warning is such a line with "
            + "'warning: ' before its message and changes no status. show prints the categories and their actions as a "
            + "table. swift writes a source file for the iOS app: typed identifiers, and a function that registers exactly "
            + "the declared categories. It needs --app where the file declares several apps.",
        "The broker is given the file with --categories, or as the key 'categories' of the configuration's broker section; "
            + "the policy's key 'categories' says what becomes of an intent with another one.",
    ]
    static let action = Argument<String>.required("ACTION", "check, show or swift")
    static let file = Argument<String>.required("FILE", "the declarations, YAML or JSON")
    static let app = Option<String?>.text(
        "app", "APP", "show, swift: the app", defaultText: "all; of swift the only one")
    static let arguments: [any ArgumentDeclaration] = [action, file]
    static let options: [any OptionDeclaration] = [app]
    static let examples = [
        Example("ration categories check deploy/categories.yaml", "before a broker gets it"),
        Example(
            "ration categories swift deploy/categories.yaml --app com.example.habits > DeclaredCategories.swift",
            "for the app"),
    ]

    private enum Action: String, CaseIterable {
        case check, show, swift
    }

    private let action: Action
    private let file: String
    private let app: String?

    init(_ arguments: ParsedArguments) throws {
        let word = arguments[Self.action]
        guard let action = Action(rawValue: word) else {
            throw UsageError(Spelling.unknown("action", word, among: Action.allCases.map(\.rawValue)))
        }
        guard action != .check || !arguments.names(Self.app) else {
            throw UsageError("--app goes with 'categories show', 'categories swift'")
        }
        self.action = action
        file = arguments[Self.file]
        app = arguments[Self.app]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let result: CategoryReader.Result
        do throws(ConfigurationFaults) {
            result = try CategoryReader.read(file: file)
        } catch {
            throw CommandFailure(error)
        }
        for warning in result.warnings { console.complain(warning.warning) }
        let declarations = result.declarations
        switch action {
        case .check: try console.output.line("\(file): \(declarations.summary)")
        case .show:
            let apps = try app.map { [try found($0, declarations)] } ?? declarations.apps
            for line in Self.table(of: apps).lines() { try console.output.line(line) }
        case .swift:
            let text = CategorySource.text(for: try only(declarations))
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                try console.output.line(String(line))
            }
        }
        return .success
    }

    private func found(_ app: String, _ declarations: CategoryDeclarations) throws -> DeclaredApp {
        guard let found = declarations[app] else {
            throw CommandFailure(
                "\(file): \(Spelling.unknown("app", app, among: declarations.apps.map(\.app)))")
        }
        return found
    }

    private func only(_ declarations: CategoryDeclarations) throws -> DeclaredApp {
        if let app { return try found(app, declarations) }
        guard declarations.apps.count == 1 else {
            let names = declarations.apps.map(\.app).joined(separator: ", ")
            throw CommandFailure(
                "\(file): it declares \(declarations.summary), so 'swift' needs --app"
                    + (names.isEmpty ? "" : "; there are \(names)"))
        }
        return declarations.apps[0]
    }

    /// A line for each action, and one for a category without any.
    private static func table(of apps: [DeclaredApp]) -> TextTable {
        var table = TextTable([.init("app"), .init("category"), .init("action"), .init("title"), .init("options")])
        for app in apps {
            for category in app.categories {
                let options = CategoryOptions.all.filter { category.options.contains($0.option) }.map(\.name)
                table.append([
                    app.app, category.identifier.printable, "", "", options.joined(separator: " "),
                ])
                for action in category.actions {
                    var options = ActionOptions.all.filter { action.options.contains($0.option) }.map(\.name)
                    if action.textInput != nil { options.append("textInput") }
                    table.append([
                        "", "", action.identifier.printable, action.title.printable, options.joined(separator: " "),
                    ])
                }
            }
        }
        return table
    }
}

extension CategoryDeclarations {
    /// How much it is, for people.
    var summary: String {
        let count = apps.reduce(0) { $0 + $1.categories.count }
        return "\(count) \(count == 1 ? "category" : "categories") of \(apps.count) \(apps.count == 1 ? "app" : "apps")"
    }
}
