import RationModel
import RationStore
import Testing

@Suite("Revisions")
struct StoreRevisionTests {
    @Test(
        "each kind is numbered by itself, and read as it was committed, with its place in the log",
        arguments: StoreKind.allCases)
    func kinds(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        let store = commits.store
        #expect(store.revisions(of: .policy).isEmpty)
        let first = commits.revision(.policy)
        try store.commit(first)
        try commits.add(events: 3, bytes: 1)
        let others = [commits.revision(.zones), commits.revision(.policy)]
        for other in others { try store.commit(other) }
        #expect(others.map(\.sequence) == [3, 3])
        #expect(store.revisions(of: .policy) == [first, others[1]])
        #expect(store.revisions(of: .zones) == [others[0]])
    }

    @Test("the last 16 of a kind are kept, and as many of the other", arguments: StoreKind.allCases)
    func limit(kind: StoreKind) throws {
        let new = try NewStore(kind)
        let commits = Commits(store: new.store)
        let store = commits.store
        for number in 1...17 {
            if number < 17 { try store.commit(commits.revision(.zones)) }
            try store.commit(commits.revision(.policy))
        }
        #expect(store.revisions(of: .policy).map(\.number) == Array(2...17))
        #expect(store.revisions(of: .zones).map(\.number) == Array(1...16))
    }

    @Test(
        "a revision that does not follow the last one is a fault of the broker's and traps",
        arguments: StoreKind.allCases)
    func order(kind: StoreKind) async {
        await #expect(processExitsWith: .failure) { [kind] in
            try NewStore(kind).store.commit(
                StoredRevision(
                    kind: .policy, number: 2, at: .distantPast, sequence: 0, batch: 0, source: "", document: []))
        }
    }
}
