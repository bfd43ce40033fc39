import Glibc
import TestProcesses
import Testing

@Suite("ration publish")
struct PublishCommandTests {
    private let broker: BrokerProcess
    private let hour = WallClock.milliseconds + 3_600_000

    init() throws {
        broker = try BrokerProcess()
    }

    @Test("lines of files and of standard input go out in order; each acknowledgement is a line, then the total")
    func filesAndInput() throws {
        let first = try broker.folder.write(
            ndjson((0..<3).map { IntentLine.schedule("a\($0)", at: hour + $0) }), to: "1")
        let last = try broker.folder.write(IntentLine.cancel("old"), to: "2")
        let input = ndjson([IntentLine.schedule("b", at: hour + 3), IntentLine.cancel("nothing")])
        try Client(broker, to: broker.intents).publish([IntentLine.schedule("old", at: hour)], expecting: "h")
        let process = try broker.run("publish", first, "-", last, input: input)
        #expect(process.ending == .status(0), "\(process.errorText)")
        #expect(process.errors.isEmpty)
        let lines = process.outputLines
        try #require(lines.count == 4, "\(lines)")
        #expect(lines[0].wholeMatch(of: /1  batch \d+: 3 held/) != nil, "\(lines)")
        #expect(lines[1].wholeMatch(of: /2  batch \d+: 1 held, 1 not found/) != nil, "\(lines)")
        #expect(lines[2].wholeMatch(of: /3  batch \d+: 1 cancelled/) != nil, "\(lines)")
        #expect(lines[3] == "3 requests: 4 held, 1 cancelled, 1 not found")
        #expect(try broker.plan().body["held"]?.list?.map { $0["id"] } == ["a0", "a1", "a2", "b"])
    }

    @Test("whoever reads the acknowledgements may go: everything is published all the same")
    func closedOutput() throws {
        let lines = (0..<500).map { IntentLine.schedule("n\($0)", at: hour + $0) }
        let file = try broker.folder.write(ndjson(lines), to: "many")
        let script = #""$0" publish --batch 1 --intents "$1" "$2" | head -n 1"#
        let pipeline = try ChildProcess("/bin/sh", ["-c", script, Executables.ration(), broker.intents, file])
        try pipeline.wait()
        #expect(pipeline.outputLines.count == 1, "\(pipeline.errorText)")
        #expect(try broker.status()["intents"] == 500)
    }

    @Test("a request holds at most --batch lines")
    func batch() throws {
        let lines = (0..<10).map { IntentLine.schedule("n\($0)", at: hour) }
        let process = try broker.run("publish", "--batch", "4", "--json", input: ndjson(lines))
        #expect(try JSON.lines(process.output).map { $0["outcomes"] } == ["hhhh", "hhhh", "hh"])
    }

    @Test("a rejected line is told with its place, id, code and field; those beside it count; the status is 1")
    func rejected() throws {
        let lines = [
            IntentLine.schedule("good", at: hour), "", "{",
            IntentLine.schedule("often", trigger: #"{"every":5}"#), IntentLine.cancel("none"),
        ]
        let file = try broker.folder.write(ndjson(lines), to: "intents.ndjson")
        for (place, process) in [
            ("standard input", try broker.run("publish", input: ndjson(lines))),
            (file, try broker.run("publish", "--quiet", file)),
        ] {
            #expect(process.ending == .status(1))
            let problems = process.errorText.split(separator: "\n")
            try #require(problems.count == 2, "\(process.errorText)")
            #expect(problems[0].hasPrefix("\(place):3: json: "), "\(problems[0])")
            #expect(problems[1].hasPrefix("\(place):4: often: trigger.interval at trigger.every: "), "\(problems[1])")
        }
        #expect(try broker.status()["outcomes"]?["rejected"] == 4)
        #expect(try broker.plan().body["held"]?.list?.map { $0["id"] } == ["good"])
    }

    @Test("--quiet prints problems only")
    func quiet() throws {
        let process = try broker.run("publish", "--quiet", input: IntentLine.schedule("a", at: hour))
        #expect(process.ending == .status(0))
        #expect(process.output.isEmpty && process.errors.isEmpty)
    }

    @Test("--json prints each acknowledgement as the broker wrote it")
    func json() throws {
        let lines = [IntentLine.schedule("a", at: hour), "{"]
        let process = try broker.run("publish", "--json", "--publisher", "p", input: ndjson(lines))
        #expect(process.ending == .status(1))
        // The same request again gets the acknowledgement that is kept.
        let kept = try Client(broker, to: broker.intents).publish(lines, number: 1, as: "p")
        #expect(process.output == kept.bytes + [0x0A])
        #expect(kept.outcomes == "hr")
    }

    @Test("a line that no request can hold is told with its place, and the others go out")
    func tooLong() throws {
        let lines = [IntentLine.schedule("a", at: hour), String(repeating: "x", count: 2 << 20)]
        let file = try broker.folder.write(ndjson(lines + [IntentLine.cancel("b")]), to: "intents.ndjson")
        let process = try broker.run("publish", file)
        #expect(process.ending == .status(1))
        #expect(process.errorText.contains("\(file):2: tooLarge: "), "\(process.errorText.prefix(500))")
        #expect(process.outputText.contains("1 held, 1 not found"), "\(process.outputText)")
    }

    @Test("a file that is not there is told by its name, status 1")
    func missingFile() throws {
        let process = try broker.run("publish", "\(broker.folder.path)/none.ndjson")
        #expect(process.ending == .status(1))
        #expect(process.errorText.contains("none.ndjson"), "\(process.errorText)")
    }

    @Test("a live pipe is not delayed: what is there is sent and told while more is to come, also behind half a line")
    func livePipe() throws {
        let process = try broker.start("publish", input: nil)
        let begin = Monotonic.milliseconds
        for number in 1...10 {
            try process.waitUntilItWaits()
            process.write(IntentLine.schedule("n\(number)", at: hour) + "\n")
            #expect(try process.nextLine()?.hasPrefix("\(number)  batch") == true)
        }
        #expect(Monotonic.milliseconds - begin < 5_000, "ten turns")
        let last = IntentLine.schedule("last", at: hour)
        // The answer comes when half a line has been read already.
        broker.process.send(signal: SIGSTOP)
        for text in [IntentLine.cancel("n1") + "\n", String(last.prefix(20))] {
            process.write(text)
            try process.waitUntilRead()
        }
        broker.process.send(signal: SIGCONT)
        #expect(try process.nextLine()?.hasSuffix(": 1 cancelled") == true)
        process.write(String(last.dropFirst(20)))
        process.closeInput()
        #expect(try process.wait() == .status(0), "\(process.errorText)")
        #expect(process.outputLines.last == "12 requests: 11 held, 1 cancelled")
    }
}
