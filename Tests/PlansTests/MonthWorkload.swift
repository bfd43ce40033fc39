import RationModel
import TestSupport

/// What services want of some devices in a month: 200 notifications each, of which some are replaced or cancelled, some
/// repeat, some keep their time and some give way.
struct MonthWorkload {
    struct Line {
        var time: Instant
        var device: Int
        var bytes: [UInt8]
    }

    static let app = "com.example.habits"
    static let zones = ["Europe/Madrid", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"]
    static let notifications = 200
    static let days: Int64 = 31

    /// By time; many lines come at once as one request.
    private(set) var lines: [Line] = []
    private var random: SplitMix64

    init(seed: UInt64, devices: Int, start: Instant) {
        random = SplitMix64(seed: seed)
        for device in 0..<devices {
            let zone = Self.zones[device % Self.zones.count]
            add(
                start, device,
                #"{"op":"device","app":"\#(Self.app)","device":"phone-\#(device)","delivery":"local","timeZone":"\#(zone)"}"#
            )
            for number in 0..<Self.notifications { addNotification(number, device, start) }
        }
        lines.sort { ($0.time, $0.device) < ($1.time, $1.device) }
    }

    private mutating func add(_ time: Instant, _ device: Int, _ line: String) {
        lines.append(Line(time: time, device: device, bytes: Array("\(line)\n".utf8)))
    }

    private mutating func addNotification(_ number: Int, _ device: Int, _ start: Instant) {
        // Half of them are there from the beginning: more than a phone keeps. The others come in bursts of minutes.
        let burst = start.advanced(by: Int64(number / 10) * (Self.days - 3) * Instant.dayMilliseconds / 20)
        let time = number < Self.notifications / 2 ? start : moment(burst, in: 0...3_600_000)
        let prefix = ["habitReminder", "entryReminder", "day1Reminder", "depletionReminder", "inactivityReminder"]
            .randomElement(using: &random)!
        let id = "com.myapp.\(prefix).\(number)"
        schedule(id, number, device, at: time, version: 0)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            schedule(id, number, device, at: moment(time, in: 60_000...4 * Instant.dayMilliseconds), version: 1)
        case 1:
            add(
                moment(time, in: 60_000...8 * Instant.dayMilliseconds), device,
                #"{"op":"cancel","app":"\#(Self.app)","device":"phone-\#(device)","id":"\#(id)"}"#)
        default: break
        }
    }

    private mutating func schedule(_ id: String, _ number: Int, _ device: Int, at time: Instant, version: Int) {
        add(
            time, device,
            #"{"op":"schedule","app":"\#(Self.app)","device":"phone-\#(device)","id":"\#(id)","#
                + #""content":{"title":"\#(number)","body":"\#(version)"},"trigger":\#(trigger(number, after: time))}"#)
    }

    private mutating func trigger(_ number: Int, after time: Instant) -> String {
        switch number {
        case 0: return #"{"calendar":{"hour":8,"minute":15},"repeats":true}"#
        case 1: return #"{"calendar":{"weekday":3,"hour":19},"repeats":true,"timeZone":"Europe/Madrid"}"#
        case 2: return #"{"every":86400}"#
        case 3: return #"{"every":100000}"#
        case 4: return #"{"calendar":{"hour":12}}"#
        default:
            let isSoon = Int.random(in: 0..<4, using: &random) == 0
            let date = moment(time, in: 1_000...(isSoon ? 7_200_000 : 20 * Instant.dayMilliseconds))
            return #"{"at":"\#(date.rfc3339)"}"#
        }
    }

    /// A millisecond that no date of a calendar has, so that no two things happen at once whose order is not told.
    private mutating func moment(_ start: Instant, in range: ClosedRange<Int64>) -> Instant {
        let moment = start.milliseconds + Int64.random(in: range, using: &random)
        return Instant(milliseconds: moment / 1_000 * 1_000 + Int64.random(in: 1...999, using: &random))
    }
}
