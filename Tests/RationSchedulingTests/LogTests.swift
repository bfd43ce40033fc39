import RationModel
import RationSQLite
import Testing

@testable import RationScheduling

private let hour = Scene.hour
private func at(_ milliseconds: Int64) -> Int64 { Scene.at(milliseconds) }

@Suite("Acknowledgements, events and logs")
struct LogTests {
    @Test("an event of a batch before the last acknowledged schedule is about an earlier life")
    func earlierLife() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour))])
        try scene.run()
        // Evicted; before the scheduler reads that, the facts have it published again.
        scene.broker.evict(place("t.1"))
        let state = try #require(scene.state)
        state.staged = []
        try scene.facts.set([Wish("t.1", at: at(2 * hour))])
        let cursor = state.cursor
        try scene.run()
        #expect(scene.broker.pending.count == 1)
        // The eviction is read once more, as if it came only now.
        var event = try #require(scene.broker.events.first { $0.kind == .evicted })
        event.isFinal = true
        state.batches = [2: 9]
        event.batch = 9
        try state.take(
            [event], next: try #require(cursor) + 1, isGone: false, isEnd: false, retryMilliseconds: hour)
        #expect(try standings(scene) == [.pending])
        event.batch = 10
        try state.take(
            [event], next: try #require(cursor) + 1, isGone: false, isEnd: false, retryMilliseconds: hour)
        #expect(try standings(scene) == [.refused(until: event.time.advanced(by: hour))])
    }

    private func standings(_ scene: Scene) throws -> [PublishedNotification.Standing] {
        let state = try #require(scene.state)
        let known = try #require(try state.find("com.x", "d1"))
        return try state.published(known.key).map(\.standing)
    }

    @Test("events that the log keeps no more: everything is published again, and what stands is unchanged")
    func gone() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(20 * hour)), Wish("t.2", at: at(20 * hour))])
        try scene.run()
        scene.broker.evict(place("t.1"))
        scene.broker.forgetEvents()
        _ = scene.received()
        try scene.run(.once)
        #expect(scene.receivedIDs() == ["+t.1", "+t.2"])
        #expect(scene.broker.pending.count == 2)
        #expect(scene.complaints == ["1 events are gone from the log: asking for everything again"])
        try scene.run()
        #expect(scene.received().isEmpty)
    }

    @Test("another log: each recipient is cleared and published again in one request; what it must not hold goes")
    func newLog() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour)), Wish("t.2", at: at(hour))])
        try scene.run()
        let copy = scene.broker.data
        try scene.facts.set([Wish("t.2", at: at(hour)), Wish("t.3", at: at(hour))])
        try scene.run()
        _ = scene.received()
        scene.broker.restore(copy, log: "log-2")
        try scene.run(.log)
        #expect(scene.received().count == 3)
        #expect(scene.broker.pending.keys.map(\.id).sorted() == ["t.2", "t.3"])
        scene.broker.evict(place("t.2"))
        try scene.run()
        scene.broker.advance(to: at(hour) - 1)
        try scene.run()
        #expect(scene.broker.pending.keys.map(\.id) == ["t.3"], "the new log's events are read")
    }

    @Test("a broker that is set up anew, and one that has lost nothing but its numbers", arguments: [0, 7] as [UInt64])
    func numbers(last: UInt64) throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour))])
        for run in 0..<3 {
            try scene.facts.set([Wish("t.\(run)", at: at(hour))])
            try scene.run()
        }
        var data = SimulatedBroker.Data()
        data.last = last == 0 ? nil : last
        scene.broker.restore(data, log: "log-2")
        try scene.run()
        #expect(scene.broker.pending.keys.map(\.id) == ["t.2"])
        #expect(scene.broker.data.last == last + 1)
    }

    @Test("a state file that is lost: the broker is cleared and gets everything")
    func lostState() throws {
        let scene = try Scene()
        try scene.facts.set([Wish("t.1", at: at(hour))])
        try scene.run()
        scene.kill()
        try SQLiteDatabase(file: scene.folder.state, .alone).transactionalReset()
        try scene.facts.set([Wish("t.2", at: at(hour))])
        try scene.run()
        #expect(scene.broker.pending.keys.map(\.id) == ["t.2"])
    }

    @Test("what is stored when the process ends is sent by the next one, with its number and bytes, once")
    func crash() throws {
        for stage in 1...4 {
            let scene = try Scene()
            try scene.facts.set([Wish("t.1", at: at(hour)), Wish("t.2", at: at(hour), device: "d2")])
            var steps = 0
            scene.step = {
                steps += 1
                if steps == stage { throw Killed() }
            }
            // Before storing, between storing and sending, between sending and the answer, behind the answer.
            #expect(throws: Killed.self) { try scene.run() }
            scene.kill()
            scene.step = {}
            try scene.run()
            #expect(scene.broker.pending.count == 2, "stage \(stage)")
            #expect(scene.receivedIDs().sorted() == ["+t.1", "+t.2"], "stage \(stage)")
            try scene.run()
            #expect(scene.received().isEmpty, "stage \(stage)")
        }
    }

    @Test("a state file belongs to a scheduler's name and plugin, and no other file is taken for one")
    func owner() throws {
        let folder = try Folder()
        _ = try SchedulerState(file: folder.state, name: "habit", plugin: "rows")
        for (name, plugin) in [("other", "rows"), ("habit", "other")] {
            let error = #expect(throws: SQLiteError.self) {
                try SchedulerState(file: folder.state, name: name, plugin: plugin)
            }
            #expect(error?.code == .owner)
        }
        let held = try SchedulerState(file: folder.state, name: "habit", plugin: "rows")
        let locked = #expect(throws: SQLiteError.self) {
            try SchedulerState(file: folder.state, name: "habit", plugin: "rows")
        }
        #expect(locked?.code == .locked && held.log == nil)
        _ = try FactsFile(folder.facts)
        let foreign = #expect(throws: SQLiteError.self) {
            try SchedulerState(file: folder.facts, name: "habit", plugin: "rows")
        }
        #expect(foreign?.code == .foreign)
    }

    @Test("a state file of a later version is refused")
    func laterVersion() throws {
        let folder = try Folder()
        _ = try SchedulerState(file: folder.state, name: "habit", plugin: "rows")
        try SQLiteDatabase(file: folder.state, .alone).run("PRAGMA user_version = 2")
        let error = #expect(throws: SQLiteError.self) {
            try SchedulerState(file: folder.state, name: "habit", plugin: "rows")
        }
        #expect(error?.code == .foreign && error?.message.contains("version 2") == true)
    }
}

extension SQLiteDatabase {
    /// Empties the file, so that it is as a new one.
    fileprivate func transactionalReset() throws {
        for table in ["scheduler", "requests", "acknowledgements", "recipients", "published"] {
            try run("DROP TABLE \(table)")
        }
        try run("PRAGMA user_version = 0")
    }
}
