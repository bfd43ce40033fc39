import Foundation
import RationModel
import RationWire
import Testing

@Suite("Explained events")
struct ExplainedEventTests {
    private static let eight = Instant(milliseconds: 1_796_112_000_000)
    private static let nine = eight.advanced(by: 3_600_000)
    private static let ten = eight.advanced(by: 7_200_000)

    /// At nine, for ten, requested for eight.
    private func event(
        _ kind: EventKind, cause: EventCause = .none, _ reason: EventReason = .none, isFinal: Bool? = nil,
        fireDate: Instant = ten
    ) -> ExplainedEvent {
        var event = ExplainedEvent(
            sequence: 7, batch: 3, at: Self.nine, kind: kind, fireDate: fireDate, requestedDate: Self.eight)
        (event.cause, event.reason, event.isFinal) = (cause, reason, isFinal)
        return event
    }

    @Test(
        "every reason for which a notification ends has words of its own, with the dates that matter",
        arguments: [
            (.expired, .expires, "expired at 09: its 'expires' came before it could fire; it was planned for 10"),
            (
                .expired, .late,
                "expired at 09: it held a slot, but its time, 10, was longer ago than the policy's grace"
            ),
            (
                .expired, .overdue,
                "expired at 09: it waited for a slot from its time, 10, until the policy's grace was over"
            ),
            (
                .expired, .moved,
                "expired at 09: quiet hours or caps would have moved it to 10, when its 'expires' has come"
            ),
            (
                .expired, .never,
                "expired at 09: its calendar has no time left to come, or none before its 'expires'"
            ),
            (
                .evicted, .slots,
                "removed at 09: it found no slot for 10, and with the policy's overflow, drop, nothing waits"
            ),
            (
                .evicted, .queueFull,
                "removed at 09: more waited than the policy's queueLimit, and it was the last by priority, fire date (10) and id"
            ),
            (.evicted, .cap, "removed at 09: at 10 it would have broken a cap that drops those beyond its limit"),
            (
                .evicted, .delay,
                "removed at 09: quiet hours or caps moved it to 10, further from its requested date, 08, than maxDelay allows"
            ),
            (.cancelled, .none, "cancelled at 09, by a service; it was planned for 10"),
            (.cancelled, .unregistered, "cancelled at 09, as the installation was removed; it was planned for 10"),
            (.due, .none, "fired at 09, planned for 10"),
        ] as [(EventKind, EventReason, String)])
    func endings(_ kind: EventKind, _ reason: EventReason, _ words: String) {
        #expect(event(kind, reason, isFinal: true).words == Self.written(words))
    }

    /// A text with hours for dates, with the dates.
    private static func written(_ text: String) -> String {
        var text = text
        for (hour, date) in [("08", eight), ("09", nine), ("10", ten)] {
            while let place = text.range(of: " \(hour)") ?? text.range(of: "(\(hour)") {
                let mark = text[place.lowerBound]
                text.replaceSubrange(place, with: "\(mark)\(date.rfc3339)")
            }
        }
        return text
    }

    @Test(
        "every cause for which a notification is given a slot or queued has words of its own",
        arguments: [
            (.none, ""), (.new, ", as it is new"), (.replaced, ", as it was scheduled again"),
            (.recurring, ", its next time"), (.promoted, ", as a slot had become free"),
            (.moved, ", as its date moved"), (.policy, ", as the policy or the tz database had changed"),
        ] as [(EventCause, String)])
    func causes(_ cause: EventCause, _ words: String) {
        let (nine, ten) = (Self.nine.rfc3339, Self.ten.rfc3339)
        #expect(event(.accepted, cause: cause).words == "given a slot at \(nine) for \(ten)\(words)")
        #expect(event(.queued, cause: cause).words == "queued at \(nine) for \(ten)\(words)")
    }

    @Test("one that goes on is not told as gone, and what a policy did is told as that")
    func notFinal() {
        let (nine, ten) = (Self.nine.rfc3339, Self.ten.rfc3339)
        #expect(
            event(.evicted, .slots, isFinal: false).words == "lost its slot at \(nine) to others, and waits for \(ten)")
        #expect(
            event(.due, isFinal: false, fireDate: Self.nine).words == "fired at \(nine), and goes on to its next time")
        #expect(event(.due, isFinal: true, fireDate: Self.nine).words == "fired at \(nine)")
        let byPolicy = event(.evicted, cause: .policy, .slots, isFinal: false)
        #expect(byPolicy.words.hasSuffix("waits for \(ten); the policy or the tz database had changed"))
    }

    @Test("an event is written with what it has, and nothing else")
    func members() {
        func json(_ event: ExplainedEvent) -> String {
            String(decoding: ObjectText.bytes { event.write(to: &$0) }, as: UTF8.self)
        }
        let dates = #""fireDate":"\#(Self.ten.rfc3339)","requestedDate":"\#(Self.eight.rfc3339)","batch":3}"#
        let head = #"{"sequence":7,"at":"\#(Self.nine.rfc3339)","kind":"#
        #expect(json(event(.queued, cause: .new)) == head + #""queued","cause":"new","# + dates)
        #expect(
            json(event(.evicted, .cap, isFinal: true)) == head + #""evicted","reason":"cap","final":true,"# + dates)
    }

    @Test("the body of explain names app, device and id, all three")
    func body() throws {
        let read = try QueryReaderTests.read(#"{"app":"a","device":"d","id":"n\u00e9"}"#) { try $0.explain($1) }
        #expect(read == ("a", "d", "né"))
        for body in [#"{"app":"a","device":"d"}"#, #"{"app":"a","id":"n"}"#, #"{"device":"d","id":"n"}"#, "[]", ""] {
            #expect(throws: RequestFault.self, "\(body)") {
                try QueryReaderTests.read(body) { try $0.explain($1) }
            }
        }
        #expect(throws: RequestFault.self) {
            try QueryReaderTests.read(#"{"app":"a","device":"d","id":"n","type":"t"}"#) { try $0.explain($1) }
        }
    }
}
