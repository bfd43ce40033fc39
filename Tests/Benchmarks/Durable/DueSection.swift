import Foundation
import RationBus
import RationModel
import RationWire

extension DurableBenchmark {
    /// Of all requests, those that are published while the notifications come due.
    private static let load = 0.5
    /// How long after the last fire date events may still come.
    private static let patienceSeconds = 10.0
    /// Their numbers begin here, behind those of the population.
    private static let firstID = 60

    /// Very many notifications whose fire dates lie in one minute, while intents come at half of what the broker takes: how
    /// late each `due` event is published.
    func measureDue(_ section: inout FigureReport.Section) throws {
        guard settings.due / settings.recipients < 100 - Self.firstID else {
            throw BenchmarkError("\(settings.due) due notifications need more than \(settings.recipients) recipients")
        }
        let broker = try filledBroker()
        // What it keeps up with for a while, not what it takes at once.
        let rate = try broker.intake.publish(broker.moves(), until: .seconds(Double(settings.dueSeconds) / 2))
            .intentsPerSecond()
        let last = UInt64(try broker.numbers().last)
        let start = try scheduleDue(on: broker, intentsPerSecond: rate)
        let live = LiveFollower(broker, topics: "due/", readsDue: true)
        let lead = Double(start.milliseconds - MachineClock.wallMilliseconds()) / 1_000
        let intake = try broker.intake.publish(
            broker.moves(), until: .seconds(lead + Double(settings.dueSeconds) + 1),
            rate: rate * Self.load / Double(DurableSettings.pack))
        try awaitDue(live)
        try live.stop()
        let received = live.received
        section.figures += figures(received)
        section.notes.append(
            "\(received.events) of \(settings.due) live within \(settings.dueSeconds) s, under "
                + "\(Decimals.grouped(intake.intentsPerSecond())) of \(Decimals.grouped(rate)) intents/s "
                + "acknowledged after \(intake.latencies.text)")
        if received.events < settings.due { try lookIntoLog(broker, after: last, &section) }
    }

    /// Schedules them.
    /// - Returns: when the first ones are due.
    private func scheduleDue(on broker: FilledBroker, intentsPerSecond rate: Double) throws -> Instant {
        let now = MachineClock.wallMilliseconds()
        // Four times what moving as many would take, and some: these are new, and other work on the machine must not matter.
        let lead = Int64(Double(settings.due) / rate * 4_000) + 5_000
        let start = Instant(milliseconds: (now + lead) / 1_000 * 1_000)
        let (recipients, seconds) = (settings.recipients, settings.dueSeconds)
        func line(_ place: Int) -> IntentLine {
            IntentLine(
                recipient: place % recipients, id: Self.firstID + place / recipients,
                date: start.advanced(by: Int64(place % seconds) * 1_000))
        }
        let whole = settings.due / DurableSettings.pack
        let packs = RenderedRequests(intentsEach: DurableSettings.pack, line: line)
        _ = try broker.intake.publish(packs, until: .requests(whole))
        let singles = RenderedRequests(intentsEach: 1) { line(whole * DurableSettings.pack + $0) }
        _ = try broker.intake.publish(singles, until: .requests(settings.due - whole * DurableSettings.pack))
        guard MachineClock.wallMilliseconds() < start.milliseconds - 1_000 else {
            throw BenchmarkError("the notifications could not be scheduled within \(lead) ms")
        }
        return start
    }

    /// Until all have come or time is up.
    private func awaitDue(_ live: LiveFollower) throws {
        var poller = Poller()
        let end = MachineClock.nanoseconds() + Int(Self.patienceSeconds * 1e9)
        while live.count < settings.due, MachineClock.nanoseconds() < end { try poller.wait(milliseconds: 20) }
    }

    private func figures(_ received: LiveFollower.Received) -> [Figure] {
        let lateness = received.lateness
        let inTime = Double(lateness.count(below: 1_000)) / Double(settings.due)
        return [
            Figure(
                name: "dueInTime", text: "published within their second", value: inTime * 100, unit: "%", digits: 3,
                aim: .atLeast(100)),
            Figure(name: "dueP50", text: "late, p50", value: lateness.milliseconds(at: 0.5), unit: "ms"),
            Figure(name: "dueP99", text: "late, p99", value: lateness.milliseconds(at: 0.99), unit: "ms"),
            Figure(name: "dueLongest", text: "late, longest", value: lateness.milliseconds(at: 1), unit: "ms"),
        ]
    }

    /// What the log says about all of them, by the time of their decision: a SUB that is slow may lose some.
    private func lookIntoLog(
        _ broker: FilledBroker, after position: UInt64, _ section: inout FigureReport.Section
    ) throws {
        var filter = EventFilter()
        filter.kinds = [.due]
        let pages = PageReader(queries: broker.process.queries, filter: filter, in: context)
        pages.seek(log: nil, after: position)
        var reader = ReceivedEventReader()
        var received = LiveFollower.Received()
        while true {
            let page = try pages.page()
            try page.events.withUnsafeBytes { bytes in
                try Lines.forEach(in: bytes) { line in
                    let event = try reader.read(line)
                    received.add(lateMilliseconds: event.time.milliseconds - event.fireDate.milliseconds)
                }
            }
            if page.answer.next >= page.answer.last { break }
        }
        section.notes.append(
            "the log keeps \(received.events) of them, decided late: \(received.lateness.text); within their second "
                + "\(received.lateness.count(below: 1_000))")
    }
}
