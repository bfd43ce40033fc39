import Glibc
import RationConfiguration
import RationModel
import Testing

@Suite("A configuration's text becomes what the broker is told")
struct ConfigurationTests {
    @Test("an empty mapping gives the defaults of the wire's contract")
    func defaults() throws {
        let broker = try configuration("{}").broker
        #expect(broker == BrokerConfiguration())
        #expect(broker.intents.text == "tcp://127.0.0.1:7464")
        #expect(broker.events.text == "tcp://127.0.0.1:7465")
        #expect(broker.queries.text == "tcp://127.0.0.1:7466")
        #expect(broker.http?.description == "127.0.0.1:7467")
        #expect(broker.data == "ration-data")
        #expect(broker.retentionBytes == 1 << 30)
        #expect(broker.policySource == .standard)
    }

    @Test("every default that the help tells is the one that holds")
    func defaultTexts() throws {
        // The defaults of these are told in words.
        for key in BrokerConfiguration.keys where !["policy", "categories", "admin"].contains(key.name) {
            // A size without a unit is a number.
            let isNumber = key.form == .size && Int(key.defaultText) != nil
            let text = isNumber ? key.defaultText : "\"\(key.defaultText)\""
            let read = try configuration("{\"broker\":{\"\(key.name)\":\(text)}}")
            #expect(read.broker == BrokerConfiguration(), "\(key.name)")
        }
    }

    @Test("policies are administered in the data folder unless a Unix socket is named; its path has an end")
    func admin() throws {
        #expect(try configuration("broker: {data: /d}").broker.adminEndpoint().text == "ipc:///d/admin")
        #expect(try configuration("broker: {admin: 'ipc:///x'}").broker.adminEndpoint().text == "ipc:///x")
        #expect(throws: ConfigurationFaults.self) { try configuration("broker: {admin: 'tcp://127.0.0.1:1'}") }
        for (bytes, fits) in [(101, true), (102, false)] {
            let folder = String(repeating: "f", count: bytes)
            var broker = BrokerConfiguration()
            broker.data = folder
            let result = Result { try broker.adminEndpoint() }
            #expect(((try? result.get()) != nil) == fits)
        }
    }

    @Test("every key is taken, and the policy's file is found beside the configuration")
    func everyKey() throws {
        let text = """
            broker:
              data: /var/lib/ration
              policy: policies/a.yaml
              intents: ipc:///run/ration/intents
              events: tcp://localhost:0
              queries: tcp://127.0.0.2:*
              http: off
              retentionBytes: 2GiB
            """
        let broker = try Configuration.read(
            text: Array(text.utf8), file: "etc/ration.yaml", orders: orders, zones: FewZones()
        ).broker
        #expect(broker.data == "/var/lib/ration")
        #expect(broker.policySource == .file("etc/policies/a.yaml"))
        #expect(broker.intents.text == "ipc:///run/ration/intents")
        #expect(broker.events.text == "tcp://localhost:0")
        #expect(broker.queries.text == "tcp://127.0.0.2:*")
        #expect(broker.http == nil)
        #expect(broker.retentionBytes == 2 << 30)
    }

    @Test(
        "a policy may stand in the file, under either name",
        arguments: ["policy: {slots: 5}", "broker: {policy: {slots: 5}}"])
    func inlinePolicy(text: String) throws {
        let broker = try configuration(text).broker
        #expect(broker.policySource == .inline)
        #expect(broker.policy.slots == 5)
    }

