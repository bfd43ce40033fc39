extension CategorySource {
    /// What makes the system's actions, in every file that has some.
    static let actionSource: [String] = #"""

            private static func action(
                _ identifier: Action, title: String, options: UNNotificationActionOptions, icon: Icon? = nil
            ) -> UNNotificationAction {
                if let icon, #available(iOS 15.0, macCatalyst 15.0, macOS 12.0, *) {
                    return UNNotificationAction(
                        identifier: identifier.rawValue, title: title, options: options, icon: icon.picture)
                }
                return UNNotificationAction(identifier: identifier.rawValue, title: title, options: options)
            }

            private static func textAction(
                _ identifier: Action, title: String, options: UNNotificationActionOptions, icon: Icon? = nil,
                buttonTitle: String, placeholder: String
            ) -> UNNotificationAction {
                if let icon, #available(iOS 15.0, macCatalyst 15.0, macOS 12.0, *) {
                    return UNTextInputNotificationAction(
                        identifier: identifier.rawValue, title: title, options: options, icon: icon.picture,
                        textInputButtonTitle: buttonTitle, textInputPlaceholder: placeholder)
                }
                return UNTextInputNotificationAction(
                    identifier: identifier.rawValue, title: title, options: options,
                    textInputButtonTitle: buttonTitle, textInputPlaceholder: placeholder)
            }

            /// An action's picture: shown from iOS 15 on.
            private enum Icon {
                case system(String)
                case template(String)

                @available(iOS 15.0, macCatalyst 15.0, macOS 12.0, *)
                var picture: UNNotificationActionIcon {
                    switch self {
                    case .system(let name): return UNNotificationActionIcon(systemImageName: name)
                    case .template(let name): return UNNotificationActionIcon(templateImageName: name)
                    }
                }
            }
        """#.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
