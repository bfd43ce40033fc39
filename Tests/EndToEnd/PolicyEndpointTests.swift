import Glibc
import TestProcesses
import Testing

@Suite("The admin endpoint")
struct PolicyEndpointTests {
    private let broker: BrokerProcess

    init() throws {
        broker = try BrokerProcess()
    }

    @Test("it is a Unix socket in the data folder, its owner's alone")
    func mode() throws {
        #expect(broker.admin == "ipc://\(broker.folder.path)/data/admin")
        var status = stat()
        #expect(stat("\(broker.folder.path)/data/admin", &status) == 0)
        #expect(Int(status.st_mode) & 0o777 == 0o600)
    }

    @Test("replace is answered after its commit: the revision shows in read and status")
    func replace() throws {
        let answer = try broker.replacePolicy(by: #"{"slots":2}"#)
        #expect(answer.names == ["revision", "at", "sequence", "batch", "source", "changed", "backlog", "warnings"])
        #expect(answer["revision"] == 2)
        #expect(answer["changed"] == true)
        #expect(try broker.policyRevision() == 2)
        let read = try broker.askPolicy(#"{"do":"read"}"#).body
        #expect(
            read.names == ["revision", "at", "sequence", "batch", "source", "tzRelease", "backlog", "policy"])
        #expect(read["policy"]?["slots"] == 2)
        #expect(read["at"] == answer["at"])
        #expect(read["source"] == "the admin endpoint")
        let same = try broker.replacePolicy(by: #"{"slots":2,"grace":"60m"}"#)
        #expect(same["changed"] == false)
        #expect(same["revision"] == 2)
    }

    @Test("faults come with path, and with line and column where the document is a text; nothing changes")
    func faults() throws {
        let text = try broker.askPolicy(#"{"do":"replace","file":"f","text":"slots: 1\ngrace: x\n"}"#)
        #expect(text.error == "invalidPolicy")
        #expect(text.body["faults"]?.list?.first?["line"] == 2)
        #expect(text.body["faults"]?.list?.first?["column"] == 8)
        #expect(text.body["faults"]?.list?.first?["path"] == "grace")
        let object = try broker.askPolicy(#"{"do":"replace","policy":{"slots":1,"grace":"x"}}"#)
        #expect(object.error == "invalidPolicy")
        #expect(object.body["faults"]?.list?.first?["path"] == "grace")
        #expect(object.body["faults"]?.list?.first?.names == ["path", "message"])
        let valid = try broker.askPolicy(#"{"do":"validate","policy":{"slots":1,"grace":"x"}}"#)
        #expect(valid.body["valid"] == false)
        #expect(valid.body["faults"] == object.body["faults"])
        #expect(try broker.policyRevision() == 1)
    }

    @Test("each request is answered on its own endpoint only; status on the admin endpoint, too")
    func elsewhere() throws {
        for endpoint in [broker.intents, broker.queries] {
            let answer = try Client(broker, to: endpoint).ask("policy", #"{"do":"read"}"#)
            #expect(answer.error == "unknown")
            #expect(answer.body["message"]?.text?.contains("admin endpoint") == true)
        }
        let admin = try Client(broker, to: broker.admin)
        for name in ["hello", "read", "plan"] { #expect(try admin.ask(name, "{}").error == "unknown") }
        #expect(try admin.ask("status", "").body["policyRevision"] == 1)
    }

    @Test("the last 16 revisions are kept")
    func kept() throws {
        for slots in 1...17 { _ = try broker.replacePolicy(by: "{\"slots\":\(slots)}") }
        #expect(try broker.askPolicy(#"{"do":"read"}"#).body["revision"] == 18)
        #expect(try broker.askPolicy(#"{"do":"read","revision":3}"#).body["policy"]?["slots"] == 2)
        #expect(try broker.askPolicy(#"{"do":"read","revision":2}"#).error == "unknown")
    }

    @Test("a policy of 10,000 types is taken")
    func large() throws {
        let types = (0..<10_000).map { #""type-\#($0)":{"priority":\#($0),"prefix":["com.example.\#($0)."]}"# }
        let answer = try broker.replacePolicy(by: "{\"types\":{\(types.joined(separator: ","))}}")
        #expect(answer["revision"] == 2)
        let line = IntentLine.schedule("com.example.77.x", at: WallClock.milliseconds + 3_600_000)
        try Client(broker, to: broker.intents).publish([line], expecting: "h")
        #expect(try broker.plan().body["held"]?.list?.first?["type"] == "type-77")
    }

    private static let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    private static let megabytes = String(repeating: "x", count: 2 << 20)

    @Test(
        "what is not the protocol costs its sender an error, and nobody else anything",
        arguments: [
            (["ration/1 policy"], "malformed"),
            (["ration/1 policy", "1"], "malformed"),
            (["ration/1 policy", "1", "{}", ""], "malformed"),
            (["ration/1 policy", "x", "{}"], "malformed"),
            (["ration/2 policy", "1", "{}"], "version"),
            (["ration/1 dance", "1", "{}"], "unknown"),
            (["ration/1 publish", "", "1", "{}"], "unknown"),
            (["garbage", "", "garbage"], "malformed"),
            (Array(repeating: "", count: 10_000), "malformed"),
            (["ration/1 policy", "1", ""], "malformed"),
            (["ration/1 policy", "1", "\u{0}"], "malformed"),
            (["ration/1 policy", "1", "[]"], "malformed"),
            (["ration/1 policy", "1", "{}"], "malformed"),
            (["ration/1 policy", "1", #"{"do":1}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"drop"}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"read","policy":{}}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"read","revision":-1}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace"}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","policy":{},"text":""}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","policy":[]}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","text":{}}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","policy":{},"revision":1}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","polcy":{}}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","policy":{},"file":""}"#], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","text":""}"#], "invalidPolicy"),
            (["ration/1 policy", "1", #"{"do":"replace","text":"slots: [\#(deep)]"}"#], "invalidPolicy"),
            (["ration/1 policy", "1", #"{"do":"replace","policy":{"types":\#(deep)}}"#], "malformed"),
            (["ration/1 policy", "1", megabytes], "malformed"),
            (["ration/1 policy", "1", #"{"do":"replace","text":"\#(megabytes)"}"#], "invalidPolicy"),
        ] as [([String], String)])
    func hostile(_ frames: [String], _ error: String) throws {
        let client = try Client(broker, to: broker.admin)
        try client.send(frames)
        let answer = try client.receive()
        let found = answer.frames.lastIndex(of: Array("ration/1 error".utf8))
        #expect(found.map { Answer(frames: answer.frames, envelope: $0).error } == error, "\(answer.text.prefix(300))")
        #expect(try client.ask("status", "{}").name == "ration/1 status")
        try broker.proveThatItServes()
        #expect(try broker.policyRevision() == 1)
    }

    @Test("a message over 8 MiB costs its sender the connection, and nobody else anything")
    func oversized() throws {
        let client = try Client(broker, to: broker.admin)
        let body = [UInt8](repeating: 0x78, count: (8 << 20) + 1)
        try client.send([Array("ration/1 policy".utf8), Array("1".utf8), body])
        #expect(try Client(broker, to: broker.admin).ask("status", "{}").name == "ration/1 status")
        try broker.proveThatItServes()
        #expect(try broker.policyRevision() == 1)
        #expect(try broker.stop() == .status(0))
    }
}