    @Test(
        "faults are told with place, path, what was expected and what was found",
        arguments: [
            BadDocument("brocker: {}", "c:1:1: brocker: unknown key 'brocker', did you mean 'broker'?"),
            BadDocument(
                "x: {}", "c:1:1: x: unknown key 'x', expected one of broker, policy, schedulers, subscribers, processes"
            ),
            BadDocument(
                "broker:\n  intnets: 5", "c:2:3: broker.intnets: unknown key 'intnets', did you mean 'intents'?"),
            BadDocument(
                "broker:\n  intents: 7464", "c:2:12: broker.intents: expected a text, found the number 7464"),
            BadDocument(
                "broker:\n  intents: udp://127.0.0.1:1",
                "c:2:12: broker.intents: expected tcp://ADDRESS:PORT or ipc://PATH, found 'udp://127.0.0.1:1'"),
            BadDocument(
                "broker:\n  intents: tcp://127.0.0.1:65536",
                "c:2:12: broker.intents: expected a port from 0 to 65535 or *, found '65536'"),
            BadDocument(
                "broker:\n  intents: tcp://0.0.0.0:7464",
                "c:2:12: broker.intents: expected a loopback address such as 127.0.0.1 (connections are not encrypted "
                    + "yet; other machines cannot be served), found '0.0.0.0'"),
            BadDocument(
                "broker:\n  events: tcp://*:*",
                "c:2:11: broker.events: expected a loopback address such as 127.0.0.1 (connections are not encrypted "
                    + "yet; other machines cannot be served), found '*'"),
            BadDocument(
                "broker:\n  http: example.org:80",
                "c:2:9: broker.http: expected an IPv4 address such as 127.0.0.1, found 'example.org'"),
            BadDocument(
                "broker: {retentionBytes: 1048575}",
                "c:1:26: broker.retentionBytes: expected a size from 1MiB to 16384GiB, found '1048575'"),
            BadDocument(
                "broker: {retentionBytes: 16385GiB}",
                "c:1:26: broker.retentionBytes: expected a size from 1MiB to 16384GiB, found '16385GiB'"),
            BadDocument(
                "broker: {retentionBytes: '2000000'}",
                "c:1:26: broker.retentionBytes: expected a whole number of bytes, or one with KiB, MiB or GiB, found "
                    + "the text '2000000'"),
            BadDocument("broker: {data: ''}", "c:1:16: broker.data: expected a folder, found an empty text"),
            BadDocument(
                "broker: {policy: 5}",
                "c:1:18: broker.policy: expected a file's path or a mapping, found the number 5"),
            BadDocument(
                "broker: {policy: a.yaml}\npolicy: {}",
                "c:2:1: policy: expected one policy, found another under broker.policy"),
            BadDocument(
                "broker:\n  policy:\n    types:\n      habit: {priority: x}\npolicy:\n  slots: -1",
                "c:4:25: broker.policy.types.habit.priority: expected a whole number, found the text 'x'",
                "c:5:1: policy: expected one policy, found another under broker.policy"),
            BadDocument(
                "broker: 1\npolicy:\n  types:\n    habit: {priority: -1}",
                "c:1:9: broker: expected a mapping, found the number 1",
                "c:4:23: policy.types.habit.priority: expected a whole number from 0 to 1000000, found -1"),
        ])
    func faultsOfText(document: BadDocument) {
        #expect(faults(ofConfiguration: document.text) == document.faults)
    }

    @Test("a Unix socket's path has at most 107 bytes", arguments: [(1, true), (107, true), (108, false), (0, false)])
    func pathLength(length: Int, isTaken: Bool) {
        let path = String(repeating: "p", count: length)
        #expect(((try? Endpoint("ipc://\(path)")) != nil) == isTaken)
    }

    @Test("ports are whole numbers from 0 to 65535", arguments: ["0", "65535", "65536", "-1", "+1", "", "1x", "٣"])
    func ports(text: String) {
        let isTaken = ["0", "65535"].contains(text)
        #expect(((try? Endpoint("tcp://127.0.0.1:\(text)")) != nil) == isTaken)
        #expect(((try? HTTPAddress("0.0.0.0:\(text)")) != nil) == isTaken)
    }

    @Test(
        "only four numbers from 127 on are loopback",
        arguments: [
            "127.0.0.1", "127.255.255.255", "localhost", "128.0.0.1", "127.0.0", "127.0.0.256", "127.0.0.01", "[::1]",
            "",
        ])
    func loopback(host: String) {
        let isTaken = ["127.0.0.1", "127.255.255.255", "localhost"].contains(host)
        #expect(((try? Endpoint("tcp://\(host):1")) != nil) == isTaken)
    }
}

@Suite("Files of configuration")
struct ConfigurationFileTests {
    /// A folder of its own that goes with the value.
    final class Folder {
        let path: String

        init() {
            var template = Array("/tmp/ration-configuration-XXXXXX".utf8CString)
            path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        }

        deinit {
            for name in ["c.yaml", "p.yaml", "q.yaml"] { unlink("\(path)/\(name)") }
            rmdir(path)
        }

        func write(_ name: String, _ text: String) {
            let file = fopen("\(path)/\(name)", "w")
            fputs(text, file)
            fclose(file)
        }
    }

