import RationConfiguration
import RationModel
import RationWire
import Testing

@Suite("Declarations of categories as JSON documents")
struct CategoryDocumentTests {
    @Test("what is absent is left out, and apps come in the order of their names")
    func bytes() {
        var done = NotificationAction(identifier: "d\"", title: "Done")
        (done.options, done.icon) = ([.destructive, .foreground], .template("x"))
        done.textInput = NotificationAction.TextInput(buttonTitle: "b", placeholder: "")
        var category = NotificationCategory(identifier: "reminder")
        (category.actions, category.options, category.intents) = ([done], [.allowInCarPlay], ["i"])
        category.summaryFormat = "%u"
        let declarations = CategoryDeclarations([
            DeclaredApp(app: "b", categories: [category, NotificationCategory(identifier: "x")]),
            DeclaredApp(app: "a", categories: []),
        ])
        #expect(
            String(decoding: declarations.document, as: UTF8.self)
                == #"{"a":[],"b":[{"identifier":"reminder","actions":[{"identifier":"d\"","title":"Done","foreground":true,"#
                + #""destructive":true,"icon":{"template":"x"},"textInput":{"buttonTitle":"b","placeholder":""}}],"#
                + #""intents":["i"],"allowInCarPlay":true,"summaryFormat":"%u"},{"identifier":"x"}]}"#)
        #expect(String(decoding: CategoryDeclarations().document, as: UTF8.self) == "{}")
    }

    @Test("reading a document gives the declarations again, byte for byte", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        // libyaml takes U+2028 for a line break, as YAML 1.1 did, and folds it.
        var generator = CategoryGenerator(seed: seed, leavingOut: ["\u{2028}"])
        let declarations = CategoryDeclarations([generator.app()])
        let read = try CategoryReader.read(text: declarations.document, file: "c").declarations
        #expect(read.document == declarations.document, "seed \(seed)")
        #expect(read == declarations, "seed \(seed)")
    }

    @Test(
        "a policy's document says what becomes of an undeclared category",
        arguments: Policy.UndeclaredCategories.allCases)
    func policy(rule: Policy.UndeclaredCategories) {
        var policy = Policy()
        policy.categories = rule
        #expect(String(decoding: policy.document, as: UTF8.self).contains(#""categories":"\#(rule)""#))
    }
}
