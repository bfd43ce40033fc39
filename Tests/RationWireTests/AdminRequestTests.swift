import RationWire
import Testing

@Suite("Bodies of policy requests")
struct AdminRequestTests {
    static func request(_ body: [UInt8]) throws -> PolicyRequest {
        var reader = QueryReader(maximumValues: QueryReader.policyValues)
        return try body.withUnsafeBytes { try reader.policy($0) }
    }

    static func request(_ body: String) throws -> PolicyRequest { try request(Array(body.utf8)) }

    @Test(
        "Each request comes back as it was written",
        arguments: [
            .read(revision: nil), .read(revision: 7),
            .validate(PolicyDocument(text: Array("slots: 1\n\"é\"".utf8), file: nil)),
            .replace(PolicyDocument(text: [], file: "a \"b\"\n")),
        ] as [PolicyRequest])
    func roundTrip(_ request: PolicyRequest) throws {
        #expect(try Self.request(request.body) == request)
    }

    @Test("A policy may be an object of the request: it has no lines then")
    func object() throws {
        let document = PolicyDocument(text: Array(#"{"a":[1],"slots":2}"#.utf8), file: "f", hasLines: false)
        let body = #"{"policy":{"slots":2,"a":[1]},"do":"replace","file":"f","text":null,"revision":null}"#
        #expect(try Self.request(body) == .replace(document))
    }

    @Test("The name of a file has 1 to 1,024 bytes", arguments: [(0, false), (1, true), (1024, true), (1025, false)])
    func fileName(bytes: Int, isTaken: Bool) {
        let name = String(repeating: "f", count: bytes)
        let result = Result { try Self.request("{\"do\":\"validate\",\"policy\":{},\"file\":\"\(name)\"}") }
        #expect(((try? result.get()) != nil) == isTaken)
    }

    @Test(
        "What is refused",
        arguments: [
            "", "[]", "{}", #"{"do":"reed"}"#, #"{"do":null}"#, #"{"do":"read","text":""}"#,
            #"{"do":"read","policy":{}}"#, #"{"do":"read","file":"f"}"#, #"{"do":"read","revision":-1}"#,
            #"{"do":"read","revision":"1"}"#, #"{"do":"validate"}"#, #"{"do":"validate","policy":{},"text":""}"#,
            #"{"do":"validate","policy":"slots: 1"}"#, #"{"do":"validate","text":{}}"#,
            #"{"do":"replace","policy":{},"revision":1}"#, #"{"do":"replace","policies":{}}"#,
        ])
    func refused(_ body: String) {
        let fault = #expect(throws: RequestFault.self) { try Self.request(body) }
        #expect(fault?.code == .malformed)
    }

    @Test("An error tells all faults, each with its line if it has one, and is read back")
    func faults() throws {
        let fault = RequestFault(
            .invalidPolicy, "2 faults",
            faults: [
                DocumentProblem(line: 3, column: 5, path: "types.a", message: "x"),
                DocumentProblem(path: "", message: "\"y\""),
            ])
        let text =
            #"{"code":"invalidPolicy","message":"2 faults","faults":[{"line":3,"column":5,"path":"types.a","#
            + #""message":"x"},{"path":"","message":"\"y\""}]}"#
        #expect(String(decoding: fault.body, as: UTF8.self) == text)
        #expect(try fault.body.withUnsafeBytes { try RequestFault(body: $0) } == fault)
    }
}
