public import RationModel

/// A subscriber: what is done with events. A runner reads them by position, hands them over a page at a time, and keeps the
/// cursor.
public protocol Subscriber: AnyObject, SendableMetatype {
    /// The name by which a configuration chooses it.
    static var name: String { get }
    /// One line about what it does.
    static var summary: String { get }
    /// The settings that it knows, in the order of the documentation.
    static var settings: [SettingDescription] { get }
    /// The kinds of events that it wants; empty for all.
    static var kinds: [EventKind] { get }

    /// - Parameter settings: what the configuration gives; names that are not in ``settings`` are refused before.
    /// - Throws: all faults of the settings.
    init(settings: [Setting]) throws(SettingFaults)
}
