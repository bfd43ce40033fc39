@testable import PlannerModel
import TestSupport
import Testing

/// The parts of the model that jump, against looking at every minute.
@Suite("The slow model's own shortcuts")
struct ModelTests {
    @Test("quiet hours end at the first minute that lies in no window", arguments: 0..<300 as Range<UInt64>)
    func quietHours(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let world = World(&random)
        var policies = PolicyGenerator(world: world, around: world.beginning, &random)
        let windows = (policies.windows().elements ?? []).compactMap(ModelWindow.init)
        let quiet = ModelQuietHours(windows: windows, zone: world.zone)
        for _ in 0..<4 {
            let instant = world.beginning + random.number(-1440...1440) * World.minute
            var end = instant
            while quiet.isQuiet(at: end) { end += World.minute }
            #expect(quiet.end(from: instant) == end, "seed \(seed)")
        }
    }

    @Test("a calendar trigger's next date is the first of all minutes that match", arguments: 0..<300 as Range<UInt64>)
    func calendars(seed: UInt64) {
        var generator = ScenarioGenerator(seed: seed)
        for _ in 0..<4 {
            let trigger = generator.calendarTrigger()
            let calendar = ModelCalendar(trigger)
            guard calendar.fault == nil, calendar.second ?? 0 == 0 else { continue }
            let zone = calendar.zone.flatMap(ModelZone.named) ?? generator.world.zone
            let after = generator.now + generator.random.pick([-1, 0, 0, 1])
            let limit = after + 2 * ModelZone.day
            #expect(
                calendar.next(after: after, in: zone, until: limit) == first(calendar, after, zone, limit),
                "seed \(seed): \(trigger.json) after \(after)")
        }
    }

    /// Looks at what the clocks show at every minute, and at what they leave out.
    private func first(_ calendar: ModelCalendar, _ after: Int64, _ zone: ModelZone, _ limit: Int64) -> Int64? {
        let isOnTimeLine = calendar.hour == nil && !calendar.namesDate
        let day = ModelZone.day
        var shown: Set<Int64> = []
        var matches: [Int64] = []
        let begin = after.divided(by: World.minute) * World.minute - day
        for instant in stride(from: begin, through: limit, by: Int(World.minute)) {
            let wall = zone.wall(at: instant)
            let isFirst = shown.insert(wall).inserted
            if shows(calendar, wall) && (isFirst || isOnTimeLine) { matches.append(instant) }
            let gap = zone.wall(at: instant + World.minute) - wall - World.minute
            if isOnTimeLine || gap <= 0 { continue }
            for skipped in stride(from: World.minute, through: gap, by: Int(World.minute))
            where shows(calendar, wall + skipped) {
                matches.append(instant + skipped)
            }
        }
        return matches.filter { $0 > after && $0 <= limit }.min()
    }

    private func shows(_ calendar: ModelCalendar, _ wall: Int64) -> Bool {
        let number = wall.divided(by: ModelZone.day)
        let date = ModelDay(number: number)
        let minute = (wall - number * ModelZone.day) / World.minute
        // From the largest to the smallest; what is smaller than the last named one takes its lowest.
        let shown = [date.year, date.month, date.day, minute / 60, minute % 60]
        let named = [calendar.year, calendar.month, calendar.day, calendar.hour, calendar.minute]
        let lowest: [Int64] = [0, 1, 1, 0, 0]
        var smallest = named.lastIndex { $0 != nil } ?? -1
        if calendar.weekday != nil { smallest = max(smallest, 2) }
        if calendar.second != nil { smallest = 5 }
        if let weekday = calendar.weekday, date.weekday != weekday { return false }
        return shown.indices.allSatisfy { place in
            shown[place] == named[place] ?? (place > smallest ? lowest[place] : shown[place])
        }
    }
}
