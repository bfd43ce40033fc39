import RationModel
import RationWire
import Testing

@Suite("What a reader of events wants")
struct EventFilterTests {
    static func filter(_ change: (inout EventFilter) -> Void) -> EventFilter {
        var filter = EventFilter()
        change(&filter)
        return filter
    }

    @Test(
        "A list names what is wanted, an empty one wants all, and every list has its say",
        arguments: [
            (filter { _ in }, true), (filter { $0.kinds = [.due, .accepted] }, true),
            (filter { $0.kinds = [.due] }, false),
            (filter { $0.types = ["entry", "habit"] }, true), (filter { $0.types = ["habits"] }, false),
            (filter { $0.types = ["habi"] }, false), (filter { $0.apps = ["com.example.habits"] }, true),
            (filter { $0.apps = ["com.example"] }, false), (filter { $0.apps = [""] }, false),
            (filter { $0.devices = ["é"] }, true), (filter { $0.devices = ["e\u{301}"] }, false),
            (
                filter {
                    ($0.kinds, $0.types, $0.apps, $0.devices) = ([.accepted], ["habit"], ["com.example.habits"], ["é"])
                }, true
            ),
            (filter { ($0.kinds, $0.devices) = ([.accepted], ["d1"]) }, false),
            (filter { ($0.kinds, $0.devices) = ([.due], ["é"]) }, false),
        ])
    func matches(filter: EventFilter, isWanted: Bool) {
        var record = EventRecord(.accepted)
        record.device = "é"
        #expect(entries([record]) { filter.matches($0) } == [isWanted])
    }

    @Test("It is empty when all its lists are")
    func empty() {
        #expect(EventFilter().isEmpty)
        let filters = [
            Self.filter { $0.kinds = [.due] }, Self.filter { $0.types = ["a"] }, Self.filter { $0.apps = ["a"] },
            Self.filter { $0.devices = ["a"] },
        ]
        #expect(filters.allSatisfy { !$0.isEmpty })
    }
}
