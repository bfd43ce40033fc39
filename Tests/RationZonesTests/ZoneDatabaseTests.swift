import Foundation
import RationModel
import RationZones
import TestSupport
import Testing

@Suite("The zones of a tz database")
struct ZoneDatabaseTests {
    static let database = Result { try ZoneDatabase() }

    private func zone(_ name: String, in database: ZoneDatabase) -> ZoneTable? {
        Array(name.utf8).withUnsafeBytes { database.zone(named: $0) }
    }

    @Test("each name leads to its zone, byte for byte, and any other to none")
    func names() throws {
        let database = try Self.database.get()
        let names = try ZoneNames()
        #expect(database.count == names.count && database.release == names.release)
        for name in ["Europe/Madrid", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "US/Eastern"] {
            #expect(try #require(zone(name, in: database)).name == name)
            #expect(Array(name.utf8).withUnsafeBytes { database.contains($0) })
        }
        for name in ["", "Europe/madrid", "Europe", "Europe/Madrid ", "posix/UTC", "tzdata.zi", "Zzz"] {
            #expect(zone(name, in: database) == nil)
            #expect(!Array(name.utf8).withUnsafeBytes { database.contains($0) })
        }
    }

    @Test("links show the same clock under their own names")
    func links() throws {
        let database = try Self.database.get()
        let (one, other) = (
            try #require(zone("Asia/Kolkata", in: database)), try #require(zone("Asia/Calcutta", in: database))
        )
        #expect((one.name, other.name) == ("Asia/Kolkata", "Asia/Calcutta"))
        for year in 1900...2100 {
            let instant = Instant(milliseconds: Instant.days(year: year, month: 1, day: 1) * Instant.dayMilliseconds)
            #expect(one.offset(at: instant) == other.offset(at: instant))
        }
    }

    @Test("the fingerprint changes with any name and any file, and with nothing else")
    func fingerprint() throws {
        let folder = try Folder()
        func fingerprint() throws -> UInt64 { try ZoneDatabase(directory: folder.path).fingerprint }
        try folder.write(ZoneFileBytes().bytes, to: "Area/One")
        let first = try fingerprint()
        let renamed = try Folder()
        try renamed.write(ZoneFileBytes().bytes, to: "Area/Two")
        #expect(try ZoneDatabase(directory: renamed.path).fingerprint != first)
        try folder.write("no zone", to: "zone.tab")
        #expect(try fingerprint() == first)
        try folder.write(ZoneFileBytes().bytes, to: "Area/Two")
        let second = try fingerprint()
        #expect(second != first)
        var changed = ZoneFileBytes()
        (changed.types, changed.footer) = ([(3600, 0, 0)], "\nABC-1\n")
        try folder.write(changed.bytes, to: "Area/Two")
        let third = try fingerprint()
        #expect(third != second && third != first)
        try folder.write(ZoneFileBytes().bytes, to: "Area/Two")
        #expect(try fingerprint() == second)
    }

    /// Offsets as the tz database's source gives them.
    @Test(
        "known clocks",
        arguments: [
            ("Asia/Kathmandu", "2026-07-01T00:00:00Z", 345), ("Asia/Kathmandu", "1985-12-31T18:29:59.999Z", 330),
            ("Asia/Kathmandu", "1985-12-31T18:30:00Z", 345), ("Australia/Lord_Howe", "2026-10-03T15:29:59.999Z", 630),
            ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", 660), ("Australia/Lord_Howe", "2027-04-03T15:00:00Z", 630),
            ("Pacific/Chatham", "2026-09-26T13:59:59.999Z", 765), ("Pacific/Chatham", "2026-09-26T14:00:00Z", 825),
            ("Africa/Casablanca", "2026-02-15T01:59:59.999Z", 60), ("Africa/Casablanca", "2026-02-15T02:00:00Z", 0),
            ("Africa/Casablanca", "2026-03-22T02:00:00Z", 60), ("Europe/Dublin", "2026-01-01T00:00:00Z", 0),
            ("Europe/Dublin", "2026-03-29T01:00:00Z", 60), ("Europe/Dublin", "2026-10-25T01:00:00Z", 0),
            ("Pacific/Apia", "2011-12-30T09:59:59.999Z", -600), ("Pacific/Apia", "2011-12-30T10:00:00Z", 840),
            ("America/New_York", "2037-11-01T06:00:00Z", -300), ("America/New_York", "2038-03-14T07:00:00Z", -240),
            ("America/New_York", "2038-03-14T06:59:59.999Z", -300), ("Europe/London", "2100-03-28T01:00:00Z", 60),
            ("Europe/London", "2100-03-28T00:59:59.999Z", 0), ("Europe/London", "9999-10-31T00:59:59.999Z", 60),
            ("Europe/London", "9999-10-31T01:00:00Z", 0), ("Europe/London", "9999-03-28T00:59:59.999Z", 0),
            ("Europe/London", "9999-03-28T01:00:00Z", 60), ("Etc/GMT+12", "2026-01-01T00:00:00Z", -720),
        ])
    func known(name: String, at date: String, minutes: Int64) throws {
        let zone = try #require(zone(name, in: try Self.database.get()))
        #expect(zone.offset(at: try #require(Instant(rfc3339: date))) == minutes * 60_000)
    }

    @Test("daylight-saving time that only changed its name is no transition")
    func unchangedOffsets() throws {
        // Casablanca's offset went from +01 standard to +01 daylight in 2018, and changes for Ramadan only.
        let zone = try #require(zone("Africa/Casablanca", in: try Self.database.get()))
        var instant = try #require(Instant(rfc3339: "2018-07-01T00:00:00Z"))
        let end = try #require(Instant(rfc3339: "2037-01-01T00:00:00Z"))
        var count = 0
        while let next = zone.nextTransition(after: instant), next < end {
            #expect(zone.offset(at: next) != zone.offset(at: next.advanced(by: -1)))
            (instant, count) = (next, count + 1)
        }
        #expect(count == 38)
    }
}
