import RationModel

extension DemoDay {
    /// What can happen to somebody with the app installed, and how often in a thousand times.
    private enum Moment: CaseIterable {
        case visit, sync, timer, feedback, move, refill, supplyMoved, giveUp, travel, glimpse, uninstall

        var weight: Int {
            switch self {
            case .visit: 330
            case .sync: 130
            case .timer: 180
            case .feedback: 120
            case .move: 50
            case .refill: 70
            case .supplyMoved: 50
            case .giveUp: 25
            case .travel: 10
            case .glimpse: 25
            case .uninstall: 10
            }
        }

        static let weights = allCases.map(\.weight)
    }

    mutating func happen(to index: Int, at now: Instant, _ lines: inout IntentLines) {
        switch Moment.allCases[dice.pick(weights: Moment.weights)] {
        case .visit: lines.schedule(Plans(people[index], now).nudge(&dice), for: people[index])
        case .sync: sync(index, at: now, &lines)
        case .timer: timer(index, at: now, &lines)
        case .feedback: feedback(index, at: now, &lines)
        case .move: move(index, at: now, &lines)
        case .refill: refill(index, at: now, &lines)
        case .supplyMoved: moveSupply(index, at: now, &lines)
        case .giveUp: giveUp(index, at: now, &lines)
        case .travel: travel(index, at: now, &lines)
        case .glimpse: glimpse(at: now, &lines)
        case .uninstall: uninstall(index, &lines)
        }
    }

    /// An installation begins: settings, welcomes, habits.
    mutating func signUp(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        people[index].isInstalled = true
        let person = people[index]
        lines.register(person)
        let plans = Plans(person, now)
        for wish in plans.onboarding(since: 0) { lines.schedule(wish, for: person) }
        for habit in person.habits { append(habit, of: person, at: now, &lines) }
        lines.schedule(plans.nudge(&dice), for: person)
    }

    /// A service sends a habit's week again: most of it is unchanged.
    private mutating func sync(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        let person = people[index]
        append(dice.pick(person.habits), of: person, at: now, &lines)
    }

    private mutating func timer(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        let seconds = dice.within(3...90)
        let number = people[index].setTimer(at: now.advanced(by: Int64(seconds) * 1_000))
        lines.schedule(Plans(people[index], now).timer(number, after: seconds), for: people[index])
    }

    private mutating func feedback(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        let person = people[index]
        let outcome = ["delivered", "opened", "action", "dismissed", "failed"][dice.pick(weights: [50, 25, 10, 14, 1])]
        lines.feedback(
            shown(to: person, at: now), outcome, action: outcome == "action" ? dice.pick(["done", "later"]) : nil,
            from: person)
    }

    /// One of the last timers that have rung; a phone without any tells of something that nobody knows any more.
    private mutating func shown(to person: Person, at now: Instant) -> String {
        let rung = person.timersSet.filter { $0.rings < now }
        guard !rung.isEmpty else { return "\(dice.pick(person.habits).prefix)shown" }
        return Plans.timerID(dice.pick(rung).number)
    }

    /// A habit gets other hours: its week is cancelled and planned anew.
    private mutating func move(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        let place = dice.below(people[index].habits.count)
        let hours = people[index].habits[place].minutes.map { _ in Habit.hour(&dice) }
        people[index].habits[place].minutes = Array(Set(hours)).sorted()
        let habit = people[index].habits[place]
        lines.cancel(prefix: habit.prefix, of: people[index])
        append(habit, of: people[index], at: now, &lines)
    }

    /// Something was bought: the warning is off, and a later one is planned mostly.
    private mutating func refill(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        guard let place = supply(of: index) else { return timer(index, at: now, &lines) }
        lines.cancel(id: Plans(people[index], now).depletion(place).id, of: people[index])
        guard !dice.hits(oneIn: 4) else { return }
        people[index].supplies[place] = dice.within(14...40)
        lines.schedule(Plans(people[index], now).depletion(place), for: people[index])
    }

    /// Something lasts longer or shorter than thought.
    private mutating func moveSupply(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        guard let place = supply(of: index) else { return timer(index, at: now, &lines) }
        people[index].supplies[place] = max(2, people[index].supplies[place] + dice.within(-3...3))
        lines.schedule(Plans(people[index], now).depletion(place), for: people[index])
    }

    private mutating func supply(of index: Int) -> Int? {
        let count = people[index].supplies.count
        return count > 0 ? dice.below(count) : nil
    }

    /// A habit is given up, and another one taken up.
    private mutating func giveUp(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        let habit = people[index].habits.remove(at: dice.below(people[index].habits.count))
        lines.cancel(prefix: habit.prefix, of: people[index])
        people[index].takeUpHabit(&dice)
        append(people[index].habits[people[index].habits.count - 1], of: people[index], at: now, &lines)
    }

    /// Another time zone: everything is planned for its hours.
    private mutating func travel(_ index: Int, at now: Instant, _ lines: inout IntentLines) {
        people[index].clock = dice.pick(clocks)
        let person = people[index]
        lines.moved(person, to: person.clock.zone)
        for habit in person.habits { append(habit, of: person, at: now, &lines) }
    }

    /// Something for a phone without a free slot, if there is one.
    private mutating func glimpse(at now: Instant, _ lines: inout IntentLines) {
        let crowdedOut = people.indices.filter { people[$0].kind == .crowdedOut && people[$0].isInstalled }
        guard !crowdedOut.isEmpty else { return timer(dice.below(people.count), at: now, &lines) }
        let person = people[dice.pick(crowdedOut)]
        lines.schedule(Plans(person, now).glimpse(&dice), for: person)
    }

    private mutating func uninstall(_ index: Int, _ lines: inout IntentLines) {
        people[index].isInstalled = false
        lines.remove(people[index])
    }

    private func append(_ habit: Habit, of person: Person, at now: Instant, _ lines: inout IntentLines) {
        for wish in person.reminders(of: habit, from: now) { lines.schedule(wish, for: person) }
    }
}
