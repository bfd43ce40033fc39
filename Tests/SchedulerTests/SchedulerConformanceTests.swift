import DepletionScheduler
import HabitScheduler
import InactivityScheduler
import OnboardingScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("The schedulers of the tree keep what a runner relies on")
struct SchedulerConformanceTests {
    private func check<Plugin: Scheduler>(_ plugin: Plugin.Type, _ settings: [[Setting]] = [[]]) throws {
        let zones = try Facts.zones.get()
        for settings in settings {
            let scheduler = try Plugin(settings: settings)
            for seed in UInt64(1)...20 {
                let conformance = SchedulerConformance(
                    make: { (try? Plugin(settings: settings)) ?? scheduler }, zones: zones, seed: seed)
                for broken in conformance.broken() { Issue.record("\(broken.example)") }
            }
        }
    }

    @Test("habit")
    func habit() throws {
        try check(
            HabitScheduler.self,
            [
                [],
                [
                    Setting("horizon", .text("1d")), Setting("expires", .text("2d")),
                    Setting("threadId", .text("{id}")), Setting("sound", .text("default")),
                ],
            ])
    }

    @Test("onboarding")
    func onboarding() throws {
        try check(
            OnboardingScheduler.self,
            [
                [],
                [Setting("hour", .text("02:30")), Setting("expires", .text("30d")), Setting("title", .text("{name}"))],
            ])
    }

    @Test("depletion")
    func depletion() throws {
        try check(
            DepletionScheduler.self,
            [[], [Setting("lead", .text("0d")), Setting("hour", .text("23:59")), Setting("horizon", .text("1d"))]])
    }

    @Test("inactivity")
    func inactivity() throws {
        let after = SettingValue.list([.text("1d"), .text("24h")].dropLast() + [.text("2d")])
        try check(
            InactivityScheduler.self,
            [[], [Setting("after", after), Setting("visits", .wholeNumber(3)), Setting("expires", .text("1m"))]])
    }

    @Test("a word before a trial ends")
    func trial() throws {
        try check(TrialScheduler.self)
    }
}
