import AnalyticsSubscriber
import RationModel

/// Counts a whole log anew, event by event and without any short way: what analytics' tables have to say.
struct Recount {
    private var names: (types: [String], apps: [String]) = ([], [])
    private var counts: [String: Int] = [:]
    private var durations: [String: [Int64]] = [:]
    private var samples: [Int64: String] = [:]
    /// By recipient and id: nil is held, else queued since then.
    private var pending: [[UInt8]: [String: Int64?]] = [:]
    private var sums = ""
    private var events = 0
    private let mostNames: Int
    private let openMilliseconds: Int64
    /// Everything that has come due, with the names of what was told of it.
    private var dues: [(event: ReceivedEvent, type: Int, told: Set<String>)] = []

    init(_ events: [ReceivedEvent], mostNames: Int = 1_000, openMilliseconds: Int64 = 7 * 86_400_000) {
        (self.mostNames, self.openMilliseconds) = (mostNames, openMilliseconds)
        for event in events { add(event, first: events[0]) }
    }

    private static let bounds: [Int64] = [
        0, 1_000, 10_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
        259_200_000, 604_800_000, .max,
    ]

    private mutating func add(_ event: ReceivedEvent, first: ReceivedEvent) {
        let hour = Int64((Double(event.time.milliseconds) / 3_600_000).rounded(.down))
        let type = event.kind.isFeedback ? tell(event) : number(event.type, \.types)
        let app = number(event.app, \.apps)
        let final = event.isFinal == nil ? -1 : event.isFinal == true ? 1 : 0
        let key =
            "\(hour) \(event.kind.rawValue) \(event.cause.rawValue) \(event.reason.rawValue) \(final) \(type) \(app)"
        counts[key, default: 0] += 1
        events += 1
        if event.kind == .due {
            dues.append((event, type, []))
            measure(0, event.fireDate.milliseconds - event.requestedDate.milliseconds, hour, type)
        }
        if !event.kind.isFeedback { move(event, hour, type) }
        let all = pending.values.filter { !$0.isEmpty }
        let held = all.map { $0.values.count { $0 == nil } }.reduce(0, +)
        let queued = all.map { $0.values.count { $0 != nil } }.reduce(0, +)
        let over = all.count { $0.values.contains { $0 != nil } }
        samples[hour] = "\(held) \(queued) \(all.count) \(over)"
        sums =
            "\(samples[hour] ?? "") \(events) \(first.time.milliseconds) \(event.time.milliseconds)"
    }

    /// - Returns: the type of what it is told of.
    private mutating func tell(_ event: ReceivedEvent) -> Int {
        let place = dues.lastIndex { due in
            [due.event.app, due.event.device, due.event.id].map { Array($0.utf8) }
                == [event.app, event.device, event.id].map { Array($0.utf8) }
        }
        guard let place, event.time.milliseconds - dues[place].event.time.milliseconds <= openMilliseconds else {
            return number("unknown", \.types)
        }
        dues[place].told.insert("\(event.kind.name)")
        return dues[place].type
    }

    private var openLines: [String] {
        var opens: [String: [Int]] = [:]
        for due in dues {
            let hour = Int64((Double(due.event.time.milliseconds) / 3_600_000).rounded(.down))
            let hourOfDay = String(due.event.fireDate.rfc3339.dropFirst(11).prefix(2))
            let key = "\(hour) \(due.type) \(Int(hourOfDay) ?? -1) \(due.event.priority)"
            let isOpened = !due.told.isDisjoint(with: ["opened", "action"])
            let isFailed = due.told == ["failed"]
            let added = [1, isFailed ? 1 : 0, isOpened ? 1 : 0]
            opens[key] = zip(opens[key] ?? [0, 0, 0], added).map { $0 + $1 }
        }
        return opens.map { "open \($0.key) \($0.value.map(String.init).joined(separator: " "))" }
    }

    private mutating func move(_ event: ReceivedEvent, _ hour: Int64, _ type: Int) {
        let recipient = Array("\(event.app)/\(event.device)".utf8)
        let before = pending[recipient]?[event.id]
        let isQueued = event.kind == .queued || (event.kind == .evicted && event.isFinal == false)
        if isQueued {
            if case .some(.some) = before { return }
            pending[recipient, default: [:]][event.id] = .some(event.time.milliseconds)
            return
        }
        if case .some(.some(let since)) = before {
            measure(event.kind == .accepted ? 1 : 2, event.time.milliseconds - since, hour, type)
        }
        if event.kind == .accepted {
            pending[recipient, default: [:]].updateValue(nil, forKey: event.id)
        } else {
            pending[recipient]?.removeValue(forKey: event.id)
        }
    }

    private mutating func measure(_ measure: Int, _ milliseconds: Int64, _ hour: Int64, _ type: Int) {
        let bucket = Self.bounds.firstIndex { max(0, milliseconds) <= $0 } ?? 0
        durations["\(hour) \(measure) \(type) \(bucket)", default: []].append(max(0, milliseconds))
    }

    private mutating func number(
        _ name: String, _ path: WritableKeyPath<(types: [String], apps: [String]), [String]>
    ) -> Int {
        if let place = names[keyPath: path].firstIndex(of: name) { return place + 1 }
        guard names[keyPath: path].count < mostNames else { return 0 }
        names[keyPath: path].append(name)
        return names[keyPath: path].count
    }

    /// The same lines that ``RecountedTables`` makes of a file.
    var lines: [String] {
        var lines = counts.map { "count \($0.key) \($0.value)" }
        lines += durations.map {
            "duration \($0.key) \($0.value.count) \($0.value.reduce(0, +)) \($0.value.max() ?? 0)"
        }
        lines += samples.map { "sample \($0.key) \($0.value)" }
        lines += names.types.enumerated().map { "type \($0.offset + 1) \($0.element)" }
        lines += names.apps.enumerated().map { "app \($0.offset + 1) \($0.element)" }
        for (recipient, notifications) in pending where !notifications.isEmpty {
            let held = notifications.values.count { $0 == nil }
            let name = String(decoding: recipient, as: UTF8.self)
            lines.append("recipient \(name) \(held) \(notifications.count - held)")
        }
        lines += openLines
        lines.append("sums \(sums)")
        return lines.sorted()
    }
}
