import Glibc
import TestProcesses
import Testing

@Suite("Health over HTTP")
struct HealthTests {
    private let broker: BrokerProcess

    init() throws {
        broker = try BrokerProcess(http: true)
    }

    @Test("a broker that works is healthy and ready")
    func healthy() throws {
        #expect(try RawConnection.http(broker.http, "GET", "/healthz") == (200, "ok\n"))
        #expect(try RawConnection.http(broker.http, "GET", "/readyz") == (200, "ready\n"))
        #expect(try RawConnection.http(broker.http, "HEAD", "/healthz") == (200, ""))
    }

    @Test("metrics count what was decided, in Prometheus' text format")
    func metrics() throws {
        let client = try Client(broker, to: broker.intents)
        _ = try client.publish([IntentLine.schedule("a", at: WallClock.milliseconds + 60_000), "{"])
        let (status, body) = try RawConnection.http(broker.http, "GET", "/metrics")
        #expect(status == 200)
        let lines = body.split(separator: "\n").map(String.init)
        #expect(lines.contains("ration_requests_total 1"))
        #expect(lines.contains("ration_intents_total 2"))
        #expect(lines.contains(#"ration_outcomes_total{outcome="held"} 1"#))
        #expect(lines.contains(#"ration_outcomes_total{outcome="rejected"} 1"#))
        #expect(lines.contains(#"ration_events_total{kind="accepted"} 1"#))
        #expect(lines.contains("ration_last 1"))
        #expect(lines.contains("ration_store_compaction_backlog_bytes 0"))
        #expect(lines.contains("ration_store_stopped 0"))
        #expect(lines.contains { $0.hasPrefix("ration_store_committed_bytes_total ") && !$0.hasSuffix(" 0") })
        for line in lines where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            #expect(words.count == 2 && Double(words[1]) != nil, "\(line)")
        }
    }

    @Test("messages that are no requests are counted on either endpoint, without any batch")
    func malformed() throws {
        for (count, endpoint) in [(1, broker.intents), (2, broker.queries)] {
            let client = try Client(broker, to: endpoint)
            try client.send(["nonsense"])
            #expect(try client.receive().error == "malformed")
            #expect(try client.ask("hello", "{}").name == "ration/1 hello")
            let deadline = Deadline()
            while try broker.status()["malformed"]?.integer != count {
                try deadline.require("\(count) are counted", #_sourceLocation)
            }
        }
    }

    @Test("other paths are not found, other methods are not allowed")
    func refusals() throws {
        #expect(try RawConnection.http(broker.http, "GET", "/").status == 404)
        #expect(try RawConnection.http(broker.http, "GET", "/metrics/x").status == 404)
        #expect(try RawConnection.http(broker.http, "DELETE", "/metrics").status == 405)
    }

    @Test("bytes that are not HTTP harm nobody")
    func hostile() throws {
        let connection = try RawConnection(broker.http)
        connection.send(Array(repeating: 0xFF, count: 100_000))
        #expect(try RawConnection.http(broker.http, "GET", "/healthz").status == 200)
        try broker.proveThatItServes()
    }
}
