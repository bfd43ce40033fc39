import Foundation
import TestProcesses
import Testing

@Suite("ration check-data")
struct CheckDataCommandTests {
    @Test("after kill -9 in the middle of work, what is kept is what was decided, and comes to the same again")
    func afterKill() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let hour = WallClock.milliseconds + 3_600_000
        for round in 0..<20 {
            let lines = (0..<50).map { number in
                number % 7 == 0
                    ? IntentLine.schedule("s\(number)", on: "d\(number % 5)", trigger: #"{"after":0.05}"#)
                    : IntentLine.schedule("n\(number)", on: "d\(number % 5)", at: hour + number + round * 1000)
            }
            _ = try client.publish(lines)
        }
        _ = try Client(broker, to: broker.queries).read(#"{"kinds":["due"],"waitMs":10000}"#)
        let data = "\(broker.folder.path)/data"
        let busy = try broker.run("check-data", data)
        #expect(busy.ending == .status(1) && busy.errorText.contains("another broker uses the data folder"))
        // Killed while more comes, until that leaves batches that are not yet in records: one that has nothing to do takes
        // all of them in.
        var (killed, round) = (broker, 0)
        while try decidedAgain(afterKilling: killed, round: round) == 0 {
            round += 1
            try #require(round < 20, "no kill leaves a batch that is not in records")
            killed = try killed.again()
        }
        let words = try broker.run("check-data", data)
        #expect(words.ending == .status(0))
        #expect(words.outputText.hasSuffix("all of it is what was decided\n"))
        #expect(try broker.run("check-data", "\(data)/none").errorText.contains("there is no store"))
    }

    /// Ends a broker in the middle of work, and checks what it leaves.
    /// - Returns: how many batches the check has decided again.
    private func decidedAgain(afterKilling broker: BrokerProcess, round: Int) throws -> Int {
        let client = try Client(broker, to: broker.intents)
        let first = WallClock.milliseconds + 7_200_000
        for number in 1...400 {
            let lines = (0..<5).map { IntentLine.schedule("m\($0)", on: "d\($0)", at: first + round * 1000 + number) }
            try client.send(Client.publish(lines, number: number))
        }
        for _ in 1...50 { _ = try client.receive() }
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        let check = try broker.run("check-data", "\(broker.folder.path)/data", "--json")
        #expect(check.ending == .status(0), "\(check.errorText)")
        let told = try JSON(check.outputText)
        #expect(told["sound"] == true)
        #expect(told["recipients"]?.integer == 5)
        return told["decidedAgain"]?.integer ?? 0
    }
}
