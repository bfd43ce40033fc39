import RationModel
import RationPluginKit
import TestSupport
import Testing

@testable import RationScheduling

@Suite("What a recipient's row says")
struct PublishedNotificationTests {
    @Test("it reads back as it was written")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let list = (0..<Int.random(in: 0..<5, using: &random)).map { _ in Self.notification(&random) }
            let packed = list.packed()
            #expect(packed.withUnsafeBytes { [PublishedNotification](packed: $0) } == list, "seed \(seed)")
            guard !packed.isEmpty else { continue }
            // No beginning of it passes for another list of as many.
            let short = packed.dropLast(Int.random(in: 1...packed.count, using: &random))
            let read = short.withUnsafeBytes { [PublishedNotification](packed: $0) }
            #expect(read.map { $0.count < list.count } ?? true, "seed \(seed)")
        }
    }

    private static func notification(_ random: inout SplitMix64) -> PublishedNotification {
        let instant = Instant(milliseconds: Int64.random(in: .min ... .max, using: &random))
        var notification = PublishedNotification(
            id: ["t.1", "é", String(repeating: "x", count: 256)].randomElement(using: &random) ?? "",
            date: Bool.random(using: &random) ? .at(instant) : .wall(instant.milliseconds), expires: instant,
            substance: random.next(), request: random.next())
        notification.standing = [.pending, .ended, .refused(until: instant)].randomElement(using: &random) ?? .pending
        notification.replacesAnother = Bool.random(using: &random)
        return notification
    }
}

@Suite("When a run is due")
struct RunScheduleTests {
    private var options: SchedulerOptions {
        var options = SchedulerOptions(
            name: "", facts: "", state: "", queries: [:], intentsEndpoint: "", queriesEndpoint: "")
        (options.everyMilliseconds, options.gapMilliseconds) = (1_000, 100)
        return options
    }

    @Test("the first run is due at once")
    func first() {
        var schedule = RunSchedule(options)
        #expect(schedule.due(factsDue: nil, isRunAsked: false, isLogNew: false, 5) <= 5)
        #expect(schedule.reason == .start)
    }

    @Test(
        "the earliest of what asks for a run counts, but not before the gap is over; a signal is not kept waiting",
        arguments: [
            (next: Int64.max, facts: nil, signal: false, log: false, due: 1_010, reason: RunReport.Reason.periodic),
            (500, nil, false, false, 500, .due),
            (20, nil, false, false, 110, .due),
            (.max, 300, false, false, 300, .facts),
            (.max, 30, false, false, 110, .facts),
            (500, 300, false, true, 110, .log),
            (500, 300, true, true, 50, .signal),
        ] as [(Int64, Int64?, Bool, Bool, Int64, RunReport.Reason)])
    func due(next: Int64, facts: Int64?, signal: Bool, log: Bool, due: Int64, reason: RunReport.Reason) {
        var schedule = RunSchedule(options)
        schedule.finished(at: 10, next: next)
        #expect(schedule.due(factsDue: facts, isRunAsked: signal, isLogNew: log, 50) == due)
        #expect(schedule.reason == reason)
    }

    @Test("a run that has failed is tried again after its wait, for the same reason")
    func failed() {
        var schedule = RunSchedule(options)
        schedule.finished(at: 0, next: .max)
        _ = schedule.due(factsDue: 200, isRunAsked: false, isLogNew: false, 200)
        schedule.failed(at: 200, 400)
        #expect(schedule.due(factsDue: nil, isRunAsked: false, isLogNew: false, 300) == 600)
        #expect(schedule.reason == .facts)
    }
}

@Suite("What is chosen of what is wanted")
struct WantedChoiceTests {
    private func wanted(_ id: String, _ date: Int64 = 5) -> WantedNotification {
        WantedNotification(
            id: id, type: "t", content: WantedContent(title: id), date: .at(Instant(milliseconds: date)),
            expires: Instant(milliseconds: date + 1))
    }

    @Test("ids are ordered by their bytes; of equal ids the first counts; what cannot be written is told")
    func choice() {
        let far = WantedNotification(
            id: "far", type: "t", content: WantedContent(title: "T"), date: .wall(.max), expires: .distantFuture)
        // One letter in two spellings: different bytes, different ids.
        let list = [wanted("b"), wanted("e\u{301}"), wanted("a", 1), wanted("é"), wanted("a", 2), wanted(""), far]
        let choice = WantedChoice(list)
        #expect(choice.order == [2, 0, 1, 3])
        #expect(choice.leftOut == 3 && choice.faults.count == 3)
        #expect(choice.faults.contains("'a' is wanted twice; the first counts"))
        #expect(choice.faults.contains("'' cannot be published: an id has 1 to 256 bytes, this one has 0"))
    }
}
