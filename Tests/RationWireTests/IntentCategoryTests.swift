import RationModel
import RationWire
import Testing

@Suite("An intent's category is held against what its app has declared")
struct IntentCategoryTests {
    private static func declarations(_ names: [String], app: String = "com.example.a") -> CategoryDeclarations {
        CategoryDeclarations([DeclaredApp(app: app, categories: names.map { NotificationCategory(identifier: $0) })])
    }

    private static func read(
        _ lines: [Line], _ declarations: CategoryDeclarations, _ rule: Policy.UndeclaredCategories
    ) -> IntentBatch {
        var reader = IntentReader(zones: EveryZone(), categories: CategoryCheck(declarations, rule: rule))
        var batch = IntentBatch()
        for line in lines {
            Array(line.text.utf8).withUnsafeBytes { reader.readLine($0, isPadded: false, into: &batch) }
        }
        return batch
    }

    private static func line(_ category: String) -> Line {
        Line.schedule.withContent(["category": "\"\(category)\""])
    }

    private static func message(_ category: String, declared: [String]) -> String? {
        read([line(category)], declarations(declared), .warn).warnings.first?.finding.message
    }

    private static let start = "the app com.example.a has declared no category"

    @Test(
        "a near miss is named",
        arguments: [
            ("Message", ["reply", "message"], "message"), ("MES-SAGE", ["message"], "message"),
            ("mesage", ["message"], "message"), ("massage", ["Other", "message"], "message"),
            ("message ", ["message"], "message"), ("newMessage", ["new_message"], "new_message"),
            ("caf\u{E9}", ["cafe\u{301}"], "cafe\u{301}"), ("Message", ["massage", "message"], "message"),
        ])
    func near(category: String, declared: [String], nearest: String) {
        #expect(
            Self.message(category, declared: declared)
                == "\(Self.start) '\(category)', did you mean '\(nearest)'? Categories are compared byte for byte")
    }

    @Test("what is far from all is told with them, eight at most")
    func far() {
        #expect(Self.message("xyz", declared: ["reply", "message"]) == "\(Self.start) 'xyz', but 'reply', 'message'")
        #expect(Self.message("xyz", declared: []) == "\(Self.start) 'xyz', nor any other")
        let many = (10..<20).map { "category.\($0)" }
        #expect(
            Self.message("xyz", declared: many)?.hasSuffix("'category.16', 'category.17' and 2 more") ?? false)
        let long = String(repeating: "x", count: 300)
        #expect(Self.message(long, declared: ["a"]) == "\(Self.start) '\(long.prefix(64))…', but 'a'")
    }

    @Test("declared ones, none at all, and those of an app that declares nothing are not told")
    func untold() {
        let declared = Self.declarations(["message", "cafe\u{301}"])
        for category in ["message", "cafe\u{301}", ""] {
            for rule in Policy.UndeclaredCategories.allCases {
                let batch = Self.read([Self.line(category), .schedule], declared, rule)
                #expect(batch.warnings.isEmpty && batch.rejections.isEmpty, "\(category), \(rule)")
            }
        }
        let others = Self.declarations(["message"], app: "com.example.A")
        #expect(Self.read([Self.line("x")], others, .reject).rejections.isEmpty)
        #expect(Self.read([Self.line("x")], CategoryDeclarations(), .reject).rejections.isEmpty)
    }

    @Test("the policy's key rejects, warns, or looks at nothing")
    func rules() {
        let declared = Self.declarations(["message"])
        let warned = Self.read([.schedule, Self.line("x"), Self.line("message"), Self.line("y")], declared, .warn)
        #expect(warned.warnings.map(\.intent) == [1, 3])
        #expect(warned.warnings.allSatisfy { $0.kind == .undeclaredCategory && $0.finding.code == .contentCategory })
        #expect(warned.warnings.map(\.finding.field) == ["content.category", "content.category"])
        #expect(warned.intents.map(\.operation) == [.schedule, .schedule, .schedule, .schedule])
        #expect(warned.intents.map { warned.bytes.text($0.category) } == ["", "", "message", ""])
        let rejected = Self.read([.schedule, Self.line("x"), Self.line("message")], declared, .reject)
        #expect(rejected.intents.map(\.operation) == [.schedule, .rejected, .schedule])
        #expect(rejected.rejections.map(\.code) == [.contentCategory] && rejected.warnings.isEmpty)
        let ignored = Self.read([Self.line("x"), Self.line("message")], declared, .ignore)
        #expect(ignored.warnings.isEmpty && ignored.rejections.isEmpty)
        #expect(ignored.intents.allSatisfy { $0.category.isEmpty }, "nor is it held against what devices registered")
    }

    @Test("its code stands behind every code of the content and before the others")
    func order() throws {
        let all = IntentOrderTests.faults
        let border = try #require(all.firstIndex { $0.code == .timeZone })
        for (index, fault) in all.enumerated() where fault.code != .contentTooLarge {
            let line = Self.line("x").with(fault.members).withContent(fault.content)
            let codes = Self.read([line], Self.declarations(["message"]), .reject).rejections.map(\.code)
            #expect(codes == [index < border ? fault.code : .contentCategory])
        }
        let tooLarge = Self.line(String(repeating: "c", count: 5000))
        #expect(Self.read([tooLarge], Self.declarations([]), .reject).rejections.map(\.code) == [.contentTooLarge])
    }

    @Test("of a line that is rejected for something else no warning is told")
    func rejectedOtherwise() {
        let line = Self.line("x").with(["trigger": #"{"calendar":{"hour":24}}"#])
        let batch = Self.read([line, Self.line("y")], Self.declarations(["message"]), .warn)
        #expect(batch.rejections.map(\.code) == [.triggerComponent])
        #expect(batch.warnings.map(\.intent) == [1])
    }

    @Test("a batch that is cut back forgets the warnings, too")
    func cutBack() throws {
        let check = CategoryCheck(Self.declarations(["message"]), rule: .warn)
        var reader = IntentReader(zones: EveryZone(), categories: check)
        var batch = IntentBatch()
        let line = Self.line("x").text + "\n"
        let few = Array(line.utf8)
        _ = try few.withUnsafeBytes { try reader.read($0, isPadded: false, into: &batch) }
        let many = Array(String(repeating: line, count: 4097).utf8)
        #expect(throws: RequestFault.self) {
            _ = try many.withUnsafeBytes { try reader.read($0, isPadded: false, into: &batch) }
        }
        #expect(batch.warnings.map(\.intent) == [0])
    }

    @Test("of many different unknown names a few are searched for, and all are told")
    func flood() {
        let declared = (0..<16).map { "category" + String(repeating: "y", count: 50) + "\($0)" }
        let lines = (0..<4096).map { Self.line("categary" + String(repeating: "y", count: 50) + "\($0)") }
        let batch = Self.read(lines, Self.declarations(declared), .warn)
        #expect(batch.warnings.count == 4096)
        #expect(batch.warnings.filter { $0.finding.message.contains("did you mean") }.count == 64)
    }
}
