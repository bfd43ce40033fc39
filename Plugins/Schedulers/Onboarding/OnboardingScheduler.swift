public import RationModel
public import RationPluginKit

/// Steps that a new user should take in the first days: a message some days after the sign-up, at a friendly hour, as long as
/// its step is not done.
public struct OnboardingScheduler: Scheduler {
    public static let name = "onboarding"
    public static let summary = "a message on the first, third and seventh day after a sign-up, until its step is done"

    let hour: Int
    let expiresMilliseconds: Int64
    let timeZone: String
    let steps: [OnboardingStep]

    public static let tables = [users, stepsDone]

    static let users = FactTable(
        "users", "Who has signed up: one row of a recipient; of several the earliest sign-up counts",
        [
            FactColumn("signedUpAt", .instant, "When"),
            FactColumn("timeZone", .text, "The user's; null: the setting's", isOptional: true),
            FactColumn("name", .text, "For `{name}`; null: empty", isOptional: true),
        ])

    static let stepsDone = FactTable(
        "steps", "What a user has done: a row of a step. Steps that no message is about do not matter",
        [
            FactColumn("step", .text, "The step's name"),
            FactColumn("doneAt", .instant, "When, whatever it is; null: not yet", isOptional: true),
        ])

    public static let settings =
        [
            SettingDescription(
                "steps", "a mapping of names to `{day, step, type, title, …}`",
                "The messages. `day`: calendar days after the sign-up's (0d to 365d); `step`: what has to be done (the message's "
                    + "name); `type`, `title`, …: in place of those below",
                standard: "day1 (1d), day3 (3d), day7 (7d)"),
            SettingDescription("hour", "a time of day", "When a message is wanted", standard: "10:00"),
            SettingDescription(
                "expires", "a duration from 1m to 30d", "How long after that it is still worth showing", standard: "12h"
            ),
            SettingDescription(
                "prefix", "a text with {step}", "A message's id, with its name in place of {step}",
                standard: "com.myapp.{step}Reminder"),
            SettingDescription("type", "a type's name", "The messages' type", standard: "day1"),
            SettingDescription("timeZone", "a time zone", "Of users whose facts name none", standard: "UTC"),
        ]
        + MessageTemplate.settings(
            title: "one for each message", body: "one for each message",
            placeholders: OnboardingStep.placeholders)

    public init(settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        hour = reader.timeOfDay("hour", standard: 10 * 60)
        expiresMilliseconds = reader.duration("expires", standard: 12 * 3_600_000, in: 60_000...30 * 86_400_000)
        timeZone = reader.timeZone(standard: "UTC")
        steps = OnboardingStep.read(&reader)
        try reader.finish()
    }

    public var prefixes: [String] { steps.map(\.id) }

    public var types: [String] {
        steps.map(\.type).reduce(into: []) { types, type in if !types.contains(type) { types.append(type) } }
    }

    public func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        let done = facts.tables[1].filter { !$0.isNull(1) }.map { $0.text(0) }
        let open = steps.filter { step in !done.contains { $0.utf8.elementsEqual(step.step.utf8) } }
        // The earliest sign-up first, in an order that no query decides.
        var isFound = false
        for user in facts.tables[0].sorted(by: { $0.precedes($1) }) {
            do throws(FactFault) {
                if isFound {
                    throw Self.users.fault(user, 0, "expected one row of a recipient, found another")
                }
                for notification in try notifications(open, user, zones) {
                    wanted.add(notification, horizonMilliseconds: Self.horizonMilliseconds, now: now)
                }
                isFound = true
            } catch {
                wanted.faults.append(error)
            }
        }
        return wanted
    }

    /// A sign-up that lies further ahead is waited for: longer than any message's day, so that whoever signs up now is welcomed
    /// at once.
    private static let horizonMilliseconds: Int64 = 400 * 86_400_000

    private func notifications(
        _ steps: [OnboardingStep], _ user: FactRow, _ zones: any ZoneSource
    ) throws(FactFault) -> [WantedNotification] {
        let signUp = try Self.users.instant(user, 0)
        let clock = try Self.users.clock(user, 1, standard: timeZone, in: zones)
        let day = clock.days(at: signUp).lowerBound
        var notifications: [WantedNotification] = []
        for step in steps {
            notifications.append(try notification(step, user, clock.date(day: day + Int64(step.day), minute: hour)))
        }
        return notifications
    }

    private func notification(
        _ step: OnboardingStep, _ user: FactRow, _ date: WantedDate
    ) throws(FactFault) -> WantedNotification {
        var content = step.message.content([user.optionalText(2) ?? "", step.name, "\(step.day)"])
        content.userInfo = ["step": step.step]
        if let message = content.fault { throw Self.users.fault(user, 2, message) }
        return WantedNotification(
            id: step.id, type: step.type, content: content, date: date,
            expires: RecipientClock.instants(of: date).upperBound.advanced(by: expiresMilliseconds))
    }
}
