public import RationModel

/// Holds the category that an intent names against what its app has declared (semantics.md section 6).
///
/// An app that is not named by the declarations is not looked at: it has said nothing that could be contradicted.
public struct CategoryCheck: Sendable {
    /// What is told of an unknown name, made once.
    private struct Unknown: Hashable {
        var app: Int
        var name: [UInt8]
    }

    private let rule: Policy.UndeclaredCategories
    private let apps: [DeclaredApp]
    private let appNames: ByteNames
    /// By app.
    private let categoryNames: [ByteNames]
    /// By app: identifiers by what is left of them without capitals and separators.
    private let folded: [[String: String]]
    private var messages: [Unknown: String] = [:]

    /// Unknown names of which messages are kept. Only for these is it worth the time to search for what is nearest.
    private static let keptMessages = 64
    /// Identifiers that a message lists.
    private static let listedNames = 8

    /// - Parameters:
    ///   - declarations: without faults.
    ///   - rule: what becomes of an undeclared one.
    public init(_ declarations: CategoryDeclarations, rule: Policy.UndeclaredCategories) {
        self.rule = rule
        apps = declarations.apps
        appNames = ByteNames(apps.lazy.map(\.app))
        categoryNames = apps.map { ByteNames($0.categories.lazy.map(\.identifier)) }
        folded = apps.map { app in
            let pairs = app.categories.map { (NearestName.folded($0.identifier), $0.identifier) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// Looks at nothing.
    public init() {
        self.init(CategoryDeclarations(), rule: .ignore)
    }

    /// Whether categories are looked at.
    var isLookedAt: Bool { rule != .ignore }

    /// - Parameter category: nil for content without one.
    /// - Returns: what is worth a warning; nil where nothing is.
    /// - Throws: the same, where the rule is to reject.
    mutating func check(
        _ category: UnsafeRawBufferPointer?, of app: UnsafeRawBufferPointer
    ) throws(Rejection) -> Rejection? {
        guard rule != .ignore, !apps.isEmpty, let category, let place = appNames.place(of: app),
            categoryNames[place].place(of: category) == nil
        else { return nil }
        let finding = Rejection(.contentCategory, field: "content.category", message(of: category, app: place))
        if rule == .reject { throw finding }
        return finding
    }

    private mutating func message(of category: UnsafeRawBufferPointer, app: Int) -> String {
        let isSmall = category.count <= Limits.categoryBytes
        let unknown = Unknown(app: app, name: isSmall ? Array(category) : [])
        if isSmall, let message = messages[unknown] { return message }
        let searches = isSmall && messages.count < Self.keptMessages
        let message = describe(String(decoding: category, as: UTF8.self), app, searches: searches)
        if searches { messages[unknown] = message }
        return message
    }

    private func describe(_ name: String, _ app: Int, searches: Bool) -> String {
        let start = "the app \(apps[app].app) has declared no category '\(name.shortened)'"
        let names = apps[app].categories.map(\.identifier)
        let nearest =
            folded[app][NearestName.folded(name)] ?? (searches ? NearestName.nearest(to: name, among: names) : nil)
        if let nearest {
            return "\(start), did you mean '\(nearest.shortened)'? Categories are compared byte for byte"
        }
        guard !names.isEmpty else { return "\(start), nor any other" }
        let more = names.count > Self.listedNames ? " and \(names.count - Self.listedNames) more" : ""
        return
            "\(start), but \(names.prefix(Self.listedNames).map { "'\($0.shortened)'" }.joined(separator: ", "))\(more)"
    }
}
