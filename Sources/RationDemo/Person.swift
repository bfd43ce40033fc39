import RationModel

/// Somebody with a phone, and what the services know of them.
struct Person {
    /// What sets a phone apart.
    enum Kind {
        case ordinary
        /// Over 64 reminders in the coming week: some wait for a slot.
        case eager
        /// A service plans every hour for weeks ahead: beyond the queue's limit.
        case hoarding
        /// Another library of the app has taken all slots.
        case crowdedOut
    }

    let index: Int
    let kind: Kind
    let app: String
    let device: String
    let token: String
    /// Whether the phone holds its plan and fires by itself.
    let holdsPlan: Bool
    let reserved: Int
    var clock: ZoneClock
    var habits: [Habit]
    /// Things that run out: how many days each still lasts.
    var supplies: [Int]
    /// The key of the next habit.
    var nextKey: Int
    /// Timers that were set, for their ids.
    var timers = 0
    /// The last of them, and when each rings.
    private(set) var timersSet: [(number: Int, rings: Instant)] = []
    var isInstalled = true

    static let supplyNames = ["contact lenses", "cat food", "coffee", "insulin pens"]

    /// - Parameter index: from 0 on; every tenth person is eager, two in a thousand hoard, ten in a thousand are
    ///   crowded out.
    init(index: Int, clocks: [ZoneClock], _ dice: inout Dice) {
        self.index = index
        kind = Self.kind(of: index)
        app = dice.hits(oneIn: 5) ? "com.example.pills" : "com.example.habits"
        device = "phone-\(Self.padded(index))"
        token = Self.token(&dice)
        holdsPlan = dice.hits(oneIn: 4)
        reserved = kind == .crowdedOut ? 64 : dice.hits(oneIn: 10) ? dice.within(1...6) : 0
        clock = clocks[dice.pick(weights: Places.weights)]
        (habits, nextKey) = ([], 0)
        supplies = (0..<dice.pick(weights: [50, 35, 15])).map { _ in dice.within(2...30) }
        takeUpHabits(&dice)
    }

    /// Sets a timer.
    /// - Returns: its number.
    mutating func setTimer(at instant: Instant) -> Int {
        timers += 1
        if timersSet.count == Self.timersKept { timersSet.removeFirst() }
        timersSet.append((timers, instant))
        return timers
    }

    private static let timersKept = 8

    /// The reminders of a habit in the coming week that are more than a minute ahead.
    func reminders(of habit: Habit, from now: Instant) -> [Wish] {
        let first = clock.day(at: now)
        var wishes: [Wish] = []
        for day in first..<first + 7 where habit.weekdays[Self.weekday(day)] {
            for minute in habit.minutes {
                let instant = clock.instant(day: day, minute: minute)
                guard instant > now.advanced(by: 60_000) else { continue }
                wishes.append(reminder(of: habit, day: day, minute: minute, at: instant))
            }
        }
        return wishes
    }

    mutating func takeUpHabit(_ dice: inout Dice) {
        habits.append(Habit(key: nextKey, isFrequent: kind == .eager, &dice))
        nextKey += 1
    }

    private mutating func takeUpHabits(_ dice: inout Dice) {
        switch kind {
        case .eager:
            // Of a habit for every day at least six days are ahead at any hour.
            while habits.reduce(0, { $0 + 6 * $1.minutes.count }) <= 72 { takeUpHabit(&dice) }
        case .ordinary, .hoarding, .crowdedOut:
            for _ in 0..<dice.within(1...4) { takeUpHabit(&dice) }
        }
    }

    private func reminder(of habit: Habit, day: Int, minute: Int, at instant: Instant) -> Wish {
        let date = Instant(milliseconds: Int64(day) * 86_400_000).rfc3339.prefix(10)
        return Wish(
            id: "\(habit.prefix)\(date).\(minute)", type: habit.key % 2 == 0 ? "habit" : nil,
            title: habit.theme.title, body: habit.theme.body, category: "reminder", thread: habit.theme.slug,
            reference: habit.key, trigger: .at(instant), expires: instant.advanced(by: 4 * 3_600_000))
    }

    private static func kind(of index: Int) -> Kind {
        switch index % 1_000 {
        case 17, 517: .hoarding
        case let place where place % 100 == 41: .crowdedOut
        case let place where place % 10 == 3: .eager
        default: .ordinary
        }
    }

    /// 1970-01-01 was a Thursday.
    private static func weekday(_ day: Int) -> Int { (day + 4) % 7 }

    private static func padded(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private static func token(_ dice: inout Dice) -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<64).map { _ in dice.pick(digits) })
    }
}
