import RationModel

/// Where the people of the made-up day live: zones with and without daylight saving time, with offsets of half and of
/// quarter hours, on both hemispheres.
enum Places {
    static let names = [
        "America/New_York", "Europe/Madrid", "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo", "Asia/Tokyo",
        "Europe/London", "America/Los_Angeles", "Australia/Adelaide", "America/St_Johns", "Asia/Kathmandu",
        "Africa/Casablanca", "Pacific/Auckland", "Australia/Lord_Howe",
    ]
    /// How many of a hundred people or so live in each.
    static let weights = [16, 12, 12, 12, 10, 8, 8, 8, 4, 3, 2, 2, 2, 1]

    static func clocks(in zones: any ZoneSource) throws(DemoError) -> [ZoneClock] {
        var clocks: [ZoneClock] = []
        for name in names { clocks.append(try ZoneClock(zone: name, in: zones)) }
        return clocks
    }
}
