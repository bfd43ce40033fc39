/// A kind of notification with its buttons, as an app registers it with iOS (UNNotificationCategory).
public struct NotificationCategory: Hashable, Sendable {
    /// What intents name it by, byte for byte.
    public var identifier: String
    /// In the order in which they are shown.
    public var actions: [NotificationAction] = []
    /// Identifiers of the SiriKit intents that belong to it.
    public var intents: [String] = []
    public var options: CategoryOptions = []
    /// What stands for the body where previews are hidden; `%u` is the number of notifications.
    public var hiddenPreviewsBodyPlaceholder: String?
    /// What sums up a group of them; `%u` is their number and `%@` the argument of the notification.
    public var summaryFormat: String?

    public init(identifier: String) {
        self.identifier = identifier
    }
}

/// What is set on or off of a category (UNNotificationCategoryOptions).
public struct CategoryOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Dismissing it is told to the app.
    public static let customDismissAction = CategoryOptions(rawValue: 1)
    /// It may be shown in CarPlay.
    public static let allowInCarPlay = CategoryOptions(rawValue: 2)
    /// The title is shown where previews are hidden.
    public static let hiddenPreviewsShowTitle = CategoryOptions(rawValue: 4)
    /// The subtitle is shown where previews are hidden.
    public static let hiddenPreviewsShowSubtitle = CategoryOptions(rawValue: 8)

    /// Every option with its name, which is the key of a file and Apple's name, too.
    public static let all: [(name: String, option: CategoryOptions)] = [
        ("customDismissAction", .customDismissAction), ("allowInCarPlay", .allowInCarPlay),
        ("hiddenPreviewsShowTitle", .hiddenPreviewsShowTitle),
        ("hiddenPreviewsShowSubtitle", .hiddenPreviewsShowSubtitle),
    ]
}

/// A button of a category (UNNotificationAction, UNTextInputNotificationAction).
public struct NotificationAction: Hashable, Sendable {
    /// What `feedback` names it by.
    public var identifier: String
    /// What the button says.
    public var title: String
    public var options: ActionOptions = []
    public var icon: ActionIcon?
    /// nil: the action takes no text.
    public var textInput: TextInput?

    public init(identifier: String, title: String) {
        self.identifier = identifier
        self.title = title
    }

    /// What is asked for by an action that takes text.
    public struct TextInput: Hashable, Sendable {
        public var buttonTitle: String
        /// Shown in the empty field; may be empty.
        public var placeholder: String

        public init(buttonTitle: String, placeholder: String) {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }
}

/// What is set on or off of an action (UNNotificationActionOptions).
public struct ActionOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The device must be unlocked.
    public static let authenticationRequired = ActionOptions(rawValue: 1)
    /// It is shown as something that destroys.
    public static let destructive = ActionOptions(rawValue: 2)
    /// It opens the app.
    public static let foreground = ActionOptions(rawValue: 4)

    /// Every option with its name, which is the key of a file and Apple's name, too.
    public static let all: [(name: String, option: ActionOptions)] = [
        ("foreground", .foreground), ("destructive", .destructive),
        ("authenticationRequired", .authenticationRequired),
    ]
}

/// An action's picture (UNNotificationActionIcon), from iOS 15 on.
public enum ActionIcon: Hashable, Sendable {
    /// A symbol of the system, by its name in SF Symbols.
    case system(String)
    /// An image in the app's bundle.
    case template(String)

    public var name: String {
        switch self {
        case .system(let name), .template(let name): name
        }
    }
}
