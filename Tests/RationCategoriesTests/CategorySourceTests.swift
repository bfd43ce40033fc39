import Foundation
import RationConfiguration
import RationModel
import RationWire
import Testing

@testable import RationCategories

@Suite("The Swift source that registers an app's categories")
struct CategorySourceTests {
    private static func app(_ yaml: String) throws -> DeclaredApp {
        try #require(try CategoryReader.read(text: Array(yaml.utf8), file: "c").declarations.apps.first)
    }

    @Test("it registers each category with its actions, options and texts, and nothing else")
    func registers() throws {
        let app = try Self.app(
            """
            com.example.habits:
              - identifier: reminder
                actions:
                  - {identifier: done, title: Done, icon: {system: checkmark}}
                  - {identifier: LATER, title: "In an \\"hour\\"", foreground: true, destructive: true}
                  - {identifier: write, title: Write, authenticationRequired: true, icon: {template: pen}, textInput: {buttonTitle: Save}}
                customDismissAction: true
                allowInCarPlay: true
                intents: [INSendMessageIntent]
                summaryFormat: "%u more"
              - {identifier: plain, hiddenPreviewsShowTitle: true, hiddenPreviewsShowSubtitle: true, hiddenPreviewsBodyPlaceholder: "%u"}
            """)
        let printed = try Compiler.output(
            of: CategorySource.text(for: app),
            main: """
                import UserNotifications
                DeclaredCategories.register()
                let all = UNUserNotificationCenter.current().categories.sorted { $0.identifier > $1.identifier }
                for category in all {
                    print(category.identifier, category.intentIdentifiers, category.hiddenPreviewsBodyPlaceholder,
                        category.categorySummaryFormat, category.options.rawValue, separator: "|")
                    for action in category.actions {
                        let input = (action as? UNTextInputNotificationAction).map { "\\($0.textInputButtonTitle),\\($0.textInputPlaceholder)" }
                        print("", action.identifier, action.title, action.options.rawValue, action.icon?.words ?? "-", input ?? "-", separator: "|")
                    }
                }
                print(DeclaredCategories.app, DeclaredCategories.Category.allCases, DeclaredCategories.Action.allCases)
                print(DeclaredCategories.Action.later.rawValue)
                """)
        #expect(
            printed
                == """
                reminder|["INSendMessageIntent"]||%u more|3
                |done|Done|0|system checkmark|-
                |LATER|In an "hour"|6|-|-
                |write|Write|1|template pen|Save,
                plain|[]|%u||12
                com.example.habits [main.DeclaredCategories.Category.reminder, main.DeclaredCategories.Category.plain] \
                [main.DeclaredCategories.Action.done, main.DeclaredCategories.Action.later, main.DeclaredCategories.Action.write]
                LATER

                """.replacing("main.", with: "program."))
    }

    @Test(
        "an app without categories or without actions has source that compiles",
        arguments: ["a: []", "a: [{identifier: x}]", "a: [{identifier: x, actions: [{identifier: y, title: z}]}]"])
    func few(yaml: String) throws {
        try Compiler.check(CategorySource.text(for: try Self.app(yaml)))
    }

    @Test("the sample's source compiles for each app")
    func sample() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/categories.yaml").path
        let result = try CategoryReader.read(file: file)
        #expect(result.warnings.isEmpty)
        for app in result.declarations.apps { try Compiler.check(CategorySource.text(for: app)) }
    }

    @Test("icons are made only where the system has them: behind the check for iOS 15")
    func availability() throws {
        let app = try Self.app("a: [{identifier: x, actions: [{identifier: y, title: z, icon: {system: s}}]}]")
        let lines = CategorySource.text(for: app).split(separator: "\n", omittingEmptySubsequences: false)
        let pictures = lines.indices.filter { lines[$0].contains("icon.picture") }
        #expect(pictures.count == 2)
        for place in pictures { #expect(lines[(place - 3)..<place].contains { $0.contains("#available(iOS 15.0") }) }
        let declaration = try #require(lines.firstIndex { $0.contains("var picture") })
        #expect(lines[declaration - 1].contains("@available(iOS 15.0"))
        #expect(lines.contains("@available(iOS 12.0, macCatalyst 13.1, macOS 10.14, *)"))
    }

    @Test(
        "generated declarations with hostile texts have source that compiles, registers them byte for byte, and is the same again",
        arguments: Seeds.all)
    func generated(seed: UInt64) throws {
        var generator = CategoryGenerator(seed: seed)
        let app = generator.app()
        let declarations = CategoryDeclarations([app])
        try #require(declarations.faults().isEmpty, "seed \(seed): \(declarations.faults())")
        let source = CategorySource.text(for: app)
        #expect(source == CategorySource.text(for: app), "seed \(seed)")
        let printed = try Compiler.output(
            of: source,
            main: """
                import UserNotifications
                func hex(_ text: String) -> String { text.utf8.map { String($0, radix: 16) }.joined(separator: " ") }
                var lines: [String] = []
                for category in DeclaredCategories.all {
                    lines.append("\\(hex(category.identifier))|\\(hex(category.categorySummaryFormat))|\\(category.options.rawValue)")
                    for action in category.actions {
                        lines.append("\\(hex(category.identifier))|\\(hex(action.identifier))|\\(hex(action.title))|\\(action.options.rawValue)")
                    }
                }
                for line in lines.sorted() { print(line) }
                """)
        #expect(
            printed.split(separator: "\n").map(String.init) == Self.lines(of: app).sorted(), "seed \(seed)\n\(source)")
    }

    private static func lines(of app: DeclaredApp) -> [String] {
        func hex(_ text: String) -> String { text.utf8.map { String($0, radix: 16) }.joined(separator: " ") }
        return app.categories.flatMap { category in
            ["\(hex(category.identifier))|\(hex(category.summaryFormat ?? ""))|\(category.options.rawValue)"]
                + category.actions.map {
                    "\(hex(category.identifier))|\(hex($0.identifier))|\(hex($0.title))|\($0.options.rawValue)"
                }
        }
    }
}
