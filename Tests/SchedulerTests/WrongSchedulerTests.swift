import RationModel
import RationPluginKit
import Synchronization
import Testing

@Suite("Wrong schedulers are caught")
struct WrongSchedulerTests {
    private typealias Law = SchedulerConformance.Law

    private func broken(_ edit: @escaping @Sendable (inout WrongScheduler) -> Void) throws -> Set<Law> {
        let zones = try Facts.zones.get()
        let laws = (UInt64(1)...6).flatMap { seed in
            SchedulerConformance(
                make: {
                    var scheduler = WrongScheduler()
                    edit(&scheduler)
                    return scheduler
                }, zones: zones, seed: seed
            ).broken().map(\.law)
        }
        return Set(laws)
    }

    private func changed(
        _ change: @escaping @Sendable (inout WantedNotifications, RecipientFacts, Instant) -> Void
    ) throws -> Set<Law> {
        try broken { $0.change = change }
    }

    @Test("one that nothing is changed about is right")
    func right() throws {
        #expect(try broken { _ in } == [])
    }

    @Test("one that forgets when something else is wanted, or tells it too late")
    func late() throws {
        #expect(try changed { wanted, _, _ in wanted.nextChange = nil } == [.change])
        #expect(try changed { wanted, _, _ in wanted.nextChange = wanted.nextChange?.advanced(by: 1) } == [.change])
        #expect(
            try changed { wanted, _, now in
                let earlier = wanted.nextChange?.advanced(by: -1)
                wanted.nextChange = earlier.map { max($0, now.advanced(by: 1)) }
            } == [])
        #expect(try changed { wanted, _, now in wanted.nextChange = now } == [.ahead])
    }

    @Test("one that wants what has come no more, or what has expired still")
    func come() throws {
        #expect(
            try changed { wanted, _, now in
                wanted.notifications.removeAll { RecipientClock.instants(of: $0.date).upperBound <= now }
            } == [.change])
        #expect(
            try changed { wanted, facts, now in
                guard let row = facts.tables[0].first, row.instant(1) < now, wanted.notifications.isEmpty else {
                    return
                }
                wanted.notifications = [
                    WantedNotification(
                        id: "thing.old", type: "thing", content: WantedContent(title: "Old"), date: .at(row.instant(1)),
                        expires: row.instant(1).advanced(by: 1))
                ]
            }.contains(.dates))
    }

    @Test("one whose dates depend on now")
    func drifting() throws {
        #expect(
            try changed { wanted, _, now in
                for index in wanted.notifications.indices {
                    wanted.notifications[index].date = .at(now.advanced(by: -1))
                }
            }.contains(.change))
    }

    @Test("one that takes the rows as they come")
    func order() throws {
        #expect(
            try changed { wanted, facts, _ in
                guard let first = facts.tables[0].first else { return }
                for index in wanted.notifications.indices {
                    wanted.notifications[index].content.body = "\(first.values)"
                }
            }.contains(.rows))
    }

    @Test("one whose ids are double, foreign or invalid")
    func identifiers() throws {
        #expect(
            try changed { wanted, _, _ in wanted.notifications += wanted.notifications.prefix(1) }
                .contains(.identifiers))
        #expect(try broken { $0.prefixes = ["other."] } == [.identifiers])
        #expect(
            try changed { wanted, _, _ in
                for index in wanted.notifications.indices { wanted.notifications[index].id += "\u{7}" }
            } == [.identifiers])
    }

    @Test("one whose content, types or dates the broker would reject")
    func content() throws {
        #expect(
            try changed { wanted, _, _ in
                for index in wanted.notifications.indices { wanted.notifications[index].content.title = "" }
            } == [.content])
        #expect(try broken { $0.types = ["other"] } == [.content])
        #expect(
            try changed { wanted, _, _ in
                for index in wanted.notifications.indices {
                    wanted.notifications[index].date = .at(wanted.notifications[index].expires)
                }
            } == [.dates])
    }

    @Test("one that declares names twice, or invalid ones")
    func declarations() throws {
        #expect(try broken { $0.prefixes = ["thing.", "thing."] } == [.declaration])
        #expect(try broken { $0.prefixes = ["thing.", " "] } == [.declaration])
        #expect(try broken { $0.types = ["thing", "a type"] } == [.declaration])
        #expect(try broken { $0.types = ["thing", "thing"] } == [.declaration])
    }

    @Test("one that remembers, and one whose instances differ")
    func memory() throws {
        let asked = Counter()
        #expect(
            try changed { wanted, _, _ in
                let count = asked.next()
                for index in wanted.notifications.indices { wanted.notifications[index].content.body = "\(count)" }
            }.contains(.determinism))
        let made = Counter()
        #expect(
            try broken { scheduler in
                let horizon = Int64(made.next() % 2 + 3) * Instant.dayMilliseconds
                scheduler.horizonMilliseconds = horizon
            } == [.determinism])
    }

    @Test("one that tells faults of rows that there are not, and one whose faulty rows take others along")
    func faults() throws {
        #expect(
            try changed { wanted, _, _ in
                wanted.faults.append(FactFault(table: "things", row: 99, column: "thing", "wrong"))
            } == [.faults])
        #expect(
            try changed { wanted, _, _ in if !wanted.faults.isEmpty { wanted.notifications = [] } }
                .contains(.neighbours))
    }
}

/// Counts calls.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
