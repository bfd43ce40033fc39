import RationModel
import RationZones

/// The tz database of this machine.
func tzDatabase() throws -> any ZoneSource {
    try ZoneDatabase()
}
