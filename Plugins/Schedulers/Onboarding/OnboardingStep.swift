import RationModel
import RationPluginKit

/// A message of the first days.
struct OnboardingStep: Hashable, Sendable {
    /// The message's name.
    var name: String
    /// The name of what has to be done, as facts write it.
    var step: String
    /// Calendar days after the sign-up's.
    var day: Int
    var id: String
    var type: String
    var message: MessageTemplate

    static let placeholders = ["name", "step", "day"]
    /// Messages of a configuration.
    static let limit = 32

    /// What is sent unless the settings name others.
    private static let standards = [
        (name: "day1", day: 1, title: "Welcome", body: "Your first step is waiting"),
        (name: "day3", day: 3, title: "Three days", body: "See what else there is to find"),
        (name: "day7", day: 7, title: "One week", body: "Take a minute to finish setting up"),
    ]

    /// Reads the settings `steps`, `prefix`, `type` and those of a message.
    static func read(_ reader: inout SettingReader) -> [OnboardingStep] {
        let type = reader.type(standard: "day1")
        let prefix = reader.template(
            "prefix", standard: TextTemplate(standard: "com.myapp.{step}Reminder", placeholders: ["step"]), ["step"])
        let message = reader.message(standard: .empty, placeholders: placeholders, isComplete: false)
        let steps = reader.mappings("steps") { name, members in
            step(name, &members, common: (type, prefix, message))
        }
        let found =
            steps
            ?? standards.map { standard in
                OnboardingStep(
                    name: standard.name, step: standard.name, day: standard.day, id: prefix.filled([standard.name]),
                    type: type, message: message.with(title: standard.title, body: standard.body))
            }
        check(found, &reader)
        return found
    }

    private static func step(
        _ name: String, _ members: inout SettingReader,
        common: (type: String, prefix: TextTemplate, message: MessageTemplate)
    ) -> OnboardingStep {
        let standard = standards.first { $0.name.utf8.elementsEqual(name.utf8) }
        let day = members.days("day", standard: standard?.day ?? -1, in: 0...365)
        if day < 0, !members.faults.contains(where: { $0.path.hasSuffix("day") }) {
            members.fault("day", "expected whole days from 0d to 365d, found nothing")
        }
        let message = common.message.with(title: standard?.title ?? "", body: standard?.body ?? "")
        return OnboardingStep(
            name: name, step: members.text("step", standard: name), day: day, id: common.prefix.filled([name]),
            type: members.type(standard: common.type),
            message: members.message(standard: message, placeholders: placeholders))
    }

    private static func check(_ steps: [OnboardingStep], _ reader: inout SettingReader) {
        if steps.isEmpty || steps.count > limit {
            reader.fault("steps", "expected 1 to \(limit) messages, found \(steps.count)")
        }
        for step in steps where !step.id.isIdentifier(limit: Limits.idBytes) {
            reader.fault(
                "steps.\(step.name)",
                "expected an id of 1 to \(Limits.idBytes) bytes without control characters or spaces at the ends, found "
                    + "\(step.id.utf8.count) bytes")
        }
        if Set(steps.map { Array($0.id.utf8) }).count < steps.count {
            reader.fault("prefix", "expected {step} in it, so that the messages' ids differ")
        }
    }
}

extension MessageTemplate {
    /// With these texts, where it has none of its own.
    fileprivate func with(title: String, body: String) -> MessageTemplate {
        var message = self
        if message.title.isEmpty, message.body.isEmpty {
            message.title = TextTemplate(standard: title, placeholders: OnboardingStep.placeholders)
            message.body = TextTemplate(standard: body, placeholders: OnboardingStep.placeholders)
        }
        return message
    }
}
