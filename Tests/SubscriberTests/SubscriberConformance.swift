import Foundation
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import TestSupport

/// Checks what a runner relies on in a subscriber, on generated logs. Each subscriber of the tree passes it; a new one is
/// added to `SubscriberConformanceTests`.
struct SubscriberConformance {
    enum Law: String, CaseIterable {
        case description = "it has a name of plain letters, a line about itself, and each setting once"
        case split = "any split of the log into pages gives the same result"
        case emptyPage = "an empty page is nothing"
        case logs = "what belongs to one log does not depend on when another is read"
        case setAside = "a page that failed leaves nothing behind, and an event set aside takes no neighbour along"
        case restart = "a new instance goes on where the last one ended"
        case preparing = "preparing a file again changes nothing"
        case ownTables = "the runner's tables are left alone"
        case repetition = "a page that is handed over again after a crash changes nothing"
    }

    struct Broken {
        var law: Law
        var example: String
    }

    /// Makes an instance; a storing one keeps all that it knows in its file.
    var make: () throws -> any Subscriber
    /// What a subscriber has come to, in lines that can be compared.
    var result: (any Subscriber, SQLiteDatabase) throws -> [String] = { _, database in try Tables.dump(database) }
    var seed: UInt64

    /// The laws that the subscriber breaks, each with its example.
    func broken() throws -> [Broken] {
        var broken: [Broken] = []
        for law in Law.allCases {
            if let example = try counterexample(to: law) {
                broken.append(Broken(law: law, example: "seed \(seed): \(law.rawValue): \(example)"))
            }
        }
        return broken
    }

    private func counterexample(to law: Law) throws -> String? {
        var random = SplitMix64(seed: seed)
        let events = EventGenerator.events(300, &random)
        let whole = try run { try $0.hand(events, log: "a") }
        switch law {
        case .description: return Self.fault(of: type(of: try make()))
        case .split:
            let split = try run { for page in Self.pages(events, &random) { try $0.hand(page, log: "a") } }
            return difference(whole, split)
        case .emptyPage:
            let with = try run {
                try $0.hand([], log: "a")
                try $0.hand(events, log: "a")
                try $0.hand([], log: "a")
            }
            return difference(whole, with)
        case .logs: return try logs(events, EventGenerator.events(100, &random))
        case .setAside: return try setAside(events, Int.random(in: 100..<200, using: &random))
        case .restart, .preparing, .ownTables: return try storing(law, events, whole, &random)
        case .repetition:
            guard try make() is any CommittingSubscriber else { return nil }
            let repeated = try run {
                for page in Self.pages(events, &random) {
                    try $0.hand(page, log: "a")
                    try $0.hand(page, log: "a")
                }
            }
            return difference(whole, repeated)
        }
    }

    private static func fault(of type: any Subscriber.Type) -> String? {
        let isPlain = !type.name.isEmpty && type.name.utf8.allSatisfy { ($0 >= 97 && $0 <= 122) || $0 == 45 }
        guard isPlain else { return "the name '\(type.name)'" }
        guard !type.summary.isEmpty, !type.summary.contains("\n") else { return "the summary '\(type.summary)'" }
        let names = type.settings.map(\.name)
        return Set(names).count == names.count ? nil : "the settings \(names)"
    }

    private func logs(_ events: [ReceivedEvent], _ others: [ReceivedEvent]) throws -> String? {
        let (first, second) = (Array(events[..<150]), Array(events[150...]))
        let between = try run {
            try $0.hand(first, log: "a")
            try $0.hand(others, log: "b")
            try $0.hand(second, log: "a")
        }
        let after = try run {
            try $0.hand(events, log: "a")
            try $0.hand(others, log: "b")
        }
        return difference(after, between)
    }

    private func setAside(_ events: [ReceivedEvent], _ place: Int) throws -> String? {
        var others = events
        others.remove(at: place)
        let without = try run { try $0.hand(others, log: "a") }
        let aside = try run {
            guard $0.subscriber is any StoringSubscriber else { return try $0.hand(others, log: "a") }
            try $0.hand(Array(events[..<50]), log: "a")
            try $0.fail(Array(events[50...]), log: "a")
            try $0.fail(Array(events[50...place]), log: "a")
            try $0.hand(Array(events[50..<place]), log: "a")
            try $0.fail([events[place]], log: "a")
            try $0.hand(Array(events[(place + 1)...]), log: "a")
        }
        return difference(without, aside)
    }

