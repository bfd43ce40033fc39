import APNsSubscriber
import AnalyticsSubscriber
import DepletionScheduler
import FrequencyCapRule
import HabitScheduler
import InactivityScheduler
import OnboardingScheduler
import PlansSubscriber
import PriorityOrder
import QuietHoursRule
import RationPluginKit
import SoonestOrder

/// The plugins that this command is built with: the one list in which they are registered.
let plugins = PluginRegistry(
    orders: [SoonestOrder(), PriorityOrder()], rules: [QuietHoursSource(), FrequencyCaps()],
    schedulers: [HabitScheduler.self, OnboardingScheduler.self, DepletionScheduler.self, InactivityScheduler.self],
    subscribers: [Analytics.self, APNs.self, Plans.self])
