import Foundation
import TestProcesses
import Testing

@Suite("ration forget")
struct ForgetCommandTests {
    private let hour = WallClock.milliseconds + 3_600_000
    private let forgotten = "phone-of-somebody"

    private func device(_ number: Int) -> String { number % 7 == 3 ? forgotten : "d\(number % 7)" }

    private func lines(_ numbers: Range<Int>) -> String {
        ndjson(
            numbers.map { number in
                let id = device(number) == forgotten ? "secret-\(number)" : "n\(number)"
                return IntentLine.schedule(id, on: device(number), at: hour + number)
            })
    }

    /// The files of a broker's store that hold a text.
    private func files(of broker: BrokerProcess, with text: String) throws -> [String] {
        let folder = "\(broker.folder.path)/data/store"
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            // RocksDB may remove one that was listed.
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return false }
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("under load one device is forgotten: its texts are gone, its events are stars, and nobody else notices")
    func underLoad() throws {
        let broker = try BrokerProcess()
        let before = try broker.run("publish", "--batch", "20", input: lines(0..<700))
        #expect(before.ending == .status(0), "\(before.errorText)")
        let plan = try broker.plan(device: "d2").body["held"]
        // Rows that were read lately are remembered by the broker.
        _ = try Client(broker, to: broker.queries).read(#"{"after":0,"most":3}"#)
        let publisher = try broker.start(
            "publish", "--publisher", "p", "--outbox", "\(broker.folder.path)/outbox", "--batch", "5", input: nil)
        let others = 1_000..<5_000
        let load = others.filter { device($0) != forgotten && device($0) != "d2" }
        let half = load.count / 2
        func write(_ numbers: ArraySlice<Int>) {
            publisher.write(ndjson(numbers.map { IntentLine.schedule("n\($0)", on: device($0), at: hour + $0) }))
        }
        write(load[..<half])
        let forget = try broker.start("forget", IntentLine.app, forgotten)
        write(load[half...])
        publisher.closeInput()
        #expect(try forget.wait() == .status(0), "\(forget.errorText)")
        #expect(forget.outputText.hasPrefix("forgotten with batch "))
        #expect(try publisher.wait() == .status(0), "\(publisher.errorText)")
        #expect(try files(of: broker, with: "secret-") == [])
        #expect(try broker.plan(device: forgotten).error == "unknown")
        #expect(try broker.plan(device: "d2").body["held"] == plan)
        let events = try broker.events()
        #expect(events.map(\.sequence) == Array(1...events.count))
        let stars = String(repeating: "*", count: forgotten.utf8.count)
        let ofForgotten = events.filter { $0["data"]?["device"]?.text == stars }
        let kinds = ofForgotten.compactMap { $0["data"]?["kind"]?.text }
        #expect(kinds.count { $0 == "accepted" || $0 == "queued" } == 100)
        #expect(ofForgotten.contains { $0["data"]?["reason"]?.text == "unregistered" })
        let ids = Set(events.compactMap { $0["data"]?["id"]?.text })
        #expect(load.allSatisfy { ids.contains("n\($0)") })
        let tail = try broker.run("tail", "--once", "--from", "start", "--device", stars)
        #expect(tail.outputText.contains(stars) && !tail.outputText.contains(forgotten))
        let page = try Client(broker, to: broker.queries).read(#"{"after":3,"most":20}"#)
        #expect(page.events.allSatisfy { $0["data"]?["device"]?.text != forgotten })
        let again = try broker.run("forget", IntentLine.app, forgotten)
        #expect(again.ending == .status(1) && again.errorText.contains("nothing is kept"), "\(again.errorText)")
        #expect(try broker.stop() == .status(0))
        let check = try ration("check-data", "\(broker.folder.path)/data")
        #expect(check.ending == .status(0), "\(check.errorText)\(check.outputText)")
        let verify = try ration("log", "verify", "--data", "\(broker.folder.path)/data")
        #expect(verify.ending == .status(0), "\(verify.errorText)\(verify.outputText)")
    }

    @Test(
        "a broker that is killed meanwhile finishes it when it starts again",
        arguments: [20, 40, 60, 80, 100, 130, 160, 200, 250])
    func killed(milliseconds: Int) throws {
        let broker = try BrokerProcess()
        #expect(try broker.run("publish", "--batch", "20", input: lines(0..<2_000)).ending == .status(0))
        let events = try broker.events().count
        let client = try broker.start("forget", IntentLine.app, forgotten)
        usleep(UInt32(milliseconds * 1_000))
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        // Else it asks the next one.
        client.send(signal: SIGKILL)
        try client.wait()
        let next = try broker.again()
        // Begun or not: the log tells. The command may be repeated.
        let isBegun = try next.plan(device: forgotten).error == "unknown"
        if isBegun {
            let deadline = Deadline()
            while try !files(of: next, with: "secret-").isEmpty {
                try deadline.require("the texts are gone", #_sourceLocation)
                _ = try next.status()
            }
        } else {
            let forget = try next.run("forget", IntentLine.app, forgotten)
            #expect(forget.ending == .status(0), "\(forget.errorText)")
        }
        #expect(try files(of: next, with: "secret-") == [])
        #expect(try next.events().count >= events)
        #expect(try next.stop() == .status(0))
        let verify = try ration("log", "verify", "--data", "\(next.folder.path)/data")
        #expect(verify.ending == .status(0), "\(verify.errorText)\(verify.outputText)")
    }
}
