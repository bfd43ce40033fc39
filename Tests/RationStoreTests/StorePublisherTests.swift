import RationModel
import RationStore
import Testing

@Suite("Publishers: numbers and kept answers")
struct StorePublisherTests {
    static let day: Int64 = 86_400_000

    @Test("An unknown publisher has neither number nor answers", arguments: StoreKind.allCases)
    func unknown(kind: StoreKind) throws {
        let new = try NewStore(kind)
        let store = new.store
        #expect(store.lastNumber(of: "p") == nil && store.answer(to: 1, of: "p") == nil)
    }

    @Test("An answer is kept as it was given, refusal or not, under its publisher", arguments: StoreKind.allCases)
    func kept(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(StoredAnswer("p", 1), StoredAnswer("q", 1), StoredAnswer("p", 2))
        #expect(commits.store.lastNumber(of: "p") == 2 && commits.store.lastNumber(of: "q") == 1)
        #expect(commits.store.publisherCount == 2)
        #expect(commits.store.answer(to: 1, of: "p") == StoredAnswer("p", 1))
        #expect(commits.store.answer(to: 2, of: "p") == StoredAnswer("p", 2))
        #expect(commits.store.answer(to: 2, of: "q") == nil && commits.store.answer(to: 3, of: "p") == nil)
    }

    @Test("The last 64 answers are kept, an older one is not", arguments: StoreKind.allCases)
    func window(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        for number in 1...64 { try commits.add(StoredAnswer("p", UInt64(number))) }
        #expect((1...64).allSatisfy { commits.store.answer(to: $0, of: "p") != nil })
        try commits.add(StoredAnswer("p", 65))
        #expect(commits.store.answer(to: 1, of: "p") == nil)
        #expect((2...65).allSatisfy { commits.store.answer(to: $0, of: "p") != nil })
        #expect(commits.store.lastNumber(of: "p") == 65)
    }

    @Test("One publisher's answers do not push out another's", arguments: StoreKind.allCases)
    func apart(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(StoredAnswer("q", 1))
        for number in 1...200 { try commits.add(StoredAnswer("p", UInt64(number))) }
        #expect(commits.store.answer(to: 1, of: "q") != nil)
    }

    @Test("Names are told apart by their bytes, not as Unicode's equivalents", arguments: StoreKind.allCases)
    func names(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(StoredAnswer("é", 1), StoredAnswer("e\u{301}", 5))
        #expect(commits.store.publisherCount == 2)
        #expect(commits.store.lastNumber(of: "é") == 1 && commits.store.lastNumber(of: "e\u{301}") == 5)
    }

    @Test(
        "A publisher that was silent for more than 30 days is forgotten when another one comes",
        arguments: StoreKind.allCases)
    func ageing(kind: StoreKind) throws {
        for (idle, isKnown) in [(30 * Self.day, true), (30 * Self.day + 1, false)] {
            let new = try NewStore(kind)
            var commits = Commits(store: new.store)
            try commits.add(StoredAnswer("idle", 7))
            let silentSince = commits.now
            commits.now = silentSince.advanced(by: idle - 3_600_000)
            try commits.add(StoredAnswer("new", 1))
            #expect((commits.store.lastNumber(of: "idle") == 7) == isKnown)
            #expect((commits.store.answer(to: 7, of: "idle") != nil) == isKnown)
            #expect(commits.store.publisherCount == (isKnown ? 2 : 1))
        }
    }

    @Test("One that goes on publishing stays known, and so do others that are younger", arguments: StoreKind.allCases)
    func busy(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(StoredAnswer("busy", 1), StoredAnswer("idle", 1))
        for day in 1...40 {
            commits.now = Instant(milliseconds: Int64(day) * Self.day)
            try commits.add(StoredAnswer("busy", UInt64(day + 1)), StoredAnswer("day \(day)", 1))
            guard day > 31 else { continue }
            #expect(commits.store.lastNumber(of: PublisherName("day \(day - 30)")) == 1, "30 days old on day \(day)")
            #expect(commits.store.lastNumber(of: PublisherName("day \(day - 31)")) == nil, "31 days old on day \(day)")
        }
        #expect(commits.store.lastNumber(of: "idle") == nil)
        #expect(commits.store.lastNumber(of: "busy") == 41)
        // Days 10 to 40 lie within 30 days of day 40.
        #expect(commits.store.publisherCount == 1 + 31)
    }
}
