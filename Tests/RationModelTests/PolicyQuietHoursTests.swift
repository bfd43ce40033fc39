import RationModel
import TestSupport
import Testing

@Suite("Quiet hours that break a rule of semantics.md section 3 are refused with the path of the fault")
struct PolicyQuietHoursTests {
    static func window(
        _ from: String, _ to: String, _ days: WeekdaySet = .all, types: [String]? = nil, exempt: LevelSet? = nil
    ) -> QuietWindow {
        var window = QuietWindow(from: TimeOfDay.minutes(from) ?? -1, to: TimeOfDay.minutes(to) ?? -1)
        (window.days, window.types) = (days, types)
        if let exempt { window.exempt = exempt }
        return window
    }

    static func days(_ names: String...) -> WeekdaySet {
        WeekdaySet(names.compactMap { WeekdaySet(name: $0) })
    }

    /// The faults' paths, as a policy and as a device have them.
    static func paths(_ windows: [QuietWindow]) -> [String] {
        var policy = Policy()
        policy.quietHours = windows
        let faults = policy.faults(orders: ["soonest"])
        #expect(QuietWindow.faults(of: windows, at: "quietHours") == faults)
        return faults.map(\.path)
    }

    static func found(_ windows: [QuietWindow]) -> [String] {
        QuietWindow.faults(of: windows, at: "quietHours").map { fault in
            String(fault.message.split(separator: "found none for ").last ?? "")
        }
    }

    @Test("'from' is from 00:00 to 23:59, 'to' up to 24:00, in minutes")
    func times() {
        for (from, to, paths) in [
            (-1, 60, ["quietHours[0].from"]), (0, 60, []), (1439, 60, []), (1440, 60, ["quietHours[0].from"]),
            (60, -1, ["quietHours[0].to"]), (60, 0, []), (60, 1439, []), (60, 1440, []),
            (60, 1441, ["quietHours[0].to"]),
            (.min, .max, ["quietHours[0].from", "quietHours[0].to"]),
            (1440, 1440, ["quietHours[0].from"]),
        ] {
            #expect(Self.paths([QuietWindow(from: from, to: to)]) == paths, "\(from) to \(to)")
        }
    }

    @Test("'from' is not 'to'")
    func noLength() {
        for minutes in [0, 1, 720, 1439] {
            #expect(Self.paths([QuietWindow(from: minutes, to: minutes)]) == ["quietHours[0].to"])
            #expect(Self.paths([QuietWindow(from: minutes, to: minutes + 1)]) == [])
        }
    }

    @Test("At most 64 windows, and 10,000 types in one")
    func counts() {
        let windows = [QuietWindow](repeating: QuietWindow(from: 0, to: 1), count: 65)
        #expect(Self.paths(Array(windows.dropLast())) == [])
        #expect(Self.paths(windows) == ["quietHours"])
        let types = (0...10_000).map { "t\($0)" }
        #expect(Self.paths([Self.window("00:00", "01:00", types: Array(types.dropLast()))]) == [])
        #expect(Self.paths([Self.window("00:00", "01:00", types: types)]) == ["quietHours[0].types"])
    }

    @Test("A type that a window names has a plain name")
    func names() {
        let longest = String(repeating: "n", count: 64)
        let names = ["a", "A.b-c_9", "", longest, longest + "n", "a b", "é", "*", "unknown"]
        let windows = [QuietWindow(from: 0, to: 1), Self.window("00:00", "01:00", types: names)]
        #expect(Self.paths(windows) == [2, 4, 5, 6, 7].map { "quietHours[1].types[\($0)]" })
    }

    @Test("What names no day or no type binds nothing, and is no fault")
    func empty() {
        #expect(Self.paths([]) == [])
        #expect(Self.paths([Self.window("00:00", "24:00", [])]) == [])
        #expect(Self.paths([Self.window("00:00", "24:00", types: [])]) == [])
    }

    static let six = days("mon", "tue", "wed", "thu", "fri", "sat")
    static let weekend = days("sat", "sun")
    static let work = days("mon", "tue", "wed", "thu", "fri")
    static let quiet = LevelSet(.timeSensitive, .critical)

