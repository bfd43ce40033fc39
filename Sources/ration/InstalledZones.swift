import RationCommandLine
import RationModel
import RationZones

/// The time zones of this machine's tz database.
enum InstalledZones {
    /// - Throws: `CommandFailure` when there is no tz database.
    static func read() throws -> any ZoneChecking {
        do {
            return try ZoneNames()
        } catch {
            throw CommandFailure("the tz database cannot be read: \(error)")
        }
    }
}
