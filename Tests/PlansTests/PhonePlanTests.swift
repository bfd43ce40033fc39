import RationModel
import RationWire
import TestSupport
import Testing

@testable import PlansSubscriber

@Suite("The plan of a phone")
struct PhonePlanTests {
    private static let start = Instant(milliseconds: 1_800_000_000_000)

    private func at(_ minutes: Int64) -> Instant { Self.start.advanced(by: minutes * 60_000) }

    private func once(_ id: String, _ minutes: Int64, _ content: String = "{}") -> PhoneNotification {
        PhoneNotification(
            id: id, trigger: .at(at(minutes)), fireDate: at(minutes), content: Array(content.utf8))
    }

    private func held(
        _ notifications: [PhoneNotification], _ sequence: UInt64, minutes: Int64 = 0, log: String = "log"
    ) -> PhonePlan.Held {
        PhonePlan.Held(notifications, log: log, sequence: sequence, now: at(minutes))
    }

    private func plan(_ notifications: PhoneNotification...) -> PhonePlan {
        var plan = PhonePlan(log: "log", sequence: 10, birth: Self.start)
        _ = plan.update(held(notifications, 20), clock: at(0))
        return plan
    }

    /// One that its phone has.
    private func given(_ notifications: PhoneNotification...) -> PhonePlan {
        var plan = PhonePlan(log: "log", sequence: 10, birth: Self.start)
        _ = plan.update(held(notifications, 20), clock: at(0))
        plan.push(at(0))
        plan.give(plan.revision)
        return plan
    }

    @Test("a phone gets the whole plan first, and then what is different, removals apart from additions")
    func differences() {
        var plan = plan(once("b", 20), once("a", 30), once("c", 40))
        let whole = plan.difference(since: nil, now: at(0))
        #expect(whole.isWhole && whole.remove == [] && whole.add.map(\.id) == ["b", "a", "c"])
        #expect(whole.revision.number == 20)
        #expect(plan.difference(since: whole.revision, now: at(0)).isEmpty)
        _ = plan.update(held([once("a", 35), once("c", 40), once("d", 5)], 25), clock: at(1))
        let difference = plan.difference(since: whole.revision, now: at(1))
        #expect(!difference.isWhole && difference.revision.number == 25)
        #expect(difference.remove == ["b"])
        #expect(difference.add.map(\.id) == ["d", "a"])
    }

