/// What apps declare: the categories that each registers with iOS.
public struct CategoryDeclarations: Hashable, Sendable {
    /// Sorted by the bytes of their names.
    public private(set) var apps: [DeclaredApp] = []

    /// - Parameter apps: in any order.
    public init(_ apps: [DeclaredApp] = []) {
        self.apps = apps.sorted { $0.app.utf8.lexicographicallyPrecedes($1.app.utf8) }
    }

    /// Whether no app declares anything.
    public var isEmpty: Bool { apps.isEmpty }

    /// What an app has declared; nil for one that is not named, whose categories are not looked at.
    public subscript(app: String) -> DeclaredApp? {
        apps.first { $0.app.utf8.elementsEqual(app.utf8) }
    }
}

/// The categories of one app.
public struct DeclaredApp: Hashable, Sendable {
    public var app: String
    /// In the order of their declaration.
    public var categories: [NotificationCategory]

    public init(app: String, categories: [NotificationCategory]) {
        self.app = app
        self.categories = categories
    }
}
