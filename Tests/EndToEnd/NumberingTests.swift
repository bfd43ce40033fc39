import Glibc
import RationBus
import TestProcesses
import Testing

@Suite("Numbers of publishers")
struct NumberingTests {
    private let broker: BrokerProcess
    private let client: Client
    private let hour = WallClock.milliseconds + 3_600_000

    init() throws {
        broker = try BrokerProcess()
        client = try Client(broker, to: broker.intents)
    }

    private func line(_ id: String, on device: String = "d1") -> String {
        IntentLine.schedule(id, on: device, at: hour)
    }

    @Test("a request whose acknowledgement was lost gets the same one again, and is applied once")
    func lostAcknowledgement() throws {
        let lines = [line("a"), "broken", line("b")]
        do {
            let lost = try Client(broker, to: broker.intents)
            try lost.send(Client.publish(lines, number: 1, as: "habit"))
            _ = try lost.receive()
        }
        let again = try client.publish(lines, number: 1, as: "habit")
        let third = try client.publish(lines, number: 1, as: "habit")
        #expect(again.outcomes == "hrh")
        #expect(again.bytes == third.bytes)
        #expect(try broker.events().count == 2)
        #expect(try broker.status()["intents"] == 3)
        #expect(try broker.status()["repetitions"] == 2)
    }

    @Test("after a gap nothing is applied, and the number that is expected is told")
    func gap() throws {
        let first = try client.publish([line("a")], number: 2, as: "habit")
        #expect(first.error == "outOfOrder")
        #expect(first.body["expected"] == 1)
        #expect(try client.publish([line("a")], number: 1, as: "habit").outcomes == "h")
        let gap = try client.publish([line("b")], number: 3, as: "habit")
        #expect(gap.error == "outOfOrder")
        #expect(gap.body["expected"] == 2)
        #expect(try broker.events().count == 1)
        #expect(try client.publish([line("c")], number: 2, as: "habit").outcomes == "h")
        #expect(try client.publish([line("b")], number: 3, as: "habit").outcomes == "h")
    }

    @Test("a number with another body is refused, and its own acknowledgement stays")
    func reuse() throws {
        let first = try client.publish([line("a")], number: 1, as: "habit")
        #expect(try client.publish([line("b")], number: 1, as: "habit").error == "numberReused")
        #expect(try client.publish([line("a")], number: 1, as: "habit").bytes == first.bytes)
        #expect(try broker.events().count == 1)
    }

    @Test("the last 64 acknowledgements are kept; an earlier number is alreadyCommitted")
    func window() throws {
        let answers = try (1...66).map { try client.publish([line("n\($0)", on: "d\($0)")], number: $0, as: "habit") }
        #expect(answers.allSatisfy { $0.outcomes == "h" })
        for number in [1, 2] {
            let answer = try client.publish([line("n\(number)", on: "d\(number)")], number: number, as: "habit")
            #expect(answer.error == "alreadyCommitted")
        }
        for number in [3, 4, 66] {
            let answer = try client.publish([line("n\(number)", on: "d\(number)")], number: number, as: "habit")
            #expect(answer.bytes == answers[number - 1].bytes)
        }
        #expect(try client.hello("habit")["last"] == 66)
    }

    @Test("64 requests in flight are acknowledged in their order")
    func pipelined() throws {
        for number in 1...64 {
            try client.send(Client.publish([line("n\(number)", on: "d\(number)")], number: number, as: "habit"))
        }
        for number in 1...64 {
            let answer = try client.receive()
            #expect(answer.number == "\(number)")
            #expect(answer.outcomes == "h")
        }
        #expect(try broker.events().count == 64)
    }

    @Test("a number that comes twice in one batch is applied once and acknowledged twice with the same bytes")
    func twiceInOneBatch() throws {
        // The broker stands still until all three are on their way, so that it takes them together.
        try client.publish([line("warm", on: "other")], expecting: "h")
        broker.process.send(signal: SIGSTOP)
        for id in ["a", "a", "b"] { try client.send(Client.publish([line(id)], number: 1, as: "habit")) }
        broker.process.send(signal: SIGCONT)
        let answers = try (0..<3).map { _ in try client.receive() }
        #expect(answers.map(\.name) == ["ration/1 ack", "ration/1 ack", "ration/1 error"])
        #expect(answers[0].bytes == answers[1].bytes)
        #expect(answers[2].error == "numberReused")
        #expect(try broker.events().count == 2)
    }

