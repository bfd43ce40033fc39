@testable import PlannerModel
import RationModel
import TestSupport

/// Where and when a scenario plays: its zone, its beginning, and how far apart its dates lie.
struct World {
    static let minute: Int64 = 60_000
    static let zones: [Text] = [
        "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham", "Africa/Casablanca",
        "Asia/Kathmandu", "America/Sao_Paulo", "UTC",
    ]

    /// Zones an hour or three from one of those, where a time has just passed or is about to come.
    private static let neighbours: [Text: [Text]] = [
        "Europe/Madrid": ["UTC", "Africa/Lagos", "Europe/London"], "America/New_York": ["America/Sao_Paulo"],
        "Australia/Lord_Howe": ["Pacific/Chatham", "Asia/Tokyo"], "Pacific/Chatham": ["Australia/Lord_Howe"],
        "Africa/Casablanca": ["Europe/Madrid", "UTC"], "Asia/Kathmandu": ["Asia/Tokyo"],
        "America/Sao_Paulo": ["America/New_York"], "UTC": ["Europe/Madrid", "Africa/Lagos"],
    ]

    /// The zone in which most recipients are.
    let zoneName: Text
    let zone: ModelZone
    let beginning: Int64
    /// Dates lie on a grid of so many milliseconds, so that they collide.
    let unit: Int64

    init(_ random: inout SplitMix64) {
        zoneName = random.pick(Self.zones)
        guard let zone = ModelZone.named(zoneName) else {
            preconditionFailure("\(zoneName) is one of the model's zones")
        }
        self.zone = zone
        unit = random.pick([1, 1, 1, 20, 20, 180]) * Self.minute
        let ordinary = Self.ordinaryBeginning + random.number(0...96) * 30 * Self.minute
        let transitions = zone.spans.map(\.end).filter { $0 < Self.ordinaryBeginning + 400 * ModelZone.day }
        guard random.chance(65), !transitions.isEmpty else {
            beginning = ordinary
            return
        }
        beginning = random.pick(transitions) - unit * random.number(0...8)
    }

    /// 2026-11-30T08:00:00Z.
    private static let ordinaryBeginning: Int64 = 1_796_025_600_000

    /// A zone to be in: this one, one near by, or any.
    func zoneName(_ random: inout SplitMix64) -> Text {
        let any = random.pick(Self.zones)
        return random.pick([zoneName, random.pick(Self.neighbours[zoneName] ?? [any]), any])
    }

    var isFast: Bool { unit < 20 * Self.minute }

    /// The minute of the day that the clocks show.
    func minuteOfDay(at instant: Int64) -> Int64 {
        let wall = zone.wall(at: instant).divided(by: Self.minute)
        return wall - wall.divided(by: 1440) * 1440
    }

    /// The day of the week, Monday first.
    func weekday(at instant: Int64) -> Int64 {
        let number = zone.wall(at: instant).divided(by: ModelZone.day) + 3
        return number - number.divided(by: 7) * 7
    }
}
