import Glibc
import RationBroker
import RationCommandLine
import RationModel
import RationZones

/// The time zones of this machine's tz database.
enum InstalledZones {
    /// `TZDIR`, as the C library takes it, else the usual folder.
    private static var folder: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// - Throws: `CommandFailure` when there is no tz database.
    static func read() throws -> ZoneDatabase {
        do {
            return try ZoneDatabase(directory: folder)
        } catch {
            throw CommandFailure("the tz database cannot be read: \(error)")
        }
    }
}

extension ZonesRevision {
    init(installed zones: ZoneDatabase) {
        let release = zones.release ?? "unknown"
        self.init(zones, release: release, fingerprint: String(zones.fingerprint, radix: 16))
    }
}
