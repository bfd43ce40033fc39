public import RationModel

/// A scheduler: facts about one recipient, now and zone tables lead to the notifications that should be pending.
///
/// It is pure: no clock, no file, no socket, no randomness, and no memory of earlier calls. A runner reads the facts with the
/// queries of a configuration, asks the scheduler about each recipient whose facts have changed or whose time has come,
/// compares with what it has published before, and publishes the difference.
///
/// Laws, which `Tests/SchedulerTests` checks of each:
/// - The same facts, in any order of their rows, give the same notifications.
/// - Ids are distinct and begin with one of ``prefixes``.
/// - What is ahead at a later instant before ``WantedNotifications/nextChange`` was wanted before, and what was wanted and is
///   still ahead is wanted then.
public protocol Scheduler: Sendable {
    /// The name by which a configuration chooses it.
    static var name: String { get }
    /// One line about what it schedules.
    static var summary: String { get }
    /// The facts that it needs, each from a query.
    static var tables: [FactTable] { get }
    /// The settings that it knows, in the order of the documentation.
    static var settings: [SettingDescription] { get }

    /// - Parameter settings: what the configuration gives; names that are not in ``settings`` are refused before.
    /// - Throws: all faults of the settings.
    init(settings: [Setting]) throws(SettingFaults)

    /// What its ids begin with; no other service uses these.
    var prefixes: [String] { get }

    /// The types of its notifications, for reading back their events.
    var types: [String] { get }

    /// What should be pending for one recipient.
    /// - Parameters:
    ///   - facts: the rows of each table of ``tables``, every value of its column's form.
    ///   - now: what is wanted at or before it is not published any more, but not cancelled either until it expires.
    func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications
}
