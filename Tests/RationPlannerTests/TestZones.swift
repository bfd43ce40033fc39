import RationModel

/// A few zones, one of whose clocks change in the days of the generated scenarios.
struct TestZones: ZoneSource {
    /// 2026-03-05T00:00:00Z, a Thursday.
    static let start = Instant(milliseconds: 1_772_668_800_000)

    let zones: [ZoneTable]
    let release: String?

    /// - Parameter shift: minutes by which all zones but UTC lie elsewhere than before.
    init(release: String = "a", shift: Int64 = 0) {
        self.release = release
        let minute: Int64 = 60_000
        func zone(_ name: String, _ minutes: Int64, _ changes: [(hours: Int64, minutes: Int64)] = []) -> ZoneTable {
            ZoneTable(
                name: name, offsetMilliseconds: (minutes + shift) * minute,
                transitions: changes.map {
                    ZoneTable.Transition(
                        start: Self.start.advanced(by: $0.hours * 60 * minute),
                        offsetMilliseconds: ($0.minutes + shift) * minute)
                })
        }
        zones = [
            .utc, zone("Test/East", 345), zone("Test/West", -300, [(31, -240)]),
            zone("Test/Autumn", 120, [(25, 60), (74, 90)]),
        ]
    }

    static let names = ["UTC", "Test/East", "Test/West", "Test/Autumn"]

    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? {
        zones.first { $0.name.utf8.elementsEqual(name) }
    }

    func contains(_ name: UnsafeRawBufferPointer) -> Bool { zone(named: name) != nil }
}
