public import RationModel

/// What a notification says, as settings give it: texts with placeholders, and how it is shown.
public struct MessageTemplate: Hashable, Sendable {
    public var title: TextTemplate
    public var subtitle: TextTemplate
    public var body: TextTemplate
    public var threadId: TextTemplate
    public var category = ""
    public var sound = ""
    public var interruptionLevel = InterruptionLevel.active
    public var relevanceScore: Double?

    public init(title: TextTemplate, body: TextTemplate) {
        (self.title, self.body) = (title, body)
        (subtitle, threadId) = (.empty, .empty)
    }

    /// One without texts.
    public static let empty = MessageTemplate(title: .empty, body: .empty)

    /// The settings of a message.
    /// - Parameters:
    ///   - title: the standard one; nil with `body` if the texts are facts, not settings.
    ///   - placeholders: the names that its texts may hold.
    public static func settings(title: String?, body: String?, placeholders: [String]) -> [SettingDescription] {
        let form =
            placeholders.isEmpty ? "a text" : "a text with " + placeholders.map { "{\($0)}" }.joined(separator: ", ")
        var settings: [SettingDescription] = []
        if let title, let body {
            settings += [
                SettingDescription("title", form, "The first line", standard: title),
                SettingDescription("subtitle", form, "The line below it", standard: "none"),
                SettingDescription("body", form, "The text", standard: body),
            ]
        }
        return settings + [
            SettingDescription("threadId", form, "What it is grouped by", standard: "none"),
            SettingDescription("category", "a text", "The app's category, for its actions", standard: "none"),
            SettingDescription("sound", "a text", "The sound's name", standard: "none"),
            SettingDescription(
                "interruptionLevel", "passive, active, timeSensitive or critical", "How loud it is", standard: "active"),
            SettingDescription(
                "relevanceScore", "a number from 0 to 1", "Where the system sorts it in a summary", standard: "none"),
        ]
    }

    /// What it says with its placeholders filled.
    /// - Parameter values: in the order of the placeholders' names.
    public func content(_ values: [String] = []) -> WantedContent {
        var content = WantedContent(title: title.filled(values), body: body.filled(values))
        content.subtitle = subtitle.filled(values)
        content.threadId = threadId.filled(values)
        (content.category, content.sound) = (category, sound)
        (content.interruptionLevel, content.relevanceScore) = (interruptionLevel, relevanceScore)
        return content
    }
}

extension SettingReader {
    /// A message's settings.
    /// - Parameters:
    ///   - standard: what is absent is taken from it.
    ///   - placeholders: the names that its texts may hold.
    ///   - hasTexts: whether title, subtitle and body are settings, not facts.
    ///   - isComplete: whether a title or a body has to be among them.
    public mutating func message(
        standard: MessageTemplate, placeholders: [String], hasTexts: Bool = true, isComplete: Bool = true
    ) -> MessageTemplate {
        var message = standard
        if hasTexts {
            message.title = template("title", standard: standard.title, placeholders)
            message.subtitle = template("subtitle", standard: standard.subtitle, placeholders)
            message.body = template("body", standard: standard.body, placeholders)
            if isComplete, message.title.isEmpty, message.body.isEmpty {
                fault("title", "expected a title or a body, found neither")
            }
        }
        message.threadId = template("threadId", standard: standard.threadId, placeholders)
        message.category = text("category", standard: standard.category)
        message.sound = text("sound", standard: standard.sound)
        message.interruptionLevel = read(
            "interruptionLevel", expected: "passive, active, timeSensitive or critical",
            standard: standard.interruptionLevel
        ) { value in
            guard case .text(let name) = value else { return nil }
            return InterruptionLevel(name: name)
        }
        message.relevanceScore = read(
            "relevanceScore", expected: "a number from 0 to 1", standard: standard.relevanceScore
        ) { value -> Double?? in
            switch value {
            case .number(let number) where (0...1).contains(number): .some(number)
            case .wholeNumber(let number) where (0...1).contains(number): .some(Double(number))
            default: nil
            }
        }
        return message
    }

    /// A text, perhaps an empty one.
    public mutating func text(_ name: String, standard: String) -> String {
        read(name, expected: "a text of at most \(Self.textBytes) bytes", standard: standard) { value in
            guard case .text(let text) = value, text.utf8.count <= Self.textBytes else { return nil }
            return text
        }
    }

    /// A text with placeholders.
    public mutating func template(_ name: String, standard: TextTemplate, _ placeholders: [String]) -> TextTemplate {
        guard let value = value(name) else { return standard }
        guard case .text(let text) = value, text.utf8.count <= Self.textBytes else {
            fault(name, expected: "a text of at most \(Self.textBytes) bytes", found: value)
            return standard
        }
        do {
            return try TextTemplate(text, placeholders: placeholders)
        } catch {
            fault(name, error.message)
            return standard
        }
    }
}