    @Test("a request that is refused as a whole uses up its number, and its refusal is kept", arguments: [true, false])
    func wholeRefusal(tooManyLines: Bool) throws {
        let lines =
            tooManyLines
            ? (0..<4097).map { "\($0)" } : [line("a"), String(repeating: "x", count: 2_097_152)]
        let refused = try client.publish(lines, number: 1, as: "habit")
        #expect(refused.error == "tooLarge")
        let again = try client.publish(lines, number: 1, as: "habit")
        #expect(again.name == "ration/1 error")
        #expect(again.bytes == refused.bytes)
        #expect(try client.publish([line("a")], number: 1, as: "habit").error == "numberReused")
        #expect(try client.hello("habit")["last"] == 1)
        #expect(try broker.events().isEmpty)
        #expect(try client.publish([line("a")], number: 2, as: "habit").outcomes == "h")
    }

    @Test("4,096 lines and 2 MiB are taken")
    func largestRequest() throws {
        #expect(try client.publish(Array(repeating: "7", count: 4096)).outcomes.count == 4096)
        // Two line ends are sent with it.
        let filler = String(repeating: "x", count: 2_097_152 - line("a").utf8.count - 2)
        #expect(try client.publish([line("a"), filler]).outcomes == "hr")
    }

    @Test("without a publisher's name there is no duplicate detection")
    func nameless() throws {
        for number in [5, 5, 0, 9] {
            let answer = try client.publish([IntentLine.schedule("a", trigger: #"{"after":60}"#)], number: number)
            #expect(answer.outcomes == "h")
        }
        #expect(try broker.status()["intents"] == 4)
    }

    @Test("numbers of a named publisher start at 1")
    func zero() throws {
        #expect(try client.publish([line("a")], number: 0, as: "habit").error == "malformed")
        #expect(try client.hello("habit")["last"] == .null)
    }

    @Test("publishers do not share numbers")
    func separate() throws {
        #expect(try client.publish([line("a")], number: 1, as: "habit").outcomes == "h")
        #expect(try client.publish([line("b")], number: 1, as: "entry").outcomes == "h")
    }

    @Test("a client that starts again learns its last number by hello")
    func clientRestart() throws {
        for number in 1...3 {
            try client.send(Client.publish([line("n\(number)")], number: number, as: "habit"))
        }
        for _ in 1...3 { _ = try client.receive() }
        let restarted = try Client(broker, to: broker.intents)
        #expect(try restarted.hello("habit")["last"] == 3)
        #expect(try restarted.publish([line("n4")], number: 4, as: "habit").outcomes == "h")
    }

    @Test("a broker that comes back after kill -9 has its log, its numbers and its acknowledgements")
    func brokerRestart() throws {
        let first = try client.publish([line("a")], number: 1, as: "habit")
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        let again = try broker.again()
        #expect(again.log == broker.log)
        // The same connection, made anew by libzmq, finds it.
        #expect(try client.hello("habit")["last"] == 1)
        #expect(try client.publish([line("a")], number: 1, as: "habit").bytes == first.bytes)
        #expect(try client.publish([line("b")], number: 2, as: "habit").outcomes == "h")
        #expect(try again.events().compactMap(\.sequence) == [1, 2])
    }

    @Test("a broker on an empty data folder has another log and knows no numbers")
    func emptyFolder() throws {
        #expect(try client.publish([line("a")], number: 1, as: "habit").outcomes == "h")
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        try broker.removeStore()
        let again = try broker.again()
        #expect(again.log != broker.log)
        // The same connection, made anew by libzmq, finds it.
        #expect(try client.hello("habit")["last"] == .null)
        let answer = try client.publish([line("a")], number: 1, as: "habit")
        #expect(answer.outcomes == "h")
        #expect(answer.body["log"]?.text == again.log)
    }
}