    private func read(
        _ file: String?, _ overrides: [String: String] = [:]
    ) throws(ConfigurationFaults) -> BrokerConfiguration {
        try Configuration.read(file: file, overrides: overrides, orders: orders, zones: FewZones()).broker
    }

    @Test("paths start at the configuration's folder; an option wins over the file")
    func overrides() throws {
        let folder = Folder()
        folder.write("c.yaml", "broker: {policy: p.yaml, data: d, http: off}")
        folder.write("p.yaml", "slots: 7")
        folder.write("q.yaml", "slots: 8")
        let plain = try read("\(folder.path)/c.yaml")
        #expect(plain.policy.slots == 7)
        #expect(plain.policySource == .file("\(folder.path)/p.yaml"))
        #expect(plain.data == "\(folder.path)/d")
        let overridden = try read(
            "\(folder.path)/c.yaml", ["policy": "\(folder.path)/q.yaml", "http": "127.0.0.1:1", "data": "e"])
        #expect(overridden.policy.slots == 8)
        #expect(overridden.http?.port == 1)
        #expect(overridden.data == "e")
    }

    @Test("two sockets cannot share an endpoint, but for ports that the system chooses")
    func sharedEndpoint() throws {
        let shared = ["intents": "ipc:///tmp/x", "queries": "ipc:///tmp/x"]
        do {
            _ = try read(nil, shared)
            Issue.record("expected a fault")
        } catch {
            #expect(
                error.faults.map(\.description) == [
                    "the options: broker.queries: expected an endpoint of its own, found that of intents, 'ipc:///tmp/x'"
                ])
        }
        let free = ["intents": "tcp://127.0.0.1:0", "events": "tcp://127.0.0.1:0", "queries": "tcp://127.0.0.1:*"]
        #expect(try read(nil, free).events.text == "tcp://127.0.0.1:0")
    }

    @Test("faults of the configuration and of its policy are told together")
    func bothFiles() {
        let folder = Folder()
        folder.write("c.yaml", "broker: {policy: p.yaml, dta: d}")
        folder.write("p.yaml", "slots: x")
        #expect(throws: ConfigurationFaults.self) { try read("\(folder.path)/c.yaml") }
        do {
            _ = try read("\(folder.path)/c.yaml", ["http": "x"])
        } catch {
            #expect(
                error.faults.map(\.description) == [
                    "\(folder.path)/c.yaml:1:26: broker.dta: unknown key 'dta', did you mean 'data'?",
                    "--http: expected ADDRESS:PORT or off, found 'x'",
                    "\(folder.path)/p.yaml:1:8: slots: expected a whole number, found the text 'x'",
                ])
        }
    }

    @Test("a file that cannot be read is told with the system's reason")
    func unreadable() {
        let folder = Folder()
        folder.write("c.yaml", "broker: {policy: none.yaml}")
        for file in ["\(folder.path)/none.yaml", "\(folder.path)/c.yaml"] {
            do {
                _ = try read(file)
                Issue.record("expected a fault")
            } catch {
                #expect(error.description == "\(folder.path)/none.yaml: it cannot be opened: No such file or directory")
            }
        }
    }

    @Test("a client reads the endpoints of a configuration without its policy")
    func endpoints() throws {
        let folder = Folder()
        folder.write("c.yaml", "broker: {policy: none.yaml, intents: 'ipc:///i'}\n")
        #expect(try Configuration.read(endpointsOf: "\(folder.path)/c.yaml").broker.intents.text == "ipc:///i")
    }

    @Test("the sample files can be used", .enabled(if: access(sample("ration.yaml"), R_OK) == 0))
    func samples() throws {
        let zones = AnyZone()
        _ = try Configuration.read(file: sample("ration.yaml"), orders: orders, zones: zones)
        let policy = try PolicyReader.read(file: sample("policy.yaml"), orders: orders, zones: zones)
        #expect(!policy.types.isEmpty)
    }
}

/// Takes every zone: the samples are checked against the tz database by the command.
private struct AnyZone: ZoneChecking {
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
}

/// A file of `deploy/`, two folders above this one's.
private func sample(_ name: String) -> String {
    var folders = #filePath.split(separator: "/").map(String.init)
    folders.removeLast(3)
    return "/" + folders.joined(separator: "/") + "/deploy/\(name)"
}
