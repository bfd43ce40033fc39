import RationModel
import RationWire
import Testing

@Suite("Hello, read and error: what one side writes, the other reads")
struct AnswerTests {
    static func bytes<Result>(_ body: [UInt8], _ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body.withUnsafeBytes(read)
    }

    @Test("Hello, with a number and without", arguments: [nil, 0, 41, UInt64(Int64.max)])
    func hello(last: UInt64?) throws {
        let hello = Hello(log: "7f\"3a", last: last, window: 64, server: "ration 0.1")
        #expect(try Self.bytes(hello.body) { try Hello(body: $0) } == hello)
    }

    @Test("Hello's answer, byte for byte")
    func helloBytes() {
        let body = Hello(log: "7f3a", last: nil, window: 64, server: "r").body
        let expected =
            #"{"versions":[1],"log":"7f3a","limits":{"lines":4096,"bytes":2097152},"last":null,"window":64,"server":"r"}"#
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test(
        "What is no hello is a fault",
        arguments: [
            "", "{}", "null", #"{"log":"a"}"#, #"{"log":"a","window":"64"}"#, #"{"log":"a","window":64,"last":"x"}"#,
        ])
    func helloFaults(body: String) {
        #expect(throws: AnswerFault.self) { try Self.bytes(Array(body.utf8)) { try Hello(body: $0) } }
    }

    @Test("The answer to a read")
    func readAnswer() throws {
        let answer = ReadAnswer(log: "7f3a", first: 1, last: UInt64(Int64.max), next: 0)
        #expect(try Self.bytes(answer.body) { try ReadAnswer(body: $0) } == answer)
        for body in ["{}", #"{"log":"a","first":1,"last":2}"#, #"{"log":"a","first":1.5,"last":2,"next":2}"#] {
            #expect(throws: AnswerFault.self) { try Self.bytes(Array(body.utf8)) { try ReadAnswer(body: $0) } }
        }
    }

    @Test("Every error, with what is expected where it is told", arguments: RequestFault.Code.allCases)
    func errors(code: RequestFault.Code) throws {
        for expected in [nil, UInt64(7)] {
            let fault = RequestFault(code, "a \"message\"", expected: expected)
            #expect(try Self.bytes(fault.body) { try RequestFault(body: $0) } == fault)
        }
        #expect(RequestFault(code, "").isTemporary == [.busy, .full, .stopping].contains(code))
    }

    @Test(
        "An error that this client does not know is a fault",
        arguments: ["{}", #"{"code":"later"}"#, #"{"code":1}"#, "busy"])
    func unknownErrors(body: String) {
        #expect(throws: AnswerFault.self) { try Self.bytes(Array(body.utf8)) { try RequestFault(body: $0) } }
    }

    @Test("The names of requests are those of wire.md")
    func names() {
        #expect(
            RequestName.allCases.map(\.frame)
                == [
                    "hello", "publish", "read", "log", "plan", "snapshot", "explain", "status", "policy", "clock",
                    "backup", "stop", "devices", "forget", "holding",
                ].map {
                    "ration/1 \($0)"
                })
        #expect(
            "\(Frame.versionPrefix)ack" == "\(Frame.acknowledgement)"
                && "\(Frame.versionPrefix)error" == "\(Frame.error)")
    }
}