    private func storing(
        _ law: Law, _ events: [ReceivedEvent], _ whole: [String], _ random: inout SplitMix64
    ) throws -> String? {
        guard try make() is any StoringSubscriber else { return nil }
        switch law {
        case .restart:
            let restarted = try run {
                for page in Self.pages(events, &random) {
                    try $0.restart(make)
                    try $0.hand(page, log: "a")
                }
            }
            return difference(whole, restarted)
        case .preparing:
            let prepared = try run {
                try $0.hand(events, log: "a")
                try $0.restart(make)
                try $0.restart(make)
            }
            return difference(whole, prepared)
        default:
            var tables: [[String]] = []
            _ = try run {
                tables.append(try Tables.dump($0.database, isRunners: true))
                try $0.hand(events, log: "a")
                tables.append(try Tables.dump($0.database, isRunners: true))
            }
            return difference(tables[0], tables[1])
        }
    }

    private func run(_ body: (inout Handing) throws -> Void) throws -> [String] {
        var handing = try Handing(make)
        try body(&handing)
        return try result(handing.subscriber, handing.database)
    }

    private func difference(_ expected: [String], _ found: [String]) -> String? {
        if expected == found { return nil }
        let place = zip(expected, found).prefix { $0 == $1 }.count
        let (left, right) = (expected.dropFirst(place).first, found.dropFirst(place).first)
        return "expected \(left ?? "no more"), found \(right ?? "no more")"
    }

    static func pages(_ events: [ReceivedEvent], _ random: inout SplitMix64) -> [[ReceivedEvent]] {
        var pages: [[ReceivedEvent]] = []
        var left = events[...]
        while !left.isEmpty {
            let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...40, using: &random)
            pages.append(Array(left.prefix(count)))
            left = left.dropFirst(count)
        }
        return pages
    }
}

/// A subscriber and its file, and what a runner does with them.
struct Handing {
    private(set) var subscriber: any Subscriber
    let database: SQLiteDatabase
    private let file: SubscriberFile

    private struct Failed: Error {}

    init(_ make: () throws -> any Subscriber) throws {
        // Without a name, SQLite keeps a database for as long as it is open.
        file = try SubscriberFile("", of: "conformance")
        database = file.database
        subscriber = try make()
        try restart(make)
    }

    mutating func restart(_ make: () throws -> any Subscriber) throws {
        subscriber = try make()
        let (database, storing) = (database, subscriber as? any StoringSubscriber)
        try database.transaction { try storing?.prepare(database) }
    }

    func hand(_ events: [ReceivedEvent], log: String) throws {
        let page = EventPage(log: log, events: events[...])
        if let committing = subscriber as? any CommittingSubscriber { return try committing.handle(page) }
        try database.transaction { try (subscriber as? any StoringSubscriber)?.store(page, in: database) }
    }

    /// Hands over a page of a storing subscriber whose transaction is not committed.
    func fail(_ events: [ReceivedEvent], log: String) throws {
        guard let storing = subscriber as? any StoringSubscriber else { return }
        do {
            try database.transaction {
                try storing.store(EventPage(log: log, events: events[...]), in: database)
                throw Failed()
            }
        } catch is Failed {
            storing.forget()
        }
    }
}

/// The tables of a file in lines.
enum Tables {
    /// - Parameter isRunners: the runner's own tables; else all others.
    static func dump(_ database: SQLiteDatabase, isRunners: Bool = false) throws -> [String] {
        var names: [String] = []
        try database.run(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            AND (name LIKE 'ration_%' OR name = 'set_aside') = ?1 ORDER BY name
            """, [.integer(isRunners ? 1 : 0)]
        ) { names.append($0.text(0) ?? "") }
        return try names.flatMap { try rows("SELECT * FROM \($0)", in: database, named: $0) }
    }

    static func rows(_ sql: String, in database: SQLiteDatabase, named name: String) throws -> [String] {
        let statement = try database.prepare(sql)
        let columns = Int32(statement.columns.count)
        var rows: [String] = []
        try statement.read { row in
            rows.append("\(name): " + (0..<columns).map { "\(row.value($0))" }.joined(separator: " "))
        }
        return rows.sorted()
    }
}
