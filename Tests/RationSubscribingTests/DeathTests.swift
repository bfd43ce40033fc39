import Foundation
import RationModel
import RationSQLite
import RationSubscribing
import TestSupport
import Testing

/// Processes that end while they handle an event: the file is copied at that moment, as a crash would leave it, and the
/// next process begins with the copy.
@Suite("Events that end the process")
struct DeathTests {
    /// Starts processes until one gets through.
    private final class Life {
        let log: FakeLog
        var file: TemporaryFile
        var starts = 0
        /// How often each event was handed over in a process that ended with it.
        var deaths: [UInt64: Int] = [:]
        var told: [SubscriberNotice] = []

        init(_ log: FakeLog) throws {
            self.log = log
            file = try TemporaryFile()
        }

        func copy() throws -> TemporaryFile {
            let copy = try TemporaryFile()
            for end in ["", "-journal"] where FileManager.default.fileExists(atPath: file.path + end) {
                try FileManager.default.copyItem(atPath: file.path + end, toPath: copy.path + end)
            }
            return copy
        }

        func live(limit: Int = 200, _ isDeadly: @escaping (ReceivedEvent) -> Bool) throws -> Running<Storing> {
            while starts < limit {
                starts += 1
                var left: TemporaryFile?
                let running = try Running<Storing>(log, file) { [self] event in
                    guard left == nil, isDeadly(event) else { return }
                    left = try copy()
                    deaths[event.sequence, default: 0] += 1
                    throw Death()
                }
                while left == nil {
                    let turn = try running.runner.turn(timeoutMilliseconds: 0)
                    if turn == .idle, running.runner.isCaughtUp {
                        told += running.told
                        return running
                    }
                }
                told += running.told
                if let left { file = left }
            }
            throw Death()
        }
    }

    @Test("are set aside after some processes, and none of their neighbours", arguments: [[1], [40], [100], [30, 31]])
    func setAside(deadly: [UInt64]) throws {
        let log = FakeLog()
        log.add(100)
        let life = try Life(log)
        let running = try life.live { deadly.contains($0.sequence) }
        #expect(try running.setAside == deadly)
        #expect(try running.seen == (1...100).filter { !deadly.contains($0) })
        #expect(life.starts <= deadly.count * (3 + 5) + 1, "\(life.starts)")
        #expect(life.told.contains(.setAside(deadly[0], error: "5 processes have ended while they handled it")))
        #expect(life.told.contains(.careful(until: 100, starts: 3)))
    }

    @Test("an event that ends its process less often than that is stored")
    func notSetAside() throws {
        let log = FakeLog()
        log.add(100)
        let life = try Life(log)
        let running = try life.live { [unowned life] in $0.sequence == 50 && life.starts <= 6 }
        #expect(try running.setAside == [])
        #expect(try running.seen == Array(1...100))
    }

    @Test("processes that end at any moment leave every event stored once", arguments: UInt64(1)...6)
    func anyMoment(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let log = FakeLog()
        log.add(200)
        let life = try Life(log)
        let running = try life.live(limit: 2_000) { _ in Int.random(in: 0..<150, using: &random) == 0 }
        #expect(try running.seen == Array(1...200), "seed \(seed)")
        #expect(try running.setAside == [], "seed \(seed)")
    }

    @Test("processes that are ended on purpose, and those with nothing to do, blame no event")
    func ends() throws {
        let log = FakeLog()
        let file = try TemporaryFile()
        for _ in 0..<20 {
            let running = try Running<Storing>(log, file)
            try running.run()
            try running.runner.end()
        }
        log.add(10)
        let running = try Running<Storing>(log, file)
        try running.run()
        #expect(running.plugin.pages == [Array(1...10)])
    }
}
