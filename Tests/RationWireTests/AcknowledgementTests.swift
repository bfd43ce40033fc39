import RationJSON
import RationModel
import RationWire
import Testing

@Suite("Acknowledgements")
struct AcknowledgementTests {
    static func body(
        _ outcomes: [Outcome], problems: [(index: Int, id: String, rejection: Rejection)] = [],
        warnings: (Int) -> Bool = { _ in false }
    ) -> [UInt8] {
        var ids = ByteArena()
        let ranges = problems.map { ids.append($0.id) }
        return ids.bytes.withUnsafeBytes { bytes in
            let told = zip(problems, ranges).map { problem, range in
                let id = UnsafeRawBufferPointer(rebasing: bytes[Int(range.offset)..<Int(range.offset + range.count)])
                return AcknowledgementWriter.Problem(
                    index: problem.index, id: id, rejection: problem.rejection, isWarning: warnings(problem.index))
            }
            return AcknowledgementWriter(log: "7f3a").body(
                batch: 77, now: Instant(milliseconds: 1_796_112_000_000), outcomes: outcomes[...], problems: told)
        }
    }

    static func read(_ body: [UInt8]) throws -> Acknowledgement {
        try body.withUnsafeBytes { try Acknowledgement(number: 41, body: $0) }
    }

    @Test("Byte for byte, with a count of each outcome")
    func bytes() {
        let outcomes: [Outcome] = [.held, .held, .queued, .rejected]
        let rejection = Rejection(.contentBadge, field: "content.badge", "expected \"1\"")
        let expected =
            #"{"log":"7f3a","batch":77,"now":"2026-12-01T08:00:00.000Z","held":2,"queued":1,"unchanged":0,"cancelled":0,"#
            + #""notFound":0,"done":0,"expired":0,"evicted":0,"rejected":1,"outcomes":"hhqr","problems":["#
            + #"{"index":3,"id":"n\"1","level":"error","code":"content.badge","field":"content.badge","#
            + #""message":"expected \"1\""}]}"#
        #expect(String(decoding: Self.body(outcomes, problems: [(3, "n\"1", rejection)]), as: UTF8.self) == expected)
    }

    @Test("A client reads what the broker writes")
    func roundTrip() throws {
        let outcomes = Outcome.allCases + [.held]
        let rejection = Rejection(.json, field: "", "é \n")
        let read = try Self.read(Self.body(outcomes, problems: [(8, "", rejection), (9, "n1", rejection)]))
        #expect(read.number == 41 && read.log == "7f3a" && read.batch == 77 && read.more == 0)
        #expect(read.now == Instant(milliseconds: 1_796_112_000_000))
        #expect(read.outcomes == "hqucnoxerh")
        #expect(read.count(.held) == 2 && Outcome.allCases.dropFirst().allSatisfy { read.count($0) == 1 })
        #expect(read.problems.map(\.index) == [8, 9] && read.problems.map(\.id) == [nil, "n1"])
        let first = try #require(read.problems.first)
        #expect(first.level == "error" && first.code == "json" && first.field == "" && first.message == "é \n")
    }

    @Test("A request without lines has an acknowledgement without letters")
    func empty() throws {
        let read = try Self.read(Self.body([]))
        #expect(read.outcomes == "" && read.problems == [] && read.more == 0)
    }

    @Test("Problems take at most 64 KiB; the first that does not fit and all after it are counted")
    func tooMany() throws {
        let rejection = Rejection(.device, field: "device", String(repeating: "m", count: 100))
        var problems = (0..<4096).map { (index: $0, id: "n\($0)", rejection: rejection) }
        problems[20].rejection.message = ""
        let body = Self.body(Array(repeating: .rejected, count: 4096), problems: problems)
        let read = try Self.read(body)
        #expect(read.more > 0 && read.problems.count + read.more == 4096)
        #expect(read.problems.map(\.index) == Array(0..<read.problems.count))
        let text = String(decoding: body, as: UTF8.self)
        let list =
            try #require(text.firstRange(of: #""problems":["#))
            .upperBound..<(try #require(text.firstRange(of: #"],"more":"#)).lowerBound)
        let bytes = text[list].utf8.count
        #expect(bytes <= 64 * 1024 && bytes > 64 * 1024 - 250)
    }

    @Test("A warning says so, beside the outcome of its line")
    func warning() throws {
        let rejection = Rejection(.contentCategory, field: "content.category", "m")
        let body = Self.body([.held, .rejected], problems: [(0, "a", rejection), (1, "b", rejection)]) { $0 == 0 }
        let read = try Self.read(body)
        #expect(read.problems.map(\.level) == ["warning", "error"])
        #expect(read.problems.map(\.code) == ["content.category", "content.category"])
        #expect(read.outcomes == "hr")
    }

    @Test("Warnings take at most 16 KiB, so that they leave room for errors")
    func manyWarnings() throws {
        let rejection = Rejection(.contentCategory, field: "content.category", String(repeating: "m", count: 100))
        let problems = (0..<4096).map { (index: $0, id: "n\($0)", rejection: rejection) }
        let read = try Self.read(
            Self.body(Array(repeating: .held, count: 4096), problems: problems) { $0 % 4090 != 4089 })
        let warnings = read.problems.filter { $0.level == "warning" }
        #expect(warnings.map(\.index) == Array(0..<warnings.count) && warnings.count > 70 && warnings.count < 90)
        #expect(read.problems.filter { $0.level == "error" }.map(\.index) == [4089])
        #expect(read.problems.count + read.more == 4096)
    }

    @Test("64 KiB of problems are told, one byte more is not")
    func edge() throws {
        func told(_ bytes: Int) throws -> Int {
            let frame = #"{"index":0,"level":"error","code":"id","field":"id","message":""}"#.utf8.count
            let message = String(repeating: "m", count: bytes - frame)
            return try Self.read(Self.body([.rejected], problems: [(0, "", Rejection(.id, field: "id", message))]))
                .problems.count
        }
        #expect(try told(64 * 1024) == 1)
        #expect(try told(64 * 1024 + 1) == 0)
    }

    @Test(
        "What is no acknowledgement is a fault, not a crash",
        arguments: [
            "", "{}", "[]", "nonsense", #"{"log":"a","batch":1,"now":"2026-12-01T08:00:00Z"}"#,
            #"{"log":"a","batch":-1,"now":0,"outcomes":""}"#, #"{"log":"a","batch":1,"now":"today","outcomes":""}"#,
            #"{"log":1,"batch":1,"now":0,"outcomes":""}"#, #"{"log":"a","batch":1,"now":0,"outcomes":"","more":-1}"#,
        ])
    func faults(body: String) {
        #expect(throws: AnswerFault.self) { try Self.read(Array(body.utf8)) }
    }
}
