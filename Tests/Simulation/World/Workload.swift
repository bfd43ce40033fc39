import TestSupport

/// What a line of a request asks for.
struct Line: Hashable {
    enum Kind {
        /// An id that no line has named before.
        case fresh
        case again, cancel, feedback, other
    }

    var kind: Kind
    var device: String
    var id: String
    /// The title of what it schedules.
    var title = ""
}

/// Makes the requests of one publisher. No two have the same bytes.
struct Workload {
    static let app = "app"
    static let devices = ["d0", "d1", "d2", "d3"]

    let publisher: String
    /// Among the publishers.
    private let place: Int
    private var made = 0
    private var known: [Line] = []

    init(publisher: String, place: Int) {
        (self.publisher, self.place) = (publisher, place)
    }

    /// - Returns: the request's body, and what its lines ask for.
    mutating func request(_ random: inout SplitMix64) -> (body: [UInt8], lines: [Line]) {
        made += 1
        var texts: [String] = []
        var lines: [Line] = []
        for index in 0..<1 + random.next() % 4 {
            let (text, line) = self.line(Int(index), &random)
            texts.append(text)
            lines.append(line)
        }
        // Spaces tell apart what asks for the same.
        let space = String(repeating: " ", count: made * 3 + place)
        return (Array((texts.joined(separator: "\n") + space).utf8), lines)
    }

    private mutating func line(_ place: Int, _ random: inout SplitMix64) -> (String, Line) {
        let device = Self.devices[Int(random.next() % UInt64(Self.devices.count))]
        let id = "\(publisher).\(made).\(place)"
        switch random.next() % 16 {
        case 0 where !known.isEmpty:
            let old = known[Int(random.next() % UInt64(known.count))]
            return (
                #"{"op":"cancel","app":"app","device":"\#(old.device)","id":"\#(old.id)"}"#,
                Line(kind: .cancel, device: old.device, id: old.id)
            )
        case 1, 2:
            guard !known.isEmpty else { break }
            let old = known[Int(random.next() % UInt64(known.count))]
            return (
                schedule(old.device, old.id, by: id, &random),
                Line(kind: .again, device: old.device, id: old.id, title: id)
            )
        case 3:
            return (
                #"{"op":"device","app":"app","device":"\#(device)","token":"\#(id)"}"#,
                Line(kind: .other, device: device, id: "")
            )
        case 5:
            // Of what is pending, has ended or was never there.
            let old = known.isEmpty || random.next() % 4 == 0 ? nil : known[Int(random.next() % UInt64(known.count))]
            let outcome = ["delivered", "opened", "dismissed", "action", "failed"][Int(random.next() % 5)]
            return (
                #"{"op":"feedback","app":"app","device":"\#(old?.device ?? device)","id":"\#(old?.id ?? "never")","#
                    + #""outcome":"\#(outcome)","action":"\#(id)"}"#,
                Line(kind: .feedback, device: old?.device ?? device, id: old?.id ?? "never", title: "")
            )
        case 4: return (#"{"op":"broken","id":"\#(id)"}"#, Line(kind: .other, device: device, id: ""))
        default: break
        }
        let line = Line(kind: .fresh, device: device, id: id, title: id)
        known.append(line)
        return (schedule(device, id, by: id, &random), line)
    }

    private func schedule(_ device: String, _ id: String, by: String, _ random: inout SplitMix64) -> String {
        let seconds = 1 + random.next() % (random.next() % 3 == 0 ? 20_000 : 600)
        let trigger = random.next() % 10 == 0 ? #"{"every":\#(seconds + 60)}"# : #"{"after":\#(seconds)}"#
        let type = random.next() % 2 == 0 ? "a" : "b"
        return #"{"op":"schedule","app":"app","device":"\#(device)","id":"\#(id)","type":"\#(type)","#
            + #""content":{"title":"\#(by)"},"trigger":\#(trigger)}"#
    }
}
