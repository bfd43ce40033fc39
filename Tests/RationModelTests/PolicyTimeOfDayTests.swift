import RationModel
import Testing

@Suite("Times of the day are HH:MM, and the words of policies are taken byte for byte")
struct PolicyTimeOfDayTests {
    @Test("Every minute of the day is read as it is written, and 24:00 beside them")
    func everyMinute() {
        for minutes in 0...1440 {
            let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
            let digits = [hour / 10, hour % 10, minute / 10, minute % 10]
            let text = "\(digits[0])\(digits[1]):\(digits[2])\(digits[3])"
            #expect(TimeOfDay.minutes(text) == minutes)
            #expect(TimeOfDay.text(minutes) == text)
        }
    }

    @Test(
        "No other text is a time",
        arguments: [
            "", ":", "7:30", "07:3", "007:30", "07:300", "07-30", "07:60", "24:01", "25:00", "99:99", " 07:30",
            "07:30 ",
            "07:30:00", "+7:30", "-1:30", "07:-1", "0７:30", "07：30", "7h30m", "0730", "ab:cd", "07:30\0",
        ])
    func otherTexts(text: String) {
        #expect(TimeOfDay.minutes(text) == nil)
    }

    @Test("Minutes that are no time of a day are told as the number that they are")
    func otherMinutes() {
        #expect(TimeOfDay.text(-1) == "minute -1")
        #expect(TimeOfDay.text(1441) == "minute 1441")
    }

    @Test("Days are mon to sun, Monday first")
    func days() {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        #expect(names.map { WeekdaySet(name: $0)?.rawValue } == [1, 2, 4, 8, 16, 32, 64])
        for name in ["", "Mon", "monday", "mo", "mon ", "mo\u{301}n"] { #expect(WeekdaySet(name: name) == nil) }
    }

    @Test("Levels are named as on the wire")
    func levels() {
        let names = ["passive", "active", "timeSensitive", "critical"]
        #expect(names.map { InterruptionLevel(name: $0) } == InterruptionLevel.allCases)
        for name in ["", "timesensitive", "Critical", "time-sensitive", "all"] {
            #expect(InterruptionLevel(name: name) == nil)
        }
    }

    @Test("A percentage is a whole number and a sign")
    func percentages() {
        #expect(
            ["0%", "1%", "40%", "100%", "101%"].map { SlotShare(percentage: $0) }
                == [0, 1, 40, 100, 101].map { .percent($0) })
        for text in [
            "", "%", "10", "-1%", "+1%", "1.5%", "010%", "00%", "10 %", "10%%", "%10", "99999999999999999999%",
        ] {
            #expect(SlotShare(percentage: text) == nil)
        }
    }
}
