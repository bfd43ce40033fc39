import Foundation
import TestProcesses
import Testing

@Suite("A broker whose old events are damaged on disk")
struct DamagedLogTests {
    private let folder: TemporaryFolder
    private let log: String
    /// Events of the batch that is damaged.
    private let damaged: ClosedRange<Int>

    /// Three batches of a hundred cancelled notifications; the middle one is damaged once it is in table files.
    init() throws {
        let broker = try BrokerProcess()
        folder = broker.folder
        log = broker.log
        let client = try Client(broker, to: broker.intents)
        let hour = WallClock.milliseconds + 3_600_000
        var ends: [Int] = []
        for batch in ["first", "marked", "last"] {
            let ids = (0..<100).map { "\(batch)-notification-\($0)" }
            try client.publish(ids.map { IntentLine.schedule($0, at: hour) }, expecting: "hq")
            try client.publish(ids.map { IntentLine.cancel($0) }, expecting: "c")
            ends.append(try #require(broker.status()["last"]?.integer))
        }
        damaged = ends[0] + 1...ends[1]
        // Two starts: into table files, and behind the batches whose rows a start reads.
        for _ in 1...2 {
            #expect(try broker.stop(SIGTERM) == .status(0))
            let again = try BrokerProcess(in: folder)
            try again.proveThatItServes()
            #expect(try again.stop() == .status(0))
        }
        try Self.damage("marked-notification-5", in: "\(folder.path)/data/store/rocksdb")
    }

    private static func damage(_ text: String, in folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".sst") {
            let url = URL(fileURLWithPath: "\(folder)/\(name)")
            var bytes = try Data(contentsOf: url)
            var start = bytes.startIndex
            while let place = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
                bytes[place.lowerBound] ^= 1
                start = place.upperBound
            }
            try bytes.write(to: url)
        }
    }

    @Test("who reads them is told which; the others are read, the broker decides on, and says that it is degraded")
    func degraded() throws {
        let broker = try BrokerProcess(http: true, in: folder)
        #expect(broker.log == log)
        #expect(try RawConnection.http(broker.http, "GET", "/healthz") == (200, "ok\n"))
        let reader = try Client(broker, to: broker.queries)
        let before = try reader.read(#"{"after":0,"most":10000}"#)
        #expect(before.next < damaged.upperBound && before.next >= damaged.lowerBound - 1)
        let answer = try reader.ask("read", #"{"after":\#(before.next),"most":10000}"#)
        #expect(answer.error == "damaged", "\(answer.text)")
        let message = answer.body["message"]?.text ?? ""
        #expect(message.hasPrefix("events from \(before.next + 1) to "), "\(message)")
        #expect(message.contains("cannot be read") && message.contains("'ration restore BACKUP DATA'"), "\(message)")
        let words = message.split(separator: " ")
        let end = try #require(Int(words[4]))
        #expect(damaged.contains(end))
        let behind = try reader.read(#"{"after":\#(end),"most":10000}"#)
        #expect(behind.sequences.first == end + 1 && behind.next == behind.last)
        try broker.proveThatItServes()
        let health = try RawConnection.http(broker.http, "GET", "/healthz")
        #expect(
            health.0 == 200 && health.1.hasPrefix("degraded: events from \(before.next + 1) to \(end) cannot be read"))
        let status = try broker.status()
        #expect(status["damaged"]?.integer == 1 && status["damagedReads"]?.integer == 1)
        try broker.process.waitForErrors(containing: "alarm: events from \(before.next + 1) to \(end) cannot be read")
        // Those that need them end with what is damaged, and the broker goes on.
        let tail = try broker.run("tail", "--once", "--json")
        #expect(tail.ending == .status(1) && tail.errorText.contains("cannot be read"), "\(tail.errorText)")
        let explain = try broker.run("explain", IntentLine.app, "d1", "first-notification-3")
        #expect(explain.ending == .status(1) && explain.errorText.contains("cannot be read"), "\(explain.errorText)")
        try broker.proveThatItServes()
        #expect(try broker.stop() == .status(0))
    }

    @Test("'log verify' names them, status 1, and nothing else; a backup of them is verified the same way")
    func verify() throws {
        let verify = try ration("log", "verify", "--data", "\(folder.path)/data")
        #expect(verify.ending == .status(1))
        let found = verify.outputLines.filter { $0.hasPrefix("damaged: events: ") }
        #expect(found.contains { $0.contains("cannot be read: ") && $0.contains("checksum") }, "\(verify.outputText)")
        #expect(!verify.outputText.contains("damaged: links") && !verify.outputText.contains("damaged: records"))
        #expect(verify.errorText.contains("it is damaged. 'ration log verify"))
        let json = try JSON(ration("log", "verify", "--data", "\(folder.path)/data", "--json").output)
        #expect(json["sound"]?.bool == false && json["log"]?.text == log)
        let broker = try BrokerProcess(in: folder)
        let used = try ration("log", "verify", "--data", "\(folder.path)/data")
        #expect(used.ending == .status(1) && used.errorText.contains("another broker uses the data folder"))
        let backup = try broker.run("backup", "\(folder.path)/backup")
        #expect(backup.ending == .status(0), "it opens, as the store does: \(backup.errorText)")
        let copy = try ration("log", "verify", "--data", "\(folder.path)/backup")
        #expect(
            copy.ending == .status(1) && copy.outputLines.contains { found.contains($0) || $0.contains("checksum") })
    }

    @Test("a sound store is told as such, status 0; a folder without one is named and not made")
    func sound() throws {
        let broker = try BrokerProcess()
        try broker.proveThatItServes()
        #expect(try broker.stop() == .status(0))
        let verify = try ration("log", "verify", "--data", "\(broker.folder.path)/data")
        #expect(verify.ending == .status(0), "\(verify.outputText)")
        #expect(verify.outputLines.last == "all of it is what was committed")
        let nothing = try ration("log", "verify", "--data", "\(broker.folder.path)/nothing")
        #expect(nothing.ending == .status(1))
        #expect(nothing.errorText == "ration: \(broker.folder.path)/nothing/store: there is no store\n")
        #expect(!FileManager.default.fileExists(atPath: "\(broker.folder.path)/nothing"))
    }
}
