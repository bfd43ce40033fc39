import Foundation
import TestProcesses
import Testing

@Suite("ration backup, restore and stop")
struct BackupCommandTests {
    private let broker: BrokerProcess
    private let client: Client
    private let hour = WallClock.milliseconds + 3_600_000
    private var folder: String { broker.folder.path }

    init() throws {
        broker = try BrokerProcess()
        client = try Client(broker, to: broker.intents)
    }

    private func lines(_ numbers: Range<Int>) -> String {
        ndjson(numbers.map { IntentLine.schedule("n\($0)", on: "d\($0 % 7)", at: hour + $0) })
    }

    /// Makes a backup, has more decided, ends the broker, and starts one on what is restored.
    private func comeBack(after more: () throws -> Void) throws -> BrokerProcess {
        let backup = try broker.run("backup", "\(folder)/backup")
        #expect(backup.ending == .status(0), "\(backup.errorText)")
        try more()
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        try FileManager.default.moveItem(atPath: "\(folder)/data", toPath: "\(folder)/lost")
        let restore = try ration("restore", "\(folder)/backup", "\(folder)/data")
        #expect(restore.ending == .status(0), "\(restore.errorText)")
        return try broker.again()
    }

    @Test("a backup tells what it holds; restored it is another log with the same events, plans and numbers")
    func roundTrip() throws {
        let outbox = "\(folder)/outbox"
        let first = try broker.run(
            "publish", "--publisher", "p", "--outbox", outbox, "--batch", "10", input: lines(0..<200))
        #expect(first.ending == .status(0), "\(first.errorText)")
        let (events, plan) = (try broker.events(), try broker.plan(device: "d3").body)
        let back = try comeBack {
            let lost = try broker.run(
                "publish", "--publisher", "p", "--outbox", outbox, "--batch", "10", input: lines(200..<230))
            #expect(lost.ending == .status(0))
        }
        #expect(back.log != broker.log)
        let restored = try back.events()
        #expect(restored.map(\.sequence) == events.map(\.sequence))
        #expect(restored.map { $0["data"] } == events.map { $0["data"] })
        #expect(restored.allSatisfy { $0["source"]?.text == "/ration/\(back.log)" })
        #expect(try back.plan(device: "d3").body == plan)
        // A reader of the old log is told, whatever its position.
        for after in [0, 10, 225] {
            let answer = try Client(back, to: back.queries).ask(
                "read", #"{"log":"\#(broker.log)","after":\#(after)}"#)
            #expect(answer.error == "cursorAhead")
        }
        // The publisher goes on behind the number that the backup has, and hears what is lost.
        let again = try back.run(
            "publish", "--publisher", "p", "--outbox", outbox, "--batch", "10", input: lines(200..<230))
        #expect(again.ending == .status(0), "\(again.errorText)")
        #expect(
            again.errorText
                == "ration: warning: the broker's event log \(back.log) was restored from a backup: it does not know the requests 21 to "
                + "23, which were acknowledged before; publish again what is still wanted\n")
        #expect(try back.events().count == 230)
        let quiet = try back.run("publish", "--publisher", "p", "--outbox", outbox, input: lines(300..<301))
        #expect(quiet.ending == .status(0) && quiet.errorText.isEmpty, "\(quiet.errorText)")
    }

    @Test(
        "requests that were on their way when the broker was lost are decided once by the restored one, with their acknowledgement"
    )
    func underWay() throws {
        let outbox = "\(folder)/outbox"
        let publisher = try broker.start(
            "publish", "--publisher", "p", "--outbox", outbox, "--batch", "1", "--json", input: nil)
        publisher.write(lines(0..<20))
        for _ in 0..<20 { _ = try publisher.nextLine() }
        let back = try comeBack {
            broker.process.send(signal: SIGSTOP)
            publisher.write(lines(20..<40))
        }
        publisher.closeInput()
        #expect(try publisher.wait() == .status(0), "\(publisher.errorText)")
        let devices = try back.events().compactMap { $0["subject"]?.text }
        #expect(Set(devices).count == 40 && devices.count == 40)
        #expect(try JSON.lines(publisher.output).count == 40)
    }

    @Test(
        "a backup into a folder with anything in it is refused, and a restore over a store, status 1; all stays as it is"
    )
    func notEmpty() throws {
        let file = try broker.folder.write("mine", to: "mine")
        let backup = try broker.run("backup", folder)
        #expect(backup.ending == .status(1))
        #expect(backup.errorText.contains("\(folder): the folder is not empty: it has 'data'"), "\(backup.errorText)")
        #expect(try broker.run("backup", "\(folder)/copy").ending == .status(0))
        let used = try ration("restore", "\(folder)/copy", "\(folder)/data")
        #expect(used.ending == .status(1))
        #expect(used.errorText.contains("another broker uses the data folder"), "\(used.errorText)")
        let there = try ration("restore", "\(folder)/copy", "\(folder)/new")
        #expect(there.ending == .status(0), "\(there.errorText)")
        let again = try ration("restore", "\(folder)/copy", "\(folder)/new")
        #expect(again.ending == .status(1))
        #expect(again.errorText.contains("a restore never replaces one: move \(folder)/new/store away"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        try broker.proveThatItServes()
    }

    @Test("what is no backup is told by name")
    func noBackup() throws {
        let restore = try ration("restore", "\(folder)/nothing", "\(folder)/new")
        #expect(restore.ending == .status(1))
        #expect(
            restore.errorText == "ration: \(folder)/nothing: no store is there: it has no file 'store'\n",
            "\(restore.errorText)")
        // Nothing was begun: the folder may be used.
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/new/store"))
        let endpoint = "ipc://\(folder)/nobody"
        let begin = Monotonic.milliseconds
        let backup = try ration("backup", "\(folder)/copy", "--admin", endpoint)
        #expect(backup.ending == .status(1) && backup.errorText.contains("no broker answers"), "\(backup.errorText)")
        #expect(Monotonic.milliseconds - begin < 15_000)
    }

    @Test("stop ends the broker as SIGTERM does, and ends itself when the broker has ended")
    func stop() throws {
        try client.publish([IntentLine.schedule("n", on: "d", at: hour)], expecting: "h")
        let stop = try broker.run("stop")
        #expect(stop.ending == .status(0), "\(stop.errorText)")
        #expect(stop.outputText.hasPrefix("the broker of log \(broker.log), process \(broker.process.identifier), "))
        #expect(try broker.process.wait() == .status(0))
        #expect(broker.process.outputText.contains("stopped at sequence 1, "))
        let again = try broker.run("stop")
        #expect(again.ending == .status(1) && again.errorText.contains("no broker answers"))
    }
}