    @Test(
        "Some minute of the week is free for every type and level",
        arguments: [
            ([window("00:00", "24:00")], false), ([window("00:00", "23:59")], true), ([window("00:01", "24:00")], true),
            ([window("00:00", "24:00", six)], true),
            ([window("00:00", "24:00", six), window("00:00", "24:00", days("sun"))], false),
            // One minute left on Sunday, then none.
            ([window("00:00", "24:00", six), window("00:00", "23:59", days("sun"))], true),
            ([window("00:00", "24:00", six), window("00:00", "23:59", days("sun")), window("23:59", "24:00")], false),
            // A window over midnight takes the morning of the day after the one that it belongs to.
            ([window("22:00", "21:59")], true), ([window("22:00", "07:30"), window("07:30", "22:00")], false),
            ([window("22:00", "07:30"), window("07:31", "22:00")], true),
            ([window("22:00", "07:30"), window("07:30", "21:59")], true),
            ([window("12:00", "24:00", six), window("00:00", "12:00")], true),
            (
                [window("12:00", "24:00", days("sun")), window("12:00", "12:01", six), window("00:00", "24:00", six)],
                true
            ),
            // The week wraps: Sunday's window ends on Monday morning.
            (
                [
                    window("22:00", "08:00", days("sun")), window("08:00", "24:00", days("mon")),
                    window("00:00", "24:00", days("tue", "wed", "thu", "fri", "sat")),
                    window("00:00", "22:00", days("sun")),
                ], false
            ),
            (
                [
                    window("22:00", "07:59", days("sun")), window("08:00", "24:00", days("mon")),
                    window("00:00", "24:00", days("tue", "wed", "thu", "fri", "sat")),
                    window("00:00", "22:00", days("sun")),
                ], true
            ),
            (
                [
                    window("22:00", "08:00", days("sat")), window("08:00", "24:00", days("mon")),
                    window("00:00", "24:00", days("tue", "wed", "thu", "fri", "sat")),
                    window("00:00", "22:00", days("sun")),
                ], true
            ),
            // Both halves bind one level only together.
            ([window("00:00", "12:00"), window("12:00", "24:00", exempt: LevelSet(.active, .passive))], true),
            ([window("00:00", "12:00"), window("12:00", "24:00", exempt: LevelSet(.active))], false),
            ([window("00:00", "24:00", exempt: LevelSet(.passive, .active, .timeSensitive, .critical))], true),
            ([window("00:00", "24:00", exempt: LevelSet(.passive, .active, .timeSensitive))], false),
            // And one type only together.
            ([window("00:00", "12:00"), window("12:00", "24:00", types: ["a"])], false),
            ([window("00:00", "12:00", types: ["b"]), window("12:00", "24:00", types: ["a"])], true),
            ([window("00:00", "12:00", types: ["b", "a"]), window("12:00", "24:00", types: ["a"])], false),
            ([window("00:00", "24:00", work, types: ["a"]), window("00:00", "24:00", weekend)], false),
            ([window("00:00", "24:00", work, types: ["a"]), window("00:00", "24:00", days("sun"))], true),
        ] as [([QuietWindow], Bool)])
    func freeMinute(windows: [QuietWindow], isFree: Bool) {
        #expect(Self.paths(windows) == (isFree ? [] : ["quietHours"]))
        #expect(Self.paths(windows.reversed()) == (isFree ? [] : ["quietHours"]))
    }

    @Test("The types and levels without a free minute are told, each once")
    func whom() {
        let all = Self.window("00:00", "24:00")
        #expect(Self.found([all]) == ["any type with passive, active"])
        #expect(
            Self.found([Self.window("00:00", "24:00", exempt: [])]) == [
                "any type with passive, active, timeSensitive, critical"
            ])
        let named = Self.window("00:00", "24:00", types: ["b", "a", "b"], exempt: LevelSet(.critical))
        #expect(
            Self.found([named]) == [
                "the type 'a' with passive, active, timeSensitive", "the type 'b' with passive, active, timeSensitive",
            ])
        // What holds for any type is not told again for one.
        #expect(
            Self.found([named, all]) == [
                "any type with passive, active", "the type 'a' with timeSensitive", "the type 'b' with timeSensitive",
            ])
    }

    @Test("Faults of a window do not hide that others leave no free minute")
    func together() {
        let paths = Self.paths([QuietWindow(from: 5, to: 5), Self.window("00:00", "24:00", types: ["a b"])])
        #expect(paths == ["quietHours[0].to", "quietHours[1].types[0]", "quietHours"])
    }

    @Test("Generated hours agree with a look at every minute of the week", arguments: 0..<10)
    func generated(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var outcomes: Set<Bool> = []
        for _ in 0..<30 {
            let windows = Self.windows(using: &random)
            let isFree = Self.hasFreeMinutes(windows)
            #expect(QuietWindow.faults(of: windows, at: "q").isEmpty == isFree, "seed \(seed): \(windows)")
            outcomes.insert(isFree)
        }
        #expect(outcomes.count == 2, "seed \(seed) makes hours of both kinds")
    }

    private static let names = ["a", "b", "c"]

    private static func windows(using random: inout SplitMix64) -> [QuietWindow] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
            // Coarse times, so that windows often meet exactly.
            let from = Int.random(in: 0..<4, using: &random) * 360
            let to = from + Int.random(in: 1...4, using: &random) * 360
            var window = QuietWindow(from: from, to: to == from + 1440 ? (from == 0 ? 1440 : from - 1) : to % 1440)
            if window.from == window.to { window.to = 1440 }
            window.days =
                [.all, .all, WeekdaySet(rawValue: .random(in: 0...127, using: &random))].randomElement(using: &random)
                ?? .all
            window.exempt = LevelSet(
                rawValue: .random(in: 0...15, using: &random) & .random(in: 0...15, using: &random))
            window.types = Bool.random(using: &random) ? nil : names.filter { _ in Bool.random(using: &random) }
            return window
        }
    }

    /// Minute by minute: whether some minute of the week is free for each type and level.
    private static func hasFreeMinutes(_ windows: [QuietWindow]) -> Bool {
        (names + ["other"]).allSatisfy { type in
            InterruptionLevel.allCases.allSatisfy { level in
                let binding = windows.filter { !$0.exempt.contains(level) && $0.types?.contains(type) ?? true }
                return (0..<7 * 1440).contains { minute in
                    !binding.contains { isQuiet($0, day: minute / 1440, time: minute % 1440) }
                }
            }
        }
    }

    private static func isQuiet(_ window: QuietWindow, day: Int, time: Int) -> Bool {
        let starts = { (day: Int) in window.days.contains(WeekdaySet(rawValue: 1 << UInt8(day))) }
        if window.from < window.to { return starts(day) && time >= window.from && time < window.to }
        return (starts(day) && time >= window.from) || (starts((day + 6) % 7) && time < window.to)
    }
}
