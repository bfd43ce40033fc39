import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Testing

@testable import RationBroker

@Suite("The broker holds intents against declared and registered categories")
struct CategoryTests {
    private let start = Instant(milliseconds: 1_796_000_000_000)
    private let store = MemoryStore(log: "log", retentionBytes: 1 << 20)

    private struct OneZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
    }

    private static let zones = ZonesRevision(OneZone(), release: "2025a", fingerprint: "a")

    private static func policy(_ rule: Policy.UndeclaredCategories) -> PolicyRevision {
        var policy = Policy()
        policy.categories = rule
        return PolicyRevision(CompiledPolicy(policy, order: SoonestOrder(), rules: []), source: "file")
    }

    private static func categories(_ names: String..., app: String = "app") -> CategoriesRevision {
        let categories = names.map { NotificationCategory(identifier: $0) }
        return CategoriesRevision(
            CategoryDeclarations([DeclaredApp(app: app, categories: categories)]), source: "categories.yaml")
    }

    private func decider(
        _ rule: Policy.UndeclaredCategories, _ categories: CategoriesRevision = categories("reminder", "supply"),
        on store: MemoryStore? = nil
    ) throws -> Decider {
        let policy = Self.policy(rule)
        var decider = Decider(policy: policy.policy, zones: OneZone(), seed: 1, store: store ?? self.store)
        try decider.start(policy, Self.zones, categories, policies: JSONPolicies(), clock: start)
        return decider
    }

    private func schedule(
        _ category: String, id: String = "n", app: String = "app", device: String = "d",
        trigger: String = #"{"after":60}"#
    ) -> String {
        #"{"op":"schedule","app":"\#(app)","device":"\#(device)","id":"\#(id)","content":{"title":"t","category":"\#(category)"},"#
            + #""trigger":\#(trigger)}"#
    }

    private func device(_ categories: String, app: String = "app", device: String = "d") -> String {
        #"{"op":"device","app":"\#(app)","device":"\#(device)","categories":\#(categories)}"#
    }

    private func publish(
        _ lines: String..., number: UInt64 = 1, of publisher: PublisherName = "", to decider: inout Decider
    ) throws -> Acknowledgement {
        let body = Array(lines.joined(separator: "\n").utf8)
        let early = body.withUnsafeBytes {
            decider.take(
                $0, number: number, of: publisher, numberFrame: [0x31], from: ReplyAddress(frames: []), clock: start)
        }
        let answers = try decider.decideAndCommit(clock: start, wakeLimit: 10).answers
        let answer = try #require(early ?? answers.first)
        return try #require(answer.bodies.first).withUnsafeBytes { try Acknowledgement(number: number, body: $0) }
    }

    @Test("an undeclared one is taken with a warning, or rejected, or not looked at, as the policy says")
    func undeclared() throws {
        for (rule, outcomes, levels, count) in [
            (.warn, "hh", ["warning"], 1), (.reject, "rh", ["error"], 1), (.ignore, "hh", [], 0),
        ] as [(Policy.UndeclaredCategories, String, [String], Int)] {
            let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
            var decider = try decider(rule, Self.categories("reminder"), on: store)
            let answer = try publish(
                schedule("Reminder", id: "a"), schedule("reminder", id: "b"), to: &decider)
            #expect(answer.outcomes == outcomes)
            #expect(answer.problems.map(\.level) == levels)
            #expect(answer.problems.allSatisfy { $0.index == 0 && $0.id == "a" && $0.code == "content.category" })
            #expect(answer.problems.allSatisfy { $0.message.contains("did you mean 'reminder'") })
            #expect(decider.counters.categories.all.undeclared == count)
        }
    }

    @Test("one that the device has not registered is taken with a warning, whether it warns or rejects")
    func unregistered() throws {
        for (rule, count) in [(.warn, 2), (.reject, 2), (.ignore, 0)] as [(Policy.UndeclaredCategories, Int)] {
            var decider = try decider(rule, on: MemoryStore(log: "log", retentionBytes: 1 << 20))
            _ = try publish(device(#"["supply"]"#), device(#"["Remin-der"]"#, device: "e"), to: &decider)
            let answer = try publish(
                schedule("reminder", id: "a"), schedule("supply", id: "b"), schedule("reminder", id: "c", device: "e"),
                schedule("reminder", id: "d", device: "new"), to: &decider)
            #expect(answer.outcomes == "hhhh")
            #expect(answer.problems.map(\.index) == (count > 0 ? [0, 2] : []))
            #expect(answer.problems.allSatisfy { $0.level == "warning" && $0.code == "content.category" })
            if count > 0 {
                let start = "the device has registered no category 'reminder', but"
                #expect(answer.problems[0].message == "\(start) 'supply'")
                #expect(answer.problems[1].message == "\(start) 'Remin-der'; categories are compared byte for byte")
            }
            #expect(decider.counters.categories.all.unregistered == count)
        }
    }

    @Test("what the device has said before it in the batch counts, and what it has forgotten does not")
    func order() throws {
        var decider = try decider(.warn)
        let answer = try publish(
            schedule("reminder", id: "a"), device("[]"), schedule("reminder", id: "b"), device(#"["reminder"]"#),
            schedule("reminder", id: "c"), device("[]"), #"{"op":"remove","app":"app","device":"d"}"#,
            schedule("reminder", id: "d"), to: &decider)
        #expect(answer.problems.map(\.index) == [2])
        #expect(answer.problems.first?.message == "the device has registered no category 'reminder', nor any other")
    }

    @Test("apps without declarations are held against what their devices registered only")
    func noDeclarations() throws {
        var decider = try decider(.reject, .none)
        let answer = try publish(
            schedule("x", id: "a"), device(#"["y"]"#), schedule("x", id: "b"), to: &decider)
        #expect(answer.outcomes == "hoh")
        #expect(answer.problems.map(\.index) == [2])
    }

    @Test("of one that is neither declared nor registered, and of one that is rejected otherwise, one thing is told")
    func once() throws {
        var decider = try decider(.warn)
        let answer = try publish(
            device("[]"), schedule("x", id: "a"), schedule("x", id: "b", trigger: #"{"at":1000}"#),
            schedule("reminder", id: "c", trigger: #"{"at":1000}"#), to: &decider)
        #expect(answer.outcomes == "ohrr")
        #expect(answer.problems.map(\.code) == ["content.category", "trigger.past", "trigger.past"])
        #expect(answer.problems[0].message.contains("has declared no category"))
        #expect(decider.counters.categories.all.undeclared == 1)
        #expect(decider.counters.categories.all.unregistered == 0)
    }

    @Test("a request that comes again gets its warnings again and counts once")
    func again() throws {
        var decider = try decider(.warn)
        let first = try publish(schedule("x"), number: 1, of: "p", to: &decider)
        let second = try publish(schedule("x"), number: 1, of: "p", to: &decider)
        #expect(first == second && first.problems.count == 1)
        #expect(decider.counters.categories.all.undeclared == 1)
    }

    @Test("counts are kept by app, for as many apps as are counted, and in all")
    func counts() throws {
        var decider = try decider(.warn)
        for number in 0..<(Limits.countedApps + 3) {
            let app = "app.\(1000 + number)"
            _ = try publish(device("[]", app: app), schedule("x", app: app), to: &decider)
        }
        _ = try publish(schedule("x", id: "a"), schedule("y", id: "b"), to: &decider)
        let counts = decider.counters.categories
        #expect(counts.all.unregistered == Limits.countedApps + 3)
        #expect(counts.all.undeclared == 2)
        #expect(counts.apps.map(\.app) == (1000..<(1000 + Limits.countedApps)).map { "app.\($0)" })
        #expect(counts.apps.allSatisfy { $0.counts.unregistered == 1 && $0.counts.undeclared == 0 })
    }

    @Test("status and metrics show the counts")
    func shown() throws {
        var decider = try decider(.warn)
        _ = try publish(schedule("x"), device("[]", device: "e"), schedule("supply", device: "e"), to: &decider)
        let board = StatusBoard(server: "s", startedAt: start, store: store, notices: try Notices())
        board.update { [counters = decider.counters] in $0.counters = counters }
        let status = String(decoding: board.json, as: UTF8.self)
        #expect(status.contains(#""categoriesRevision":1,"#))
        #expect(status.contains(#""categoryMismatches":{"undeclared":1,"unregistered":1}"#))
        #expect(status.hasSuffix(#","categoryMismatchesByApp":{"app":{"undeclared":1,"unregistered":1}}}"#))
        for line in [
            "# TYPE ration_category_mismatches_total counter",
            #"ration_category_mismatches_total{kind="undeclared"} 1"#,
            #"ration_app_category_mismatches_total{app="app",kind="unregistered"} 1"#, "ration_categories_revision 1",
        ] {
            #expect(board.metrics.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
    }

    @Test("another file is a revision of its own: it holds for what comes, and replans nobody")
    func revision() throws {
        var decider = try decider(.reject)
        #expect(try publish(schedule("supply"), schedule("x", id: "x"), to: &decider).outcomes == "hr")
        let new = Self.categories("x")
        let logged = try decider.takeUp(RevisionProposal(categories: new), clock: start)
        #expect(logged == [store.revisions(of: .categories)[1]])
        #expect(logged[0].number == 2 && logged[0].source == "categories.yaml" && logged[0].sequence == 1)
        #expect(logged[0].document == new.declarations.document)
        #expect(decider.counters.categoriesRevision == 2)
        #expect(decider.replanBacklog == 0)
        #expect(try publish(schedule("supply", id: "y"), schedule("x", id: "x"), to: &decider).outcomes == "rh")
        #expect(decider.plan(app: "app", device: "d")?.held.count == 2, "what is pending stays")
        #expect(try decider.takeUp(RevisionProposal(categories: new), clock: start).isEmpty, "the same is none")
    }

    @Test("no categories at all are no revision, but taking them away is one")
    func none() throws {
        _ = try decider(.warn, .none)
        #expect(store.revisions(of: .categories).isEmpty)
        var decider = try decider(.reject)
        #expect(store.revisions(of: .categories).count == 1)
        #expect(try decider.takeUp(RevisionProposal(categories: CategoriesRevision.none), clock: start).count == 1)
        #expect(try publish(schedule("x"), to: &decider).outcomes == "h")
    }

    @Test("a policy that is taken up says from then on what becomes of an undeclared one")
    func rule() throws {
        var decider = try decider(.warn)
        #expect(try publish(schedule("x", id: "a"), to: &decider).outcomes == "h")
        _ = try decider.takeUp(RevisionProposal(policy: Self.policy(.reject)), clock: start)
        #expect(try publish(schedule("x", id: "b"), to: &decider).outcomes == "r")
        _ = try decider.takeUp(RevisionProposal(policy: Self.policy(.ignore)), clock: start)
        #expect(try publish(schedule("x", id: "c"), to: &decider).problems.isEmpty)
    }

    @Test("what a device has registered holds after a start from what the store has kept; the same file is no revision")
    func restart() throws {
        var decider = try decider(.warn)
        _ = try publish(device(#"["supply"]"#), to: &decider)
        var again = try self.decider(.warn)
        #expect(again.counters.categoriesRevision == 1)
        let answer = try publish(schedule("reminder", id: "a"), schedule("x", id: "b"), to: &again)
        #expect(answer.problems.map(\.level) == ["warning", "warning"])
        #expect(again.counters.categories.all.unregistered == 1 && again.counters.categories.all.undeclared == 1)
    }
}
