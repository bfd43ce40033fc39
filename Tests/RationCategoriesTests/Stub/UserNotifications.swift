// What the generated source uses of Apple's UserNotifications, declared as its documentation does: enough to check types
// against where there is no such framework.

public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
}

/// Stands for NSObject.
open class Object: Hashable {
    public init() {}
    public static func == (left: Object, right: Object) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(iOS 15.0, macCatalyst 15.0, macOS 12.0, *)
open class UNNotificationActionIcon: Object {
    public let words: String
    public init(templateImageName: String) { words = "template \(templateImageName)" }
    public init(systemImageName: String) { words = "system \(systemImageName)" }
}

@available(iOS 10.0, macCatalyst 13.1, macOS 10.14, *)
open class UNNotificationAction: Object {
    public let identifier: String
    public let title: String
    public let options: UNNotificationActionOptions
    public var icon: UNNotificationActionIcon?

    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        (self.identifier, self.title, self.options) = (identifier, title, options)
    }

    @available(iOS 15.0, macCatalyst 15.0, macOS 12.0, *)
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?
    ) {
        self.init(identifier: identifier, title: title, options: options)
        self.icon = icon
    }
}

@available(iOS 10.0, macCatalyst 13.1, macOS 10.14, *)
open class UNTextInputNotificationAction: UNNotificationAction {
    public let textInputButtonTitle: String
    public let textInputPlaceholder: String

    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        (self.textInputButtonTitle, self.textInputPlaceholder) = (textInputButtonTitle, textInputPlaceholder)
        super.init(identifier: identifier, title: title, options: options)
    }

    @available(iOS 15.0, macCatalyst 15.0, macOS 12.0, *)
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?,
        textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier, title: title, options: options, textInputButtonTitle: textInputButtonTitle,
            textInputPlaceholder: textInputPlaceholder)
        self.icon = icon
    }
}

@available(iOS 10.0, macCatalyst 13.1, macOS 10.14, *)
open class UNNotificationCategory: Object {
    public let identifier: String
    public let actions: [UNNotificationAction]
    public let intentIdentifiers: [String]
    public let hiddenPreviewsBodyPlaceholder: String
    public let categorySummaryFormat: String
    public let options: UNNotificationCategoryOptions

    @available(iOS 12.0, macCatalyst 13.1, macOS 10.14, *)
    @available(watchOS, unavailable)
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        (self.identifier, self.actions, self.intentIdentifiers) = (identifier, actions, intentIdentifiers)
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        self.categorySummaryFormat = categorySummaryFormat ?? ""
        self.options = options
    }
}

@available(iOS 10.0, macCatalyst 13.1, macOS 10.14, *)
open class UNUserNotificationCenter: Object, @unchecked Sendable {
    private static let shared = UNUserNotificationCenter()
    /// What was set last.
    public var categories: Set<UNNotificationCategory> = []

    open class func current() -> UNUserNotificationCenter { shared }
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { self.categories = categories }
}
