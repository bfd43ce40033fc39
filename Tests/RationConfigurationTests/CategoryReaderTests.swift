import RationModel
import Testing

@testable import RationConfiguration

@Suite("Declarations of categories are read whole, or every fault is told")
struct CategoryReaderTests {
    private static func told(_ text: String) -> [String] {
        do {
            _ = try CategoryReader.read(text: Array(text.utf8), file: "c")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private static func warnings(_ text: String) throws -> [String] {
        try CategoryReader.read(text: Array(text.utf8), file: "c").warnings.map(\.description)
    }

    @Test("every key is read")
    func whole() throws {
        let text = """
            com.example.habits:
              - identifier: reminder
                actions:
                  - {identifier: done, title: Done, foreground: true, destructive: true, authenticationRequired: true}
                  - {identifier: say, title: Say, icon: {system: mic}, textInput: {buttonTitle: Send, placeholder: "…"}}
                  - {identifier: see, title: See, icon: {template: eye}, textInput: {buttonTitle: Look}, foreground: false}
                intents: [INSendMessageIntent]
                customDismissAction: true
                allowInCarPlay: true
                hiddenPreviewsShowTitle: true
                hiddenPreviewsShowSubtitle: true
                hiddenPreviewsBodyPlaceholder: "%u reminders"
                summaryFormat: "%u more of %@"
            a: []
            b:
            """
        var (done, say, see) = (
            NotificationAction(identifier: "done", title: "Done"), NotificationAction(identifier: "say", title: "Say"),
            NotificationAction(identifier: "see", title: "See")
        )
        done.options = [.foreground, .destructive, .authenticationRequired]
        (say.icon, say.textInput) = (.system("mic"), .init(buttonTitle: "Send", placeholder: "…"))
        (see.icon, see.textInput) = (.template("eye"), .init(buttonTitle: "Look", placeholder: ""))
        var reminder = NotificationCategory(identifier: "reminder")
        (reminder.actions, reminder.intents) = ([done, say, see], ["INSendMessageIntent"])
        reminder.options = [
            .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle,
        ]
        (reminder.hiddenPreviewsBodyPlaceholder, reminder.summaryFormat) = ("%u reminders", "%u more of %@")
        let expected = CategoryDeclarations([
            DeclaredApp(app: "com.example.habits", categories: [reminder]), DeclaredApp(app: "a", categories: []),
            DeclaredApp(app: "b", categories: []),
        ])
        let read = try CategoryReader.read(text: Array(text.utf8), file: "c").declarations
        #expect(read == expected)
        #expect(read.apps.map(\.app) == ["a", "b", "com.example.habits"], "by the bytes of their names")
    }

    @Test(
        "what is wrong is told with its place, what was expected and what was found",
        arguments: [
            BadDocument("[]", "c:1:1: expected a mapping, found a list"),
            BadDocument("a: {identifier: x}", "c:1:4: a: expected a list of categories, found a mapping"),
            BadDocument("a: [x]", "c:1:5: a[0]: expected a mapping, found the text 'x'"),
            BadDocument(
                "a/b: []", "c:1:1: a/b: expected an app of 1 to 128 letters, digits, '.', '-' or '_', found 'a/b'"),
            BadDocument(
                "a:\n- identifer: x",
                "c:2:3: a[0].identifer: unknown key 'identifer', did you mean 'identifier'?",
                "c:2:3: a[0].identifier: the key 'identifier' is missing"),
            BadDocument(
                "a: [{identifier: ''}]",
                "c:1:18: a[0].identifier: expected 1 to 256 bytes without control characters or spaces at the ends, found an empty text"
            ),
            BadDocument(
                "a: [{identifier: ' x'}]",
                "c:1:18: a[0].identifier: expected 1 to 256 bytes without control characters or spaces at the ends, found ' x', 2 bytes"
            ),
            BadDocument("a: [{identifier: 1}]", "c:1:18: a[0].identifier: expected a text, found the number 1"),
            BadDocument(
                "a: [{identifier: x}, {identifier: y}, {identifier: x}]",
                "c:1:52: a[2].identifier: expected another identifier, the category 'x' stands at a[0].identifier"),
            BadDocument(
                "a: [{identifier: \u{E9}}, {identifier: e\u{301}}]",
                "c:1:35: a[1].identifier: expected another identifier, the category 'e\u{301}' stands at a[0].identifier"
            ),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: d, title: D}, {identifier: d, title: E}]}]",
                "c:1:71: a[0].actions[1].identifier: expected another identifier, the action 'd' stands at a[0].actions[0].identifier"
            ),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: \u{E9}, title: D}]}, {identifier: y, actions: [{identifier: e\u{301}, title: D}]}]",
                "c:1:99: a[1].actions[0].identifier: expected the bytes of the action '\u{E9}' at a[0].actions[0].identifier, found others that Unicode calls equivalent"
            ),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: d}]}]",
                "c:1:31: a[0].actions[0].title: the key 'title' is missing"),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: d, title: ''}]}]",
                "c:1:54: a[0].actions[0].title: expected a text of 1 to 1024 bytes, found 0 bytes"),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: d, title: D, foreground: yes, icon: {}}]}]",
                "c:1:69: a[0].actions[0].foreground: expected true or false, found the text 'yes'",
                "c:1:80: a[0].actions[0].icon: expected either 'system', a symbol's name, or 'template', the name of an image in the app"
            ),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: d, title: D, icon: {system: a, template: b}}]}]",
                "c:1:63: a[0].actions[0].icon: expected either 'system', a symbol's name, or 'template', the name of an image in the app"
            ),
            BadDocument(
                "a: [{identifier: x, actions: [{identifier: d, title: D, icon: bell, textInput: {placeholder: p}}]}]",
                "c:1:63: a[0].actions[0].icon: expected a mapping, found the text 'bell'",
                "c:1:80: a[0].actions[0].textInput.buttonTitle: the key 'buttonTitle' is missing"),
            BadDocument(
                "a: [{identifier: x, intents: [1], allowInCarPlay: 1, summaryFormat: ''}]",
                "c:1:31: a[0].intents[0]: expected an intent's identifier, found the number 1",
                "c:1:51: a[0].allowInCarPlay: expected true or false, found the number 1",
                "c:1:69: a[0].summaryFormat: expected a text of 1 to 1024 bytes, found 0 bytes"),
            BadDocument("a: []\na: []", "c:2:1: a: the key 'a' stands here twice, first on line 1"),
        ])
    func refused(document: BadDocument) {
        #expect(Self.told(document.text) == document.faults)
    }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        "[" + (0..<count).map(item).joined(separator: ", ") + "]"
    }

    private static func app(actions: Int) -> String {
        "a: [{identifier: x, actions: " + list(actions) { "{identifier: a\($0), title: t}" } + "}]"
    }

    @Test("limits: just what fits is taken, one more is refused")
    func limits() throws {
        #expect(Self.told(Self.app(actions: 10)).isEmpty)
        #expect(
            Self.told(Self.app(actions: 11)) == ["c:1:30: a[0].actions: expected at most 10 actions, found 11"])
        #expect(Self.told("a: " + Self.list(256) { "{identifier: x\($0)}" }).isEmpty)
        #expect(
            Self.told("a: " + Self.list(257) { "{identifier: x\($0)}" }) == [
                "c:1:1: a: expected at most 256 categories, found 257"
            ])
        let apps = { (count: Int) in (0..<count).map { "a\($0): []\n" }.joined() }
        #expect(Self.told(apps(1000)).isEmpty)
        #expect(Self.told(apps(1001)) == ["c:1:1: expected at most 1000 apps, found 1001"])
        for (bytes, isTaken) in [(256, true), (257, false)] {
            let name = String(repeating: "x", count: bytes)
            #expect(Self.told("a: [{identifier: \(name)}]").isEmpty == isTaken)
            #expect(Self.told("a: [{identifier: i, actions: [{identifier: \(name), title: t}]}]").isEmpty == isTaken)
        }
        for (bytes, isTaken) in [(1024, true), (1025, false)] {
            let text = String(repeating: "x", count: bytes)
            #expect(Self.told("a: [{identifier: x, summaryFormat: \(text)}]").isEmpty == isTaken)
        }
        for (count, isTaken) in [(64, true), (65, false)] {
            #expect(
                Self.told("a: [{identifier: x, intents: " + Self.list(count) { "i\($0)" } + "}]").isEmpty == isTaken)
        }
    }

    @Test("no more than two actions are shown in a banner: a third one is worth a warning")
    func banner() throws {
        #expect(try Self.warnings(Self.app(actions: 2)).isEmpty)
        #expect(
            try Self.warnings(Self.app(actions: 3)) == [
                "c:1:30: a[0].actions: a banner shows the first 2 of these 3 actions"
            ])
    }

    @Test(
        "an identifier that is nearly another one is worth a warning",
        arguments: ["Message", "MESSAGE", "mes-sage", "mes_sage", "mes.sage"])
    func near(name: String) throws {
        #expect(
            try Self.warnings("a: [{identifier: message}, {identifier: \(name)}]") == [
                "c:1:41: a[1].identifier: '\(name)' is nearly 'message': intents name a category byte for byte"
            ])
        #expect(try Self.warnings("a: [{identifier: message}]\nb: [{identifier: \(name)}]").isEmpty, "apps are apart")
    }

    @Test("one action in several categories is the same, or it is worth a warning")
    func sharedAction() throws {
        let text = { (title: String) in
            "a: [{identifier: x, actions: [{identifier: d, title: D}]}, {identifier: y, actions: [{identifier: d, title: \(title)}]}]"
        }
        #expect(try Self.warnings(text("D")).isEmpty)
        #expect(
            try Self.warnings(text("E")) == [
                "c:1:99: a[1].actions[0].identifier: the action 'd' is another one at a[0].actions[0]; the app gets the identifier alone"
            ])
    }

    @Test(
        "formats hold the placeholders that the system fills",
        arguments: [
            ("%u more", nil), ("%u of %@, 100%%", nil), ("%2$@ %1$u", nil), ("%d", "%d"), ("50 %", "%"), ("%1u", "%1u"),
            ("%1$%", "%1$"), ("%%%s", "%s"), ("", nil),
        ] as [(String, String?)])
    func formats(format: String, stranger: String?) throws {
        let quoted =
            "a: [{identifier: x, hiddenPreviewsShowTitle: true\(format.isEmpty ? "" : ", summaryFormat: '\(format)'")}]"
        let warnings = try Self.warnings(quoted)
        #expect(warnings.count == (stranger == nil ? 0 : 1))
        if let stranger { #expect(warnings.first?.hasSuffix("found '\(stranger)'") ?? false, "\(warnings)") }
        #expect(try Self.warnings("a: [{identifier: x, hiddenPreviewsBodyPlaceholder: '%@'}]").count == 1)
    }

    @Test("in a configuration they stand inline, with their paths, or in a file beside it")
    func configured() throws {
        #expect(try configuration("broker: {categories: {a: [{identifier: x}]}}").broker.categories.apps.count == 1)
        #expect(try configuration("broker: {}").broker.categoriesSource == .standard)
        #expect(try configuration("broker: {categories: x.yaml}").broker.categoriesSource == .file("x.yaml"))
        #expect(
            faults(ofConfiguration: "broker: {categories: {a: [{identifer: x}], b/: []}}") == [
                "c:1:27: broker.categories.a[0].identifier: the key 'identifier' is missing",
                "c:1:28: broker.categories.a[0].identifer: unknown key 'identifer', did you mean 'identifier'?",
                "c:1:44: broker.categories.b/: expected an app of 1 to 128 letters, digits, '.', '-' or '_', found 'b/'",
            ])
        #expect(
            faults(ofConfiguration: "broker: {categories: [x]}") == [
                "c:1:22: broker.categories: expected a file's path or a mapping, found a list"
            ])
    }

    @Test("the policy says what becomes of an undeclared one: warn, unless it says otherwise")
    func rule() throws {
        #expect(try policy("{}").categories == .warn)
        for word in Policy.UndeclaredCategories.allCases {
            let policy = try policy("categories: \(word)")
            #expect(policy.categories == word)
        }
        #expect(
            faults(ofPolicy: "categories: Warn") == [
                "p:1:13: categories: expected reject or warn or ignore, found the text 'Warn'"
            ])
    }
}
