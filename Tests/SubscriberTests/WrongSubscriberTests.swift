import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import Testing

@Suite("Wrong subscribers are caught")
struct WrongSubscriberTests {
    private func broken(_ make: @escaping () -> any Subscriber) throws -> [SubscriberConformance.Law] {
        try SubscriberConformance(make: make, seed: 1).broken().map(\.law)
    }

    /// Does with each page what a test says; `memory` is an instance's own.
    private class Storing: StoringSubscriber {
        class var name: String { "wrong" }
        static let summary = "wrong"
        static let settings: [SettingDescription] = []
        static let kinds: [EventKind] = []
        var memory: Int64 = 0
        var body: (Storing, EventPage, SQLiteDatabase) throws -> Void = { _, _, _ in }

        init(_ body: @escaping (Storing, EventPage, SQLiteDatabase) throws -> Void) {
            self.body = body
        }
        required init(settings: [Setting]) throws(SettingFaults) {}
        func prepare(_ database: SQLiteDatabase) throws {
            try database.run("CREATE TABLE IF NOT EXISTS numbers(log TEXT UNIQUE, number INTEGER)")
        }
        func store(_ page: EventPage, in database: SQLiteDatabase) throws { try body(self, page, database) }
        func forget() {}

        static func add(_ number: Int, _ page: EventPage, _ database: SQLiteDatabase) throws {
            guard number > 0 else { return }
            try database.run(
                "INSERT INTO numbers VALUES(?1, ?2) ON CONFLICT DO UPDATE SET number = number + ?2",
                [.text(page.log), .integer(Int64(number))])
        }
    }

    @Test("a right one breaks no law")
    func right() throws {
        #expect(
            try broken { Storing { _, page, database in try Storing.add(page.events.count, page, database) } } == [])
    }

    @Test("one that counts pages")
    func pages() throws {
        let laws = try broken { Storing { _, page, database in try Storing.add(1, page, database) } }
        #expect(laws.contains(.split) && laws.contains(.emptyPage))
    }

    @Test("one that remembers what was not committed")
    func memory() throws {
        let laws = try broken {
            Storing { storing, page, database in
                storing.memory += Int64(page.events.count)
                try database.run(
                    "INSERT OR REPLACE INTO numbers VALUES(?1, ?2)", [.text(page.log), .integer(storing.memory)])
            }
        }
        #expect(laws.contains(.setAside) && laws.contains(.restart) && laws.contains(.logs))
    }

    @Test("one that mixes logs")
    func logs() throws {
        let laws = try broken {
            Storing { _, page, database in
                var last = ""
                try database.run("SELECT log FROM numbers ORDER BY rowid DESC LIMIT 1") { last = $0.text(0) ?? "" }
                let name = last.isEmpty ? page.log : last
                try Storing.add(page.events.count, EventPage(log: name + page.log, events: page.events), database)
            }
        }
        #expect(laws.contains(.logs))
    }

    @Test("one that writes in the runner's tables")
    func runnersTables() throws {
        let laws = try broken {
            Storing { _, _, database in try database.run("UPDATE ration_subscriber SET paused = 1") }
        }
        #expect(laws == [.ownTables])
    }

    @Test("one that prepares its file anew each time")
    func preparing() throws {
        final class Forgetful: Storing {
            override func prepare(_ database: SQLiteDatabase) throws {
                try database.run("DROP TABLE IF EXISTS numbers")
                try super.prepare(database)
            }
        }
        let laws = try broken {
            Forgetful { _, page, database in try Storing.add(page.events.count, page, database) }
        }
        #expect(laws == [.restart, .preparing])
    }

    @Test("one with a name that no configuration can hold")
    func names() throws {
        final class Unnamed: Storing {
            override class var name: String { "Two Words" }
        }
        #expect(try broken { Unnamed { _, _, _ in } } == [.description])
    }

    @Test("one that commits by itself and does everything twice after a crash")
    func repetition() throws {
        final class Counter: CommittingSubscriber {
            static let name = "counter"
            static let summary = "counts"
            static let settings: [SettingDescription] = []
            static let kinds: [EventKind] = []
            var count = 0
            init() {}
            init(settings: [Setting]) throws(SettingFaults) {}
            func handle(_ page: EventPage) throws { count += page.events.count }
        }
        let conformance = SubscriberConformance(
            make: { Counter() }, result: { subscriber, _ in ["\((subscriber as? Counter)?.count ?? 0)"] }, seed: 1)
        #expect(try conformance.broken().map(\.law) == [.repetition])
    }
}
