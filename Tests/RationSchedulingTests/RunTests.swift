import RationModel
import RationSQLite
import Testing

@testable import RationScheduling

private let hour = Scene.hour
private func at(_ milliseconds: Int64) -> Int64 { Scene.at(milliseconds) }

@Suite("A scheduler's run")
struct RunTests {
    @Test("what is wanted and ahead is published, once; the broker is cleared of the prefix first")
    func first() throws {
        let scene = try Scene()
        scene.broker.data.pending[place("t.old")] = .init(date: at(hour), expires: .max, title: "", deliver: false)
        scene.broker.data.pending[place("o.1")] = .init(date: at(hour), expires: .max, title: "", deliver: false)
        try scene.facts.set([Wish("t.1", at: at(hour)), Wish("t.2", at: at(2 * hour)), Wish("t.3", at: at(-1))])
        try scene.run(.start)
        #expect(scene.broker.data.pending.keys.map(\.id).sorted() == ["o.1", "t.1", "t.2"])
        #expect(scene.received().first == #"{"op":"cancel","app":"com.x","device":"d1","prefix":"t."}"#)
        try scene.run()
        #expect(scene.received().isEmpty)
        #expect(scene.lines.count == 1, "a periodic run without a change says nothing")
        #expect(
            scene.lines[0].hasPrefix(
                "run 1 (start): 1 recipients, 1 changed; 2 scheduled, 1 cancelled, 0 rejected, 0 left out; "))
    }

    @Test("only the difference is published: what changed, what is new, what is not wanted any more")
    func difference() throws {
        let scene = try Scene()
        let wishes =
            (1...3).map { Wish("t.\($0)", at: at(Int64($0) * hour)) } + [Wish("t.9", at: at(hour), device: "d2")]
        try scene.facts.set(wishes)
        try scene.run()
        _ = scene.received()
        try scene.facts.set([
            wishes[0], wishes[1].with { $0.title = "new" }, Wish("t.4", at: at(hour)), wishes[3],
        ])
        try scene.run()
        #expect(scene.receivedIDs() == ["-t.3", "+t.2", "+t.4"])
        #expect(scene.broker.pending[place("t.2")]?.title == "new")
    }

    @Test("a recipient without facts loses what is pending, and is cleared again when the broker is another")
    func departed() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour), device: "d1"), Wish("t.1", at: at(hour), device: "d2")])
        try scene.run()
        let copy = scene.broker.data
        try scene.facts.set([Wish("t.1", at: at(hour), device: "d2")])
        try scene.run()
        #expect(scene.broker.pending.keys.map(\.device) == ["d2"])
        scene.broker.restore(copy, log: "log-2")
        try scene.run()
        #expect(scene.broker.pending.keys.map(\.device) == ["d2"])
    }

    @Test("what has fired is not published again, and one of a passed date is not cancelled before it expires")
    func fired() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour)), Wish("t.2", at: at(hour)).with { $0.deliver = true }])
        try scene.run()
        _ = scene.received()
        scene.broker.advance(to: at(hour) + 1)
        try scene.run()
        #expect(scene.received().isEmpty && scene.broker.pending.isEmpty)
        // Somebody moved it at the broker: it is pending behind its date, which the scheduler does not know.
        try scene.facts.set([Wish("t.1", at: at(hour)).with { $0.title = "new" }])
        try scene.run()
        #expect(scene.receivedIDs().isEmpty)
    }

    @Test("one that is delivered late is published although its date has passed, and fires once")
    func overdue() throws {
        let scene = try Scene()
        let wish = Wish("t.1", at: at(-hour), expires: at(hour)).with { $0.deliver = true }
        try scene.facts.set([wish])
        try scene.run()
        #expect(scene.receivedIDs() == ["+t.1"])
        scene.broker.advance(to: at(1))
        try scene.run()
        // Not even a broker that has forgotten it gets it again.
        scene.broker.restore(.init(), log: "log-2")
        try scene.run()
        #expect(scene.receivedIDs() == [] && scene.broker.pending.isEmpty)
    }

    @Test("evicted, cancelled by others or rejected: offered again, but not before the time for it", arguments: 0...2)
    func refused(case which: Int) throws {
        let scene = try Scene()
        let (first, second) = (Wish("t.1", at: at(20 * hour)), Wish("t.2", at: at(20 * hour)))
        try scene.facts.set([first, second])
        if which == 2 { scene.broker.rejections["t.1"] = "content.empty" }
        try scene.run()
        if which < 2 { scene.broker.evict(place("t.1"), kind: which == 0 ? .evicted : .cancelled) }
        scene.broker.rejections = [:]
        _ = scene.received()
        try scene.run()
        scene.broker.advance(to: at(hour) - 1)
        try scene.run()
        #expect(scene.receivedIDs().isEmpty)
        #expect(scene.nextChange == at(hour))
        scene.broker.advance(to: at(hour))
        try scene.run()
        #expect(scene.receivedIDs() == ["+t.1"])
        #expect(scene.broker.pending.count == 2)
    }

    @Test("evicted, then changed by the facts: published at once")
    func refusedAndChanged() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(20 * hour))])
        try scene.run()
        scene.broker.evict(place("t.1"))
        try scene.facts.set([Wish("t.1", at: at(21 * hour))])
        try scene.run()
        #expect(scene.broker.pending[place("t.1")]?.date == at(21 * hour))
    }

    @Test("rejected because its time has passed: not published again while it is the same")
    func rejectedForGood() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(20 * hour))])
        scene.broker.rejections["t.1"] = "trigger.past"
        try scene.run(.once)
        #expect(scene.lines[0].contains("1 rejected (trigger.past 1)"))
        #expect(scene.complaints == ["t.1 of com.x/d1: trigger.past: no"])
        scene.broker.rejections = [:]
        scene.broker.advance(to: at(2 * hour))
        try scene.run()
        #expect(scene.broker.pending.isEmpty)
        try scene.facts.set([Wish("t.1", at: at(21 * hour))])
        try scene.run()
        #expect(scene.broker.pending.count == 1)
    }

    @Test(
        "rejected because its time is past on the device's clock: no complaint, and offered again, as the device may travel"
    )
    func pastOnTheDevice() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(20 * hour))])
        scene.broker.rejections["t.1"] = "trigger.never"
        try scene.run(.once)
        #expect(scene.lines[0].contains("1 rejected (trigger.never 1)"))
        #expect(scene.complaints.isEmpty)
        scene.broker.rejections = [:]
        try scene.run()
        #expect(scene.broker.pending.isEmpty)
        scene.broker.advance(to: at(2 * hour))
        try scene.run()
        #expect(scene.broker.pending.count == 1)
    }

    @Test("what a rejected line should have replaced is cancelled: the facts do not demand it any more")
    func rejectedReplacement() throws {
        for isStillWanted in [true, false] {
            let scene = try Scene()
            try scene.facts.set([Wish("t.1", at: at(20 * hour))])
            try scene.run()
            scene.broker.rejections["t.1"] = "content.empty"
            try scene.facts.set([Wish("t.1", at: at(21 * hour))])
            try scene.run()
            #expect(scene.broker.pending.count == 1)
            if !isStillWanted { try scene.facts.set([]) }
            try scene.run()
            #expect(scene.broker.pending.isEmpty)
            _ = scene.received()
            try scene.run()
            #expect(scene.received().isEmpty)
        }
    }

    @Test(
        "within its margin a date stays as it is, pending or fired; beyond it moves",
        arguments: [(moved: 500, published: false), (500 + 1, true), (-500, false), (-501, true)] as [(Int64, Bool)])
    func margin(moved: Int64, published: Bool) throws {
        let scene = try Scene()
        let wish = Wish("t.1", at: at(hour), expires: at(3 * hour)).with { ($0.margin, $0.deliver) = (500, true) }
        func isMoved() throws -> Bool {
            try scene.facts.set([wish.with { $0.at = at(hour) + moved }])
            try scene.run()
            return !scene.receivedIDs().isEmpty
        }
        try scene.facts.set([wish])
        try scene.run()
        _ = scene.received()
        #expect(try isMoved() == published)
        try scene.facts.set([wish])
        try scene.run()
        scene.broker.advance(to: at(2 * hour))
        try scene.run()
        _ = scene.received()
        #expect(try isMoved() == published)
    }

    @Test("a date on the device's clock is ahead until it has come everywhere on Earth")
    func wall() throws {
        let scene = try Scene()
        scene.broker.advance(to: 1_796_112_000_000)
        let now = scene.broker.now.milliseconds
        try scene.facts.set([
            Wish("t.1", wall: now - 12 * hour, expires: now + hour),
            Wish("t.2", wall: now - 12 * hour + 1_000, expires: now + hour), Wish("t.3", wall: now + hour),
        ])
        try scene.run()
        #expect(scene.receivedIDs() == ["+t.2", "+t.3"])
        #expect(
            scene.broker.pending == [
                place("t.3"): .init(date: now + hour, expires: now + 2 * hour, title: "T", deliver: false)
            ])
    }

    @Test("a recipient whose time has come is looked at although its facts are the same")
    func nextChange() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(3 * hour)).with { $0.visible = at(hour) }])
        try scene.run()
        #expect(scene.nextChange == at(hour) && scene.broker.pending.isEmpty)
        scene.broker.advance(to: at(hour))
        try scene.run()
        #expect(scene.broker.pending.count == 1)
    }

    @Test("of more than 1,024 wanted by one recipient the soonest count, and the rest is told")
    func tooMany() throws {
        let scene = try Scene()
        let wishes = (0..<1_030).map { Wish("t.\($0)", at: at(hour + Int64($0))) }
        try scene.facts.set(wishes.shuffled())
        try scene.run(.once)
        #expect(scene.broker.pending.count == 1_024)
        #expect(scene.broker.pending.values.map(\.date).max() == at(hour + 1_023))
        #expect(scene.lines[0].contains("6 left out"))
        #expect(scene.complaints == ["com.x/d1: 1030 notifications are wanted; the soonest 1024 count"])
    }

    @Test("lines of one recipient stand in one request, and one with more than fit is published all the same")
    func requests() throws {
        let scene = try Scene()
        let long = String(repeating: "x", count: 3_000)
        try scene.facts.set(
            (0..<1_000).map { Wish("t.\($0)", at: at(hour + Int64($0))).with { $0.title = long } }
                + (0..<700).map { Wish("t.\($0)", at: at(hour), device: "d2") }
                + (0..<1_000).flatMap { device in (0..<4).map { Wish("t.\($0)", at: at(hour), device: "e\(device)") } })
        try scene.run()
        #expect(scene.broker.pending.count == 1_700 + 4_000)
        _ = scene.received()
        try scene.run()
        #expect(scene.received().isEmpty)
    }
}
