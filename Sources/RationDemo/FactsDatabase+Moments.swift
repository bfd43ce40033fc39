public import RationModel
internal import RationSQLite

/// What users do while one looks on.
extension FactsDatabase {
    /// What can happen, and how often in a thousand times.
    private enum Moment: CaseIterable {
        case visit, entry, moveHabit, pause, takeUpHabit, endHabit, finishStep, measure, refill, signUp, travel

        var weight: Int {
            switch self {
            case .visit: 270
            case .entry: 180
            case .moveHabit: 120
            case .pause: 100
            case .takeUpHabit: 50
            case .endHabit: 40
            case .finishStep: 70
            case .measure: 70
            case .refill: 60
            case .signUp: 20
            case .travel: 20
            }
        }

        static let weights = allCases.map(\.weight)
    }

    /// Lets things happen to users, in one transaction.
    /// - Parameters:
    ///   - count: how many.
    ///   - now: when; a later one each time.
    ///   - lines: takes the registrations of phones that are new, or in another zone.
    public func happen(_ count: Int, at now: Instant, to lines: inout IntentLines) throws {
        var dice = Dice(seed: seed, stream: UInt64(bitPattern: ~now.milliseconds))
        var phones: [Phone] = []
        guard try users > 0 else { return }
        try database.transaction {
            for _ in 0..<count { phones += try happen(at: now, &dice) }
        }
        for phone in phones { lines.register(phone) }
    }

    /// - Returns: phones that register.
    private func happen(at now: Instant, _ dice: inout Dice) throws -> [Phone] {
        switch Moment.allCases[dice.pick(weights: Moment.weights)] {
        case .visit: try addVisit(of: someUser(&dice), at: now)
        case .entry: try addEntry(at: now, &dice)
        case .moveHabit: try moveHabit(&dice)
        case .pause: try run("UPDATE habits SET paused = 1 - paused WHERE id = ?", [some("habits", &dice).sqlite])
        case .takeUpHabit:
            try add(Habit(key: 0, isFrequent: false, &dice), of: someUser(&dice), zone: nil)
        case .endHabit: try endHabit(at: now, &dice)
        case .finishStep: try finishStep(at: now, &dice)
        case .measure: try measure(at: now, &dice)
        case .refill: try refill(at: now, &dice)
        case .signUp: return [try addUser(users, at: now, isNew: true)]
        case .travel: return try travel(&dice)
        }
        return []
    }

    private func someUser(_ dice: inout Dice) throws -> Int { try some("users", &dice) }

    /// The number of a row; of nobody, where there is none.
    private func some(_ table: String, _ dice: inout Dice) throws -> Int {
        let last = try integer("SELECT max(id) FROM \(table)")
        guard last > 0 else { return 0 }
        let from = dice.within(1...Int(last))
        return Int(try integer("SELECT id FROM \(table) WHERE id >= ? ORDER BY id LIMIT 1", [from.sqlite]))
    }

    /// Somebody wants to be reminded in a moment, and what was in the past is tidied up.
    private func addEntry(at now: Instant, _ dice: inout Dice) throws {
        try run(
            "INSERT INTO entries (user_id, title, body, at) VALUES (?, 'Diary', 'You wanted to write this down', ?)",
            [someUser(&dice).sqlite, now.advanced(by: Int64(dice.within(3...90)) * 1_000).sqlite])
        try run("DELETE FROM entries WHERE at < ?", [now.advanced(by: -Self.day).sqlite])
    }

    private func moveHabit(_ dice: inout Dice) throws {
        let habit = Habit(key: 0, isFrequent: false, &dice)
        try run(
            "UPDATE habits SET times = ? WHERE id = ?",
            [.text(FactsText.times(habit.minutes)), some("habits", &dice).sqlite])
    }

    /// Mostly it is given up at once, else with the end of a day.
    private func endHabit(at now: Instant, _ dice: inout Dice) throws {
        let habit = try some("habits", &dice)
        if dice.hits(oneIn: 3) {
            let last = now.advanced(by: 2 * Self.day).rfc3339.prefix(10)
            try run("UPDATE habits SET ends = ? WHERE id = ?", [.text(String(last)), habit.sqlite])
        } else {
            try run("DELETE FROM habits WHERE id = ?", [habit.sqlite])
        }
    }

    /// Somebody who has signed up lately does what is next.
    private func finishStep(at now: Instant, _ dice: inout Dice) throws {
        let user = try integer(
            """
            SELECT id FROM users u WHERE signed_up_at > ? AND (SELECT count(*) FROM steps WHERE user_id = u.id) < ?
            ORDER BY (id * 7919 + ?) % 10007 LIMIT 1
            """,
            [now.advanced(by: -8 * Self.day).sqlite, Self.steps.count.sqlite, dice.below(10_007).sqlite])
        guard user > 0 else { return }
        let done = Int(try integer("SELECT count(*) FROM steps WHERE user_id = ?", [.integer(user)]))
        try run(
            "INSERT OR IGNORE INTO steps VALUES (?, ?, ?)",
            [.integer(user), .text(Self.steps[min(done, Self.steps.count - 1)]), now.sqlite])
    }

    private func refill(at now: Instant, _ dice: inout Dice) throws {
        let supply = try some("supplies", &dice)
        guard supply > 0 else { return }
        try addMeasurement(of: supply, Double(dice.within(30...90)), at: now)
    }

    /// A supply is looked at: it is a bit less than it was.
    private func measure(at now: Instant, _ dice: inout Dice) throws {
        let supply = try some("supplies", &dice)
        guard supply > 0 else { return }
        var last = 0.0
        try run(
            "SELECT quantity FROM measurements WHERE supply_id = ? ORDER BY measured_at DESC LIMIT 1", [supply.sqlite]
        ) { last = $0.real(0) }
        try addMeasurement(of: supply, max(0, last * Double(dice.within(60...98)) / 100), at: now)
    }

    /// Somebody is in another zone, and so is the phone.
    private func travel(_ dice: inout Dice) throws -> [Phone] {
        let user = try someUser(&dice)
        try run(
            "UPDATE users SET time_zone = ? WHERE id = ?", [.text(dice.pick(clocks).zone), user.sqlite])
        var phones: [Phone] = []
        try run(
            "SELECT \(Self.phoneColumns) FROM devices d JOIN users u ON u.id = d.user_id WHERE u.id = ?",
            [user.sqlite]
        ) { phones.append(Self.phone($0)) }
        return phones
    }
}
