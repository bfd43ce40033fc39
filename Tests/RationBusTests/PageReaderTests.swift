import RationBus
import RationJSON
import RationWire
import Testing

/// A reader and a broker with a log of numbers, all in the test's thread.
private final class Reading {
    let broker: FakeBroker
    let reader: PageReader
    let clock = ManualClock()
    var log = "log-1"
    var first = 1
    var last = 0
    /// Whether reads are answered.
    var answers = true
    /// The `after` of each read.
    private(set) var asked: [Int] = []

    init(pageEvents: Int = 10) throws {
        let context = try Context()
        broker = try FakeBroker(in: context)
        var options = PageReader.Options()
        options.pageEvents = pageEvents
        options.queries.deadlineMilliseconds = 1_000_000
        reader = PageReader(
            queries: broker.endpoint, in: context, options: options, clock: clock, random: ZeroRandom())
    }

    func serve() throws {
        try broker.receive()
        while answers, let request = broker.take() {
            var parser = JSONParser()
            let body = try parser.parse(bytes(request.body))
            let after = Int(body["after"]?.integer ?? 0)
            asked.append(after)
            guard body["log"].map({ $0.text == log }) ?? true, after <= last else {
                try broker.refuse(request, RequestFault(.cursorAhead, "ahead"))
                continue
            }
            let next = min(last, max(after, first - 1) + Int(body["most"]?.integer ?? 0))
            let events = (max(after, first - 1)..<next).map { "\($0 + 1)\n" }.joined()
            let answer = ReadAnswer(log: log, first: UInt64(first), last: UInt64(last), next: UInt64(next))
            try broker.answer(
                request, "ration/1 read", String(decoding: answer.body, as: UTF8.self), events)
        }
    }

    func turn() throws -> PageReader.Item? {
        defer { _ = try? serve() }
        return try reader.next(timeoutMilliseconds: 2)
    }

    /// Serves until there is an item.
    func next(_ location: SourceLocation = #_sourceLocation) throws -> PageReader.Item {
        var item: PageReader.Item?
        try waitUntil("an item", location) {
            item = try turn()
            return item != nil
        }
        return try #require(item)
    }

    func events(_ location: SourceLocation = #_sourceLocation) throws -> String {
        guard case .page(let page) = try next(location) else { return "no page" }
        return String(decoding: page.events, as: UTF8.self)
    }
}

@Suite("Reading pages of the log")
struct PageReaderTests {
    @Test("pages come one behind the other, from where it is told")
    func pages() throws {
        let reading = try Reading(pageEvents: 2)
        reading.last = 5
        reading.reader.seek(log: "log-1", after: 1)
        #expect(try reading.events() == "2\n3\n")
        #expect(try reading.events() == "4\n5\n")
        reading.reader.seek(log: nil, after: 0)
        // What was asked before does not come any more.
        #expect(try reading.events() == "1\n2\n")
    }

    @Test("the next page is asked for before the last one is used")
    func ahead() throws {
        let reading = try Reading(pageEvents: 2)
        reading.last = 6
        reading.reader.seek(log: nil, after: 0)
        #expect(try reading.events() == "1\n2\n")
        try waitUntil("the second read") {
            try reading.serve()
            return reading.asked == [0, 2]
        }
    }

    @Test("a position of another log tells which log there is, and goes on where it is told")
    func otherLog() throws {
        let reading = try Reading()
        (reading.log, reading.first, reading.last) = ("log-2", 3, 4)
        reading.reader.seek(log: "log-1", after: 9)
        #expect(try reading.next() == .otherLog(ReadAnswer(log: "log-2", first: 3, last: 4, next: 3)))
        reading.reader.seek(log: "log-2", after: 0)
        #expect(try reading.events() == "3\n4\n")
    }

    @Test("a position past the end of its own log is told as that")
    func pastEnd() throws {
        let reading = try Reading()
        reading.last = 4
        reading.reader.seek(log: "log-1", after: 9)
        guard case .pastEnd(let answer) = try reading.next() else {
            Issue.record("expected the end")
            return
        }
        #expect(answer.log == "log-1" && answer.last == 4)
    }

    @Test("a broker that does not answer is away, and back with its next page")
    func away() throws {
        let reading = try Reading()
        reading.last = 1
        reading.answers = false
        reading.reader.seek(log: nil, after: 0)
        for _ in 0..<5 { #expect(try reading.turn() == nil) }
        reading.clock.advance(6_000)
        #expect(try reading.next() == .brokerAway)
        #expect(try reading.turn() == nil)
        reading.answers = true
        #expect(try reading.next() == .brokerBack)
        #expect(try reading.events() == "1\n")
    }
}
