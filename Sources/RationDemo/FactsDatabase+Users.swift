public import RationModel
internal import RationSQLite

/// Users, with what the team has known of them for some time.
extension FactsDatabase {
    /// What a new user is to do, in the order in which most do it.
    static let steps = ["firstHabit", "widget", "friend"]

    private static let names = [
        "Ana", "Ben", "Chiyo", "Dev", "Eva", "Femi", "Gro", "Hugo", "Inés", "Jun", "Kai", "Lía",
    ]

    /// Adds users until there are as many as asked for, in one transaction.
    /// - Parameter now: when all of it is so.
    public func fill(users wanted: Int, at now: Instant) throws {
        let known = try users
        guard known < wanted else { return }
        try database.transaction {
            for index in known..<wanted { try addUser(index, at: now, isNew: false) }
        }
    }

    /// - Parameter isNew: who has just signed up, and has done nothing yet.
    /// - Returns: the phone.
    @discardableResult
    func addUser(_ index: Int, at now: Instant, isNew: Bool) throws -> Phone {
        var dice = Dice(seed: seed, stream: UInt64(index))
        let person = Person(index: index, clocks: clocks, &dice)
        let days = isNew ? 0 : dice.hits(oneIn: 8) ? dice.within(0...7) : dice.within(8...400)
        let since = isNew ? now : now.advanced(by: -Int64(days) * Self.day - Int64(dice.below(Int(Self.day))))
        let user = index + 1
        try run(
            "INSERT INTO users VALUES (?, ?, ?, ?)",
            [user.sqlite, .text(dice.pick(Self.names)), .text(person.clock.zone), since.sqlite])
        try add(Phone(person), of: user)
        for habit in person.habits { try add(habit, of: user, zone: dice.hits(oneIn: 2) ? person.clock.zone : nil) }
        for _ in person.supplies { try addSupply(of: user, at: now, &dice) }
        if isNew {
            try addVisit(of: user, at: now)
        } else {
            try addHistory(of: user, since: days, person.clock, at: now, &dice)
        }
        return Phone(person)
    }

    static let day: Int64 = 86_400_000

    private func add(_ phone: Phone, of user: Int) throws {
        try run(
            "INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(phone.app), .text(phone.device), user.sqlite, .text(phone.token),
                (phone.holdsPlan ? 1 : 0).sqlite, phone.reserved.sqlite,
            ])
    }

    /// - Parameter zone: nil: on the clock of the phone, wherever it is.
    func add(_ habit: Habit, of user: Int, zone: String?) throws {
        try run(
            "INSERT INTO habits (user_id, slug, title, body, times, weekdays, time_zone) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                user.sqlite, .text(habit.theme.slug), .text(habit.theme.title), .text(habit.theme.body),
                .text(FactsText.times(habit.minutes)), .text(FactsText.weekdays(habit.weekdays)),
                zone.map(SQLiteValue.text) ?? .null,
            ])
    }

    /// What lasts for some weeks and was measured every few days; of one in three the use is known.
    private func addSupply(of user: Int, at now: Instant, _ dice: inout Dice) throws {
        let use = Double(dice.within(2...40)) / 10
        try run(
            "INSERT INTO supplies (user_id, name, use_per_day) VALUES (?, ?, ?)",
            [user.sqlite, .text(dice.pick(Person.supplyNames)), dice.hits(oneIn: 3) ? .real(use) : .null])
        let supply = Int(try integer("SELECT last_insert_rowid()"))
        let full = use * Double(dice.within(20...40))
        let days = dice.within(2...18)
        for ago in stride(from: days, through: 0, by: -dice.within(1...4)) {
            let noise = Double(dice.within(-10...10)) / 100
            let quantity = max(0, full - use * (Double(days - ago) + noise))
            try addMeasurement(
                of: supply, quantity, at: now.advanced(by: -Int64(ago) * Self.day - Int64(dice.below(3_600_000))))
        }
    }

    func addMeasurement(of supply: Int, _ quantity: Double, at instant: Instant) throws {
        let rounded = (quantity * 10).rounded() / 10
        try run(
            "INSERT OR REPLACE INTO measurements VALUES (?, ?, ?)", [supply.sqlite, instant.sqlite, .real(rounded)])
    }

    func addVisit(of user: Int, at instant: Instant) throws {
        try run("INSERT OR IGNORE INTO visits VALUES (?, ?)", [user.sqlite, instant.sqlite])
    }

    /// Steps, and visits at the hour at which the user usually comes.
    private func addHistory(
        of user: Int, since days: Int, _ clock: ZoneClock, at now: Instant, _ dice: inout Dice
    ) throws {
        for (place, step) in Self.steps.enumerated() where days > 7 || dice.within(0...7) < days - 2 * place {
            try run("INSERT INTO steps VALUES (?, ?, ?)", [user.sqlite, .text(step), now.sqlite])
        }
        let hour = Habit.hour(&dice)
        let today = clock.day(at: now)
        var ago = dice.pick(weights: [50, 25, 15, 10]) * 3
        for _ in 0..<dice.within(2...12) where ago <= days {
            let visit = clock.instant(day: today - ago, minute: hour + dice.within(-40...40))
            if visit <= now { try addVisit(of: user, at: visit) }
            ago += dice.within(1...4)
        }
    }
}

/// How facts are written.
enum FactsText {
    /// `07:30,21:00`.
    static func times(_ minutes: [Int]) -> String {
        minutes.map { minute in "\(twoDigits(minute / 60)):\(twoDigits(minute % 60))" }.joined(separator: ",")
    }

    /// `mon,wed`, or `daily`.
    /// - Parameter weekdays: from Sunday on.
    static func weekdays(_ weekdays: [Bool]) -> String {
        if weekdays.allSatisfy({ $0 }) { return "daily" }
        let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        return zip(names, weekdays).filter(\.1).map(\.0).joined(separator: ",")
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
