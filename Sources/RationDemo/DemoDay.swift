public import RationModel

/// A made-up day of a few services and their users: first what they have planned already, then what happens.
///
/// It is a pure machine: the same seed, start and instants give the same bytes on every machine with the same tz
/// database. Types and ids are those of `deploy/policy.yaml`. At most one intent in 2,000 is wrong on purpose.
public struct DemoDay {
    /// What happens in real time: intents a second.
    public static let intentsPerSecond = 200

    let start: Instant
    let clocks: [ZoneClock]
    var people: [Person]
    var dice: Dice
    private let seed: UInt64
    private let population: Int
    /// Lines since the last wrong one.
    private var linesSinceFault = 0
    private var faults = 0

    /// - Parameters:
    ///   - seed: each gives another day.
    ///   - start: when it begins; reminders are planned for the week from then on.
    ///   - devices: at least 1.
    ///   - zones: where the zones of the people come from.
    /// - Throws: `DemoError` if the tz database lacks a zone.
    public init(seed: UInt64, start: Instant, devices: Int, zones: any ZoneSource) throws(DemoError) {
        self.seed = seed
        self.start = start
        population = max(1, devices)
        clocks = try Places.clocks(in: zones)
        people = []
        dice = Dice(seed: seed, stream: .max)
    }

    /// Appends what is planned already for the next phone.
    /// - Returns: whether there was one; when not, the backlog is over.
    public mutating func appendBacklog(to lines: inout IntentLines) -> Bool {
        guard people.count < population else { return false }
        var dice = Dice(seed: seed, stream: UInt64(people.count))
        let person = Person(index: people.count, clocks: clocks, &dice)
        people.append(person)
        let before = lines.count
        lines.register(person)
        Plans(person, start).append(to: &lines, &dice)
        appendFault(after: lines.count - before, at: start, to: &lines)
        return true
    }

    /// Appends what happens next: one to some dozen intents. The backlog is over.
    /// - Parameter now: when it happens; never goes back.
    public mutating func appendMoment(at now: Instant, to lines: inout IntentLines) {
        let before = lines.count
        let index = dice.below(people.count)
        if people[index].isInstalled {
            happen(to: index, at: now, &lines)
        } else {
            signUp(index, at: now, &lines)
        }
        appendFault(after: lines.count - before, at: now, to: &lines)
    }

    /// Appends a wrong intent if enough right ones have gone before it.
    private mutating func appendFault(after count: Int, at now: Instant, to lines: inout IntentLines) {
        linesSinceFault += count
        guard linesSinceFault >= 2_000 else { return }
        linesSinceFault = 0
        Fault.allCases[faults % Fault.allCases.count].append(for: people[0], at: now, to: &lines)
        faults += 1
    }
}