    @Test("a revision of another log, of another history, from before or from after is answered with the whole plan")
    func wholeAgain() {
        var plan = plan(once("a", 30))
        let current = plan.current
        var others = [current, current, current, current]
        others[0].log = "other"
        others[1].birth += 1
        others[2].number = 9
        others[3].number += 1
        for other in others { #expect(plan.difference(since: other, now: at(0)).isWhole, "\(other)") }
        // A broker that was restored goes on under another log: with numbers that may be the same.
        _ = plan.update(held([once("a", 30)], 20, log: "restored"), clock: at(1))
        #expect(plan.difference(since: current, now: at(1)).isWhole)
        #expect(plan.pushDate(at(1)) != nil)
    }

    @Test("what went at its date makes no revision: the phone has shown it")
    func fired() {
        var plan = given(once("a", 10), once("b", 20))
        let before = plan.current
        let changes = plan.update(held([once("b", 20)], 30, minutes: 10), clock: at(10))
        #expect(plan.current == before && changes.forgotten == ["a"])
        // Cancelled before its date, it is removed.
        _ = plan.update(held([], 31, minutes: 19), clock: at(19))
        #expect(plan.difference(since: before, now: at(19)).remove == ["b"])
    }

    @Test("what came due before the phone had heard of it is given to it for an hour")
    func late() {
        var plan = given(once("b", 600))
        let before = plan.current
        _ = plan.update(held([once("a", 0), once("b", 600)], 30), clock: at(0))
        #expect(plan.pushDate(at(0)) == at(0))
        _ = plan.update(held([once("b", 600)], 31), clock: at(0))
        #expect(plan.pushDate(at(0)) == at(0))
        #expect(plan.difference(since: before, now: at(59)).add.map(\.id) == ["a"])
        #expect(plan.difference(since: before, now: at(60)).add.map(\.id) == [])
        plan.give(plan.revision)
        let changes = plan.update(held([once("b", 600)], 32, minutes: 1), clock: at(1))
        #expect(changes.forgotten == ["a"])
    }

    @Test("a calendar that comes again is the same for the phone, whenever Ration has it fire next")
    func recurring() {
        var pattern = CalendarPattern()
        (pattern.hour, pattern.minute, pattern.second) = (8, 0, 0)
        func daily(_ minutes: Int64) -> PhoneNotification {
            PhoneNotification(
                id: "d", trigger: .calendar(pattern, timeZone: nil), fireDate: at(minutes), content: Array("{}".utf8))
        }
        var plan = given(daily(10))
        let before = plan.current
        let changes = plan.update(held([daily(1_450)], 30, minutes: 10), clock: at(10))
        #expect(plan.current == before)
        #expect(changes.entries.map(\.notification) == [daily(1_450)])
    }

    @Test("a push waits 20 minutes after the last, unless the phone's next date is another one")
    func pushes() {
        // Minutes since the last push, what is held now, and when the push is.
        let table: [(Int64, [PhoneNotification], Int64?)] = [
            (1, [once("a", 30), once("b", 60)], nil),
            (1, [once("a", 30), once("b", 60), once("c", 90)], 20),
            (1, [once("a", 30), once("b", 61)], 20),
            (1, [once("a", 30)], 20),
            (1, [once("a", 30, #"{"title":"new"}"#), once("b", 60)], 20),
            (19, [once("a", 30), once("b", 61)], 20),
            (20, [once("a", 30), once("b", 61)], 20),
            (21, [once("a", 30), once("b", 61)], 21),
            (1, [once("a", 31), once("b", 60)], 1),
            (1, [once("a", 29), once("b", 60)], 1),
            (1, [once("b", 60)], 1),
            (1, [once("a", 30), once("b", 60), once("c", 29)], 1),
            (1, [once("a", 30), once("b", 60), once("c", 30)], 1),
            (1, [], 1),
        ]
        for (now, notifications, expected) in table {
            var plan = given(once("a", 30), once("b", 60))
            _ = plan.update(held(notifications, 30, minutes: now), clock: at(now))
            #expect(plan.pushDate(at(now)) == expected.map(at), "\(notifications.map(\.id)) at \(now)")
        }
    }

    @Test("a date that becomes the next by the passing of the one before is told at once")
    func becomesNext() {
        var plan = given(once("a", 5), once("z", 90))
        _ = plan.update(held([once("a", 5), once("b", 10), once("z", 90)], 30, minutes: 1), clock: at(1))
        #expect(plan.pushDate(at(1)) == at(20))
        _ = plan.update(held([once("b", 10), once("z", 90)], 31, minutes: 5), clock: at(5))
        #expect(plan.pushDate(at(5)) == at(5))
        plan.push(at(5))
        #expect(plan.pushDate(at(5)) == nil)
    }

    @Test("traces beyond the limit are forgotten, and who has not heard of them gets the whole plan")
    func traces() {
        let many = (0..<PhonePlan.traceLimit).map { once("n\($0)", 100) }
        var plan = PhonePlan(log: "log", sequence: 1, birth: Self.start)
        _ = plan.update(held(many + [once("x", 50)], 2), clock: at(0))
        let first = plan.current
        _ = plan.update(held(many, 10), clock: at(0))
        let second = plan.current
        _ = plan.update(held([], 20), clock: at(0))
        #expect(plan.difference(since: first, now: at(0)).isWhole)
        let difference = plan.difference(since: second, now: at(0))
        #expect(!difference.isWhole && difference.remove.count == PhonePlan.traceLimit)
    }

    @Test("whatever revision a phone has, a difference makes it have what is held", arguments: UInt64(1)...20)
    func generated(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var plan = PhonePlan(log: "log", sequence: 1, birth: Self.start)
        var phones: [(revision: PlanRevision?, has: [String: PhoneNotification])] = Array(
            repeating: (nil, [:]), count: 5)
        var sequence: UInt64 = 1
        for step in 0..<300 {
            sequence += UInt64.random(in: 0...3, using: &random)
            let log = seed % 3 == 0 && step > 150 ? "restored" : "log"
            let notifications = (0..<40).filter { _ in Bool.random(using: &random) }.map { number in
                once("n\(number)", 1_000 + Int64.random(in: 0...2, using: &random), #"{"title":"\#(step / 7)"}"#)
            }
            _ = plan.update(held(notifications, sequence, log: log), clock: at(0))
            let place = Int.random(in: phones.indices, using: &random)
            let difference = plan.difference(since: phones[place].revision, now: at(0))
            if difference.isWhole { phones[place].has = [:] }
            for id in difference.remove { phones[place].has[id] = nil }
            for notification in difference.add { phones[place].has[notification.id] = notification }
            phones[place].revision = difference.revision
            let right = Dictionary(notifications.map { ($0.id, $0) }) { first, _ in first }
            #expect(phones[place].has == right, "seed \(seed), step \(step)")
        }
    }

    @Test("a revision as text is read back; anything else is none")
    func revisions() {
        let revision = PlanRevision(log: "7f3a", birth: 1_800_000_000_000, number: .max)
        #expect(PlanRevision(revision.text) == revision)
        for text in [
            "", ".", "..", "a", "a.1", "a.1.", "a..1", ".1.1", "a.1.x", "a.-1.1", "a.1.+1", "a.1.1.1", "a.1.١",
            "a.1.18446744073709551616", String(repeating: "a", count: 200) + ".1.1",
        ] { #expect(PlanRevision(text) == nil, "\(text)") }
    }
}

@Suite("What a phone can show by itself")
struct PhoneNotificationTests {
    private func told(
        _ repetition: ToldHolding.Repetition, expires: Instant? = nil, content: String = #"{"title":"T"}"#
    ) -> ToldHolding.Notification {
        ToldHolding.Notification(
            id: "n", fireDate: Instant(rfc3339: "2027-03-05T09:41:07.250Z") ?? .distantPast, expires: expires,
            repetition: repetition, content: Array(content.utf8))
    }

    @Test("intervals of a minute, an hour, a day and a week are calendars of UTC, others have the next date")
    func intervals() {
        func components(_ milliseconds: Int64) -> [Int16]? {
            guard
                case .calendar(let pattern, "UTC") = PhoneNotification(told(.interval(milliseconds: milliseconds)))
                    .trigger
            else { return nil }
            return [pattern.weekday, pattern.hour, pattern.minute, pattern.second]
        }
        #expect(components(60_000) == [-1, -1, -1, 7])
        #expect(components(3_600_000) == [-1, -1, 41, 7])
        #expect(components(86_400_000) == [-1, 9, 41, 7])
        // It is a Friday.
        #expect(components(604_800_000) == [6, 9, 41, 7])
        for other in [60_001, 7_200_000, 172_800_000] as [Int64] {
            let told = told(.interval(milliseconds: other))
            #expect(PhoneNotification(told).trigger == .at(told.fireDate))
        }
    }

    @Test("a calendar goes on by itself unless it expires; its smaller components are named")
    func calendars() {
        var pattern = CalendarPattern()
        pattern.day = 31
        var completed = pattern
        (completed.hour, completed.minute, completed.second) = (0, 0, 0)
        let floating = told(.calendar(pattern, timeZone: ""))
        #expect(PhoneNotification(floating).trigger == .calendar(completed, timeZone: nil))
        let fixed = told(.calendar(pattern, timeZone: "Europe/Madrid"))
        #expect(PhoneNotification(fixed).trigger == .calendar(completed, timeZone: "Europe/Madrid"))
        let ending = told(.calendar(pattern, timeZone: ""), expires: .distantFuture)
        #expect(PhoneNotification(ending).trigger == .at(ending.fireDate))
    }

    @Test("what a phone cannot give to itself is left out, and all of a device that gets pushes")
    func kinds() throws {
        var reader = PhoneNotificationReader()
        var holding = ToldHolding(
            delivery: .local, timeZone: "UTC",
            held: [
                told(.never), told(.never, content: #"{"kind":"background"}"#),
                told(.never, content: #"{"kind":"alert","title":"T"}"#),
            ])
        #expect(try reader.notifications(holding).count == 2)
        holding.delivery = .push
        #expect(try reader.notifications(holding).isEmpty)
    }
}
