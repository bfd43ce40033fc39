/// What somebody wants to be reminded of, on which days and at which hours.
struct Habit {
    /// Tells it apart from the person's other habits, also from those that are gone.
    var key: Int
    var theme: Theme
    /// Minutes since midnight, rising.
    var minutes: [Int]
    /// Whether it is for a weekday, from Sunday on.
    var weekdays: [Bool]

    /// What begins the ids of its reminders.
    var prefix: String { "com.myapp.habitReminder.\(theme.slug).\(key)." }

    /// What a habit says.
    struct Theme {
        var slug: String
        var title: String
        var body: String
    }

    static let themes = [
        Theme(slug: "water", title: "Water", body: "Time for a glass"),
        Theme(slug: "stretch", title: "Stretch", body: "Two minutes for your back"),
        Theme(slug: "read", title: "Read", body: "Ten pages before bed"),
        Theme(slug: "walk", title: "Walk", body: "Once around the block, no phone"),
        Theme(slug: "vitamins", title: "Vitamins", body: "With breakfast, you said"),
        Theme(slug: "calma", title: "Respirar", body: "Cinco minutos de calma, después sigues"),
        Theme(slug: "mizu", title: "水を飲む", body: "コップ一杯の水をどうぞ"),
        Theme(slug: "uebung", title: "Rückenübung", body: "Kurz aufstehen und strecken"),
        Theme(slug: "run", title: "Run 🏃", body: "Shoes on, out you go"),
        Theme(slug: "piano", title: "Piano", body: "The \"left hand\" exercise is waiting"),
        Theme(slug: "phone", title: "Phone away", body: "The day is over: screens off in ten minutes"),
    ]

    /// One as people make them.
    /// - Parameter isFrequent: for every day, once or twice.
    init(key: Int, isFrequent: Bool, _ dice: inout Dice) {
        self.key = key
        theme = dice.pick(Self.themes)
        let often = dice.hits(oneIn: isFrequent ? 2 : 5)
        minutes = Array(Set((0..<(often ? 2 : 1)).map { _ in Self.hour(&dice) })).sorted()
        weekdays = isFrequent ? Self.everyDay : Self.days(&dice)
    }

    static let everyDay = [Bool](repeating: true, count: 7)

    private static func days(_ dice: inout Dice) -> [Bool] {
        switch dice.pick(weights: [5, 3, 2]) {
        case 0: everyDay
        case 1: [false, true, true, true, true, true, false]
        default: [false, true, false, true, false, true, false]
        }
    }

    /// A time of day as people choose it: morning, noon or evening, and mostly a round one.
    static func hour(_ dice: inout Dice) -> Int {
        let peaks = [
            (center: 7 * 60 + 30, spread: 90), (center: 12 * 60 + 30, spread: 60), (center: 20 * 60 + 30, spread: 105),
            (center: 14 * 60, spread: 420),
        ]
        let peak = peaks[dice.pick(weights: [40, 20, 33, 7])]
        // The sum of three is near its middle more often than at its ends.
        let third = (0..<3).map { _ in dice.within(-peak.spread...peak.spread) }.reduce(0, +) / 3
        let round = [60, 30, 15, 5][dice.pick(weights: [50, 25, 15, 10])]
        return (peak.center + third + round / 2) / round * round
    }
}
