import Foundation
import RationBus
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing
import RationWire
import TestSupport
import Testing

@Suite("A subscriber's runner")
struct RunnerTests {
    let log = FakeLog()
    let file: TemporaryFile

    init() throws {
        file = try TemporaryFile()
    }

    @Test("hands over every event once, in order, in pages of at most the configured size")
    func inOrder() throws {
        log.add(2_500)
        let running = try Running<Storing>(log, file, options: { $0.pageEvents = 400 })
        try running.run()
        #expect(try running.seen == Array(1...2_500))
        #expect(running.plugin.pages.allSatisfy { (1...400).contains($0.count) })
        #expect(running.runner.file.cursor?.position == 2_500)
        #expect(running.runner.file.cursor?.events == 2_500)
    }

    @Test("goes on behind what it has stored, whenever its process ends between two turns", arguments: UInt64(1)...8)
    func restarts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        log.pageEvents = Int.random(in: 1...40, using: &random)
        for _ in 0..<60 {
            log.add(Int.random(in: 0...30, using: &random))
            let running = try Running<Storing>(
                log, file, options: { $0.pageEvents = Int.random(in: 1...20, using: &random) })
            for _ in 0..<Int.random(in: 0...5, using: &random) { _ = try running.runner.turn(timeoutMilliseconds: 0) }
        }
        let running = try Running<Storing>(log, file)
        try running.run()
        #expect(try running.seen == Array(1...UInt64(log.lines.count)), "seed \(seed)")
        #expect(running.runner.file.cursor?.events == UInt64(log.lines.count), "seed \(seed)")
        #expect(try running.setAside == [], "seed \(seed)")
    }

    @Test("stores nothing of a page that fails, and everything of it later")
    func transaction() throws {
        log.add(10)
        var failures = 2
        let running = try Running<Storing>(log, file) { event in
            if event.sequence == 7, failures > 0 {
                failures -= 1
                throw Poison()
            }
        }
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        #expect(try running.seen == [])
        #expect(running.plugin.forgotten == 1)
        try running.run()
        #expect(try running.seen == Array(1...10))
        #expect(try running.setAside == [])
        #expect(running.plugin.pages.map(\.count) == [10, 10, 10])
    }

    @Test("waits longer after each failure, and not at all after a success")
    func backoff() throws {
        log.add(1)
        let running = try Running<Storing>(log, file) { _ in
            throw Poison()
        } options: {
            $0.tries = 4
        }
        var waits: [Int64] = []
        for _ in 0..<30 {
            guard case .resting(let milliseconds) = try running.runner.turn(timeoutMilliseconds: 0) else { continue }
            waits.append(milliseconds)
            running.clock.milliseconds += milliseconds
        }
        #expect(waits.count == 3)
        #expect((50...100).contains(waits[0]) && (100...200).contains(waits[1]) && (200...400).contains(waits[2]))
        #expect(try running.setAside == [1])
    }

    @Test(
        "sets aside the events that fail, and none of their neighbours",
        arguments: [[1], [50], [100], [7, 8], [1, 99]])
    func poison(poisoned: [UInt64]) throws {
        log.add(100)
        let running = try Running<Storing>(log, file, now: 1_000_000) { event in
            if poisoned.contains(event.sequence) { throw Poison() }
        }
        try running.run()
        #expect(try running.seen == (1...100).filter { !poisoned.contains($0) })
        #expect(try running.setAside == poisoned)
        let told = poisoned.map { SubscriberNotice.setAside($0, error: "this event is poison") }
        #expect(running.told.filter { told.contains($0) } == told)
        var rows: [[SQLiteValue]] = []
        try running.runner.file.database.run("SELECT log, event, error, at FROM set_aside ORDER BY sequence") { row in
            rows.append((0..<4).map { row.value($0) })
        }
        #expect(
            rows
                == poisoned.map { sequence in
                    let text = String(decoding: log.lines[Int(sequence) - 1], as: UTF8.self)
                    return [.text("log-1"), .text(text), .text("this event is poison"), .integer(1_000_000)]
                })
        #expect(running.runner.board.status.setAside == UInt64(poisoned.count))
        #expect(running.runner.file.cursor?.events == UInt64(100 - poisoned.count))
    }

    @Test("tries a poison event alone as often as configured, and its page before")
    func tries() throws {
        log.add(8)
        let running = try Running<Storing>(log, file) {
            if $0.sequence == 6 { throw Poison() }
        } options: {
            $0.tries = 3
        }
        try running.run()
        #expect(running.plugin.pages.filter { $0 == Array(1...8) }.count == 3)
        #expect(running.plugin.pages.filter { $0 == [6] }.count == 3)
    }

    @Test("a committing subscriber gets every event at least once, and its poison alone is set aside")
    func committing() throws {
        log.add(50)
        let running = try Running<Committing>(log, file) { if $0.sequence == 20 { throw Poison() } }
        try running.run()
        #expect(Set(running.plugin.pages.joined()) == Set(1...50))
        #expect(try running.setAside == [20])
        #expect(running.runner.file.cursor?.position == 50)
    }

    @Test("what is unavailable is tried for ever and told once, and no event is blamed")
    func unavailable() throws {
        log.add(5)
        var left = 40
        let running = try Running<Storing>(log, file) { _ in
            left -= 1
            if left > 0 { throw SubscriberUnavailable("the mail server is away") }
        }
        try running.run()
        #expect(try running.setAside == [])
        #expect(try running.seen == Array(1...5))
        let told = running.told.filter {
            if case .unavailable = $0 { return true }
            return $0 == .available
        }
        #expect(told == [.unavailable("the mail server is away"), .available])
    }

    @Test("a line that is no event is set aside with its bytes, and its neighbours are stored")
    func unreadable() throws {
        log.add(3)
        log.lines.append(Array(#"{"no":"event"}"#.utf8))
        log.lines.append([0xFF, 0x00])
        log.add(2)
        let running = try Running<Storing>(log, file)
        try running.run()
        #expect(try running.seen == [1, 2, 3, 6, 7])
        #expect(try running.setAside == [4, 5])
        #expect(running.runner.file.cursor?.position == 7)
    }

    @Test("an empty page is nothing: it is not handed over")
    func empty() throws {
        let running = try Running<Storing>(log, file)
        try running.run()
        log.add(4)
        log.isLeftOut = { $0 < 4 }
        log.pageEvents = 1
        try running.run()
        #expect(running.plugin.pages == [[4]])
        #expect(running.runner.file.cursor?.position == 4)
    }

    @Test("events that the log no longer has are counted, told and stored")
    func gone() throws {
        log.add(10)
        log.first = 4
        try Running<Storing>(log, file).run()
        log.add(10)
        log.first = 16
        let running = try Running<Storing>(log, file)
        try running.run()
        #expect(running.runner.file.cursor?.gone == 3 + 5)
        #expect(running.told.contains(.gone(5, log: "log-1")))
        #expect(try running.seen == Array(4...10) + Array(16...20))
    }

    @Test("another log is followed from its first event, and the first one again from where it was left")
    func otherLog() throws {
        log.add(10)
        try Running<Storing>(log, file).run()
        let other = FakeLog()
        other.name = "log-2"
        other.add(3)
        let running = try Running<Storing>(other, file)
        try running.run()
        #expect(running.told.contains(.otherLog("log-2", before: "log-1", position: 0)))
        #expect(try running.numbers("SELECT sequence FROM seen WHERE log = 'log-2'") == [1, 2, 3])
        log.add(1)
        let again = try Running<Storing>(log, file)
        try again.run()
        #expect(try again.numbers("SELECT sequence FROM seen WHERE log = 'log-1'") == Array(1...11))
    }

    @Test("a log that changes while it is read loses what was in hand, and nothing of the new one")
    func logChanges() throws {
        log.add(10)
        let running = try Running<Storing>(log, file, options: { $0.pageEvents = 4 })
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        log.name = "log-2"
        log.lines.removeLast(7)
        try running.run()
        #expect(try running.numbers("SELECT sequence FROM seen WHERE log = 'log-2'") == [1, 2, 3])
    }

    @Test("a position past the end of the same log ends it with what that means")
    func pastEnd() throws {
        log.add(10)
        try Running<Storing>(log, file).run()
        log.lines.removeLast(3)
        let running = try Running<Storing>(log, file)
        let error = #expect(throws: SubscriberError.self) { try running.run() }
        #expect(error?.code == .pastEnd)
        #expect(error?.message.contains("position 10 lies past the end, 7, of the log log-1") == true)
    }

    @Test("paused it hands nothing over, over restarts too, until it is resumed")
    func paused() throws {
        log.add(5)
        let first = try Running<Storing>(log, file)
        try first.runner.pause()
        #expect(try first.runner.turn(timeoutMilliseconds: 0) == .paused)
        let running = try Running<Storing>(log, file)
        #expect(try running.runner.turn(timeoutMilliseconds: 0) == .paused)
        #expect(running.runner.board.status.isPaused)
        try running.runner.resume()
        try running.runner.resume()
        try running.run()
        #expect(try running.seen == Array(1...5))
        #expect(running.told.filter { $0 == .resumed } == [.resumed])
    }

    @Test("says when it falls behind and when it has caught up, once each")
    func lag() throws {
        let running = try Running<Storing>(log, file, now: 60_000)
        try running.run()
        log.add(30)
        log.pageEvents = 3
        try running.run()
        let told = running.told.map(\.line)
        #expect(
            told == [
                "following log log-1 from 0, 0 events behind", "behind by 30 events and 59 s",
                "caught up at 30: 30 events in 0 ms",
            ])
    }

    @Test("lag is counted in events, and in time since the oldest that is not done")
    func lagNumbers() throws {
        log.add(10)
        log.pageEvents = 4
        let running = try Running<Storing>(log, file, now: 100_000)
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        let status = running.runner.board.status
        #expect(status.eventsBehind == 10)
        #expect(status.lagMilliseconds(Instant(milliseconds: 100_000)) == 99_000)
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        _ = try running.runner.turn(timeoutMilliseconds: 0)
        #expect(running.runner.board.status.lagMilliseconds(Instant(milliseconds: 100_000)) == 95_000)
        try running.run()
        #expect(running.runner.board.status.lagMilliseconds(Instant(milliseconds: 100_000)) == 0)
        let metrics = running.runner.board.status.metrics(Instant(milliseconds: 0))
        #expect(metrics.contains("ration_subscriber_position{subscriber=\"storing\"} 10\n"))
        #expect(metrics.contains("# TYPE ration_subscriber_set_aside_total counter\n"))
    }

    @Test("a file of another subscriber, or of another version, is refused")
    func owner() throws {
        try Running<Storing>(log, file).run()
        let error = #expect(throws: SQLiteError.self) { try SubscriberFile(file.path, of: "other") }
        #expect(error?.code == .owner)
        #expect(error?.message.contains("'storing'") == true)
        try SQLiteDatabase(file: file.path, .shared).run("UPDATE ration_subscriber SET version = 9")
        #expect(throws: SQLiteError.self) { try SubscriberFile(file.path, of: "storing") }
    }
}
