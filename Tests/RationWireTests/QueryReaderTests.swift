import RationModel
import RationWire
import Testing

@Suite("Bodies of queries")
struct QueryReaderTests {
    static func read<Result>(_ body: String, _ read: (inout QueryReader, UnsafeRawBufferPointer) throws -> Result)
        throws -> Result
    {
        var reader = QueryReader()
        return try Array(body.utf8).withUnsafeBytes { try read(&reader, $0) }
    }

    static func request(_ body: String) throws -> ReadRequest { try read(body) { try $0.read($1) } }

    @Test("A read with everything comes back as it was written")
    func roundTrip() throws {
        var request = ReadRequest()
        (request.log, request.after, request.most, request.mostBytes) = (
            "7f3a", UInt64(Int64.max), 10_000, 4 * 1024 * 1024
        )
        request.waitMilliseconds = 60_000
        request.filter.kinds = EventKind.allCases
        (request.filter.types, request.filter.apps) = (["habit", "é\""], ["a"])
        request.filter.devices = (0..<256).map { "d\($0)" }
        #expect(try Self.request(String(decoding: request.body, as: UTF8.self)) == request)
        #expect(try Self.request(String(decoding: ReadRequest().body, as: UTF8.self)) == ReadRequest())
    }

    @Test("Absent and null fields have their defaults")
    func defaults() throws {
        let all = #"{"log":null,"after":null,"kinds":null,"types":null,"apps":null,"devices":null,"most":null,"#
        for body in ["{}", all + #""mostBytes":null,"waitMs":null}"#] {
            let request = try Self.request(body)
            #expect(request == ReadRequest())
            #expect(
                request.after == 0 && request.most == 1000 && request.mostBytes == 1_048_576 && request.filter.isEmpty)
        }
    }

    @Test(
        "Numbers have ends",
        arguments: [
            ("after", 0, Int.max), ("most", 1, 10_000), ("mostBytes", 1, 4 * 1024 * 1024), ("waitMs", 0, 60_000),
        ])
    func numbers(name: String, least: Int, most: Int) throws {
        for value in ["\(least)", "\(most)"] {
            #expect(throws: Never.self) { try Self.request("{\"\(name)\":\(value)}") }
        }
        let above = most == .max ? "9223372036854775808" : "\(most + 1)"
        for value in ["\(least - 1)", above, "1.5", "\"1\"", "[]"] {
            let fault = #expect(throws: RequestFault.self) { try Self.request("{\"\(name)\":\(value)}") }
            #expect(fault?.code == .malformed)
        }
    }

    @Test(
        "What is refused",
        arguments: [
            "", " ", "[]", "null", "1", "{", #"{"After":1}"#, #"{"after":1,"after":1}"#, #"{"":1}"#,
            #"{"kinds":"due"}"#,
            #"{"kinds":["Due"]}"#, #"{"kinds":[""]}"#, #"{"kinds":[1]}"#, #"{"types":[null]}"#, #"{"types":{}}"#,
            #"{"apps":["a",1]}"#,
            #"{"devices":[["d"]]}"#, #"{"log":1}"#, #"{"log":["a"]}"#, "{\"apps\":[\"\u{0}\"]}",
            "{\"apps\":[" + Array(repeating: "\"a\"", count: 257).joined(separator: ",") + "]}",
        ])
    func refused(body: String) throws {
        let fault = #expect(throws: RequestFault.self) { try Self.request(body) }
        #expect(fault?.code == .malformed && fault?.message.isEmpty == false)
    }

    @Test("A plan needs app and device")
    func plan() throws {
        let plan = try Self.read(#"{"device":"d/1","app":"a"}"#) { try $0.plan($1) }
        #expect(plan.app == "a" && plan.device == "d/1")
        for body in [
            "{}", #"{"app":"a"}"#, #"{"device":"d"}"#, #"{"app":"a","device":null}"#, #"{"app":1,"device":"d"}"#,
            #"{"app":"a","device":"d","id":"n"}"#,
        ] {
            #expect(throws: RequestFault.self) { _ = try Self.read(body) { _ = try $0.plan($1) } }
        }
    }

    @Test("Hello names a publisher, or none")
    func hello() throws {
        let named = String(decoding: Hello.request(publisher: "p \"1\""), as: UTF8.self)
        for (body, name) in [(named, "p \"1\""), ("{}", ""), (#"{"publisher":null}"#, ""), (#"{"publisher":""}"#, "")] {
            #expect(try Self.read(body) { try $0.hello($1) } == name)
        }
        for body in ["", #"{"publisher":1}"#, #"{"name":"p"}"#, "[]"] {
            #expect(throws: RequestFault.self) { try Self.read(body) { try $0.hello($1) } }
        }
    }

    @Test("Status has an empty object or nothing")
    func status() throws {
        for body in ["", "{}", " { } "] { try Self.read(body) { try $0.status($1) } }
        for body in [" ", "[]", #"{"verbose":true}"#, "{}{}"] {
            #expect(throws: RequestFault.self) { try Self.read(body) { try $0.status($1) } }
        }
    }

    @Test("Of an unknown field no more than 64 bytes are told")
    func longField() {
        let fault = #expect(throws: RequestFault.self) {
            try Self.request("{\"\(String(repeating: "k", count: 70_000))\":1}")
        }
        #expect((fault?.message.utf8.count ?? 0) < 300)
    }
}
