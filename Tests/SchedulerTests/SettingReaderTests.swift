import DepletionScheduler
import HabitScheduler
import InactivityScheduler
import OnboardingScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("Settings of schedulers")
struct SettingReaderTests {
    /// The faults of settings: `path: message`.
    private func faults<Plugin: Scheduler>(_ plugin: Plugin.Type, _ settings: Setting...) -> [String] {
        do {
            _ = try Plugin(settings: settings)
            return []
        } catch {
            return error.faults.map { "\($0.path): \($0.message)" }
        }
    }

    @Test("all faults are told at once, each with its path, what was expected and what was found")
    func all() {
        #expect(
            faults(
                HabitScheduler.self, Setting("horizon", .text("61d")), Setting("expires", .wholeNumber(4)),
                Setting("type", .text("my type")), Setting("threadId", .text("{habit}")),
                Setting("interruptionLevel", .text("loud")), Setting("relevanceScore", .number(1.5)))
                == [
                    "horizon: expected a duration from 1d to 60d, found '61d'",
                    "expires: expected a duration from 1m to 7d, found 4",
                    "type: expected 1 to 64 bytes of letters, digits, '.', '-' and '_', found 'my type'",
                    "threadId: expected {id}, found '{habit}'",
                    "interruptionLevel: expected passive, active, timeSensitive or critical, found 'loud'",
                    "relevanceScore: expected a number from 0 to 1, found 1.5",
                ])
    }

    @Test(
        "durations: the ends of their range are taken, what lies beyond is not",
        arguments: [
            ("23h", false), ("1d", true), ("24h", true), ("60d", true), ("86400001ms", true), ("5184000001ms", false),
            ("-1d", false), ("1.5d", false), ("", false), ("7", false), ("99999999999999999999d", false),
        ])
    func durations(text: String, isTaken: Bool) {
        #expect(faults(HabitScheduler.self, Setting("horizon", .text(text))).isEmpty == isTaken)
    }

    @Test(
        "times of the day from 00:00 to 23:59",
        arguments: [("00:00", true), ("23:59", true), ("24:00", false), ("9:00", false), ("09:60", false), ("", false)])
    func times(text: String, isTaken: Bool) {
        #expect(faults(OnboardingScheduler.self, Setting("hour", .text(text))).isEmpty == isTaken)
    }

    @Test("prefixes tell habits from entries, leave room for ids, and are no control characters")
    func prefixes() {
        #expect(
            faults(HabitScheduler.self, Setting("prefix", .text("a.")), Setting("entryPrefix", .text("a.b."))) == [
                "entryPrefix: expected a beginning that tells entries from habits, found 'a.b.' beside 'a.'"
            ])
        #expect(faults(HabitScheduler.self, Setting("prefix", .text(""))).count == 1)
        #expect(faults(HabitScheduler.self, Setting("prefix", .text("a\n"))).count == 1)
        #expect(faults(HabitScheduler.self, Setting("prefix", .text(String(repeating: "x", count: 128)))) == [])
        #expect(faults(HabitScheduler.self, Setting("prefix", .text(String(repeating: "x", count: 129)))).count == 1)
    }

    @Test("messages of onboarding: faults have the whole path, unknown names are told beside the known ones")
    func steps() {
        let steps = SettingValue.mapping([
            Setting("day1", .mapping([Setting("titel", .text("Hello"))])),
            Setting("tour", .mapping([Setting("title", .text("{nome}"))])),
            Setting("late", .mapping([Setting("day", .text("36h")), Setting("title", .text("Late"))])),
            Setting("bare", .mapping([Setting("day", .text("1d"))])),
            Setting("text", .text("Hello")),
        ])
        let all = "day, step, type, title, subtitle, body, threadId, category, sound, interruptionLevel, relevanceScore"
        #expect(
            faults(OnboardingScheduler.self, Setting("steps", steps)) == [
                "steps.day1.titel: expected one of \(all), found 'titel'",
                "steps.tour.day: expected whole days from 0d to 365d, found nothing",
                "steps.tour.title: expected {name}, {step}, {day}, found '{nome}'",
                "steps.tour.title: expected a title or a body, found neither",
                "steps.late.day: expected whole days from 0d to 365d, found '36h'",
                "steps.bare.title: expected a title or a body, found neither",
                "steps.text: expected a mapping, found 'Hello'",
            ])
        #expect(
            faults(OnboardingScheduler.self, Setting("steps", .mapping([]))) == [
                "steps: expected 1 to 32 messages, found 0"
            ])
        #expect(
            faults(OnboardingScheduler.self, Setting("prefix", .text("welcome"))) == [
                "prefix: expected {step} in it, so that the messages' ids differ"
            ])
    }

    @Test("distances of inactivity are different whole days, and messages are for them")
    func distances() {
        func after(_ values: SettingValue...) -> [String] {
            faults(InactivityScheduler.self, Setting("after", .list(values)))
        }
        #expect(after(.text("365d"), .text("1d")) == [])
        #expect(after().count == 1 && after(.text("0d")).count == 1 && after(.text("366d")).count == 1)
        #expect(after(.text("1d"), .text("24h")).count == 1 && after(.text("12h")).count == 1)
        #expect(after(.wholeNumber(3)).count == 1)
        #expect(
            faults(
                InactivityScheduler.self,
                Setting("messages", .mapping([Setting("4d", .mapping([Setting("title", .text("Four"))]))]))) == [
                    "messages.4d: expected one of 'after', 3d, 7d, 14d, 30d, found '4d'"
                ])
        #expect(
            faults(InactivityScheduler.self, Setting("visits", .wholeNumber(2))) == [
                "enough: expected at most the number of visits, 2, found 3"
            ])
    }

    @Test("a message that is too large whatever the facts is a fault of the settings")
    func large() {
        let text = SettingValue.text(String(repeating: "x", count: SettingReader.textBytes))
        #expect(
            faults(InactivityScheduler.self, Setting("title", text), Setting("body", text)).count == 4)
        let tooLong = SettingValue.text(String(repeating: "x", count: SettingReader.textBytes + 1))
        #expect(
            faults(DepletionScheduler.self, Setting("title", tooLong)) == [
                "title: expected a text of at most 2048 bytes, found a text of 2049 bytes"
            ])
    }

    @Test(
        "templates: placeholders, braces, and what is none",
        arguments: [
            ("Hello", "Hello"), ("", ""), ("{name}", "Ana"), ("Hello {name}, {days} days", "Hello Ana, 3 days"),
            ("{{name}}", "{name}"), ("{{{name}}}", "{Ana}"), ("{name", nil), ("name}", nil), ("{}", nil),
            ("{ name}", nil),
            ("{name}{name}", "AnaAna"), ("\u{1F600}{name}\u{E9}", "\u{1F600}Ana\u{E9}"), ("{{", "{"), ("{{}", nil),
        ] as [(String, String?)])
    func templates(text: String, expected: String?) {
        let filled = try? TextTemplate(text, placeholders: ["name", "days"]).filled(["Ana", "3"])
        #expect(filled == expected)
    }
}
