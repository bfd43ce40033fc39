import Glibc
import TestSupport
import TestProcesses
import Testing

@Suite("From decision to phone over APNs", .serialized)
struct PushTests {
    private func device(_ name: String, _ token: String) -> String {
        IntentLine.of("device", on: name, more: #","token":"\#(token)""#)
    }

    /// Waits until the broker has applied so many intents that decide nothing: `device` and `feedback`.
    private func awaitDone(_ count: Int, _ deployment: PushDeployment) throws {
        let deadline = Deadline(milliseconds: 60_000)
        var found = -1
        while found < count {
            found = try deployment.broker.status()["outcomes"]?["done"]?.integer ?? -1
            try deadline.require("\(count) intents are done, there are \(found)", #_sourceLocation)
        }
        #expect(found == count)
    }

    @Test("What is due arrives once, each end is told to the broker and counted, and no token is seen anywhere")
    func delivery() throws {
        let rules =
            #"[{"device":"dead","status":410,"reason":"Unregistered"},{"device":"b5","times":1,"status":503,"reason":"Shutdown","headers":{"retry-after":"1"}}]"#
        let deployment = try PushDeployment(rules: rules)
        let client = try Client(deployment.broker, to: deployment.broker.intents)
        try client.publish([device("d1", "aa11"), device("d2", "dead22"), device("d5", "b5b5")], expecting: "o")
        try deployment.start()
        let lines = [1, 2, 3, 5].map { IntentLine.schedule("n\($0)", on: "d\($0)", trigger: #"{"after":0.2}"#) }
        try client.publish(lines, expecting: "h")
        // d5 is tried twice, d3 has no token.
        try deployment.take(4)
        #expect(deployment.deliveries.count == 2 && deployment.deliveries.values.allSatisfy { $0 == 1 })
        try awaitDone(3 + 4, deployment)
        let metrics = try deployment.metrics()
        for line in [
            #"ration_apns_ended_total{outcome="delivered",reason="none"} 2"#,
            #"ration_apns_ended_total{outcome="failed",reason="Unregistered"} 1"#,
            #"ration_apns_ended_total{outcome="failed",reason="unknownDevice"} 1"#,
            #"ration_apns_deferred_total{reason="Shutdown"} 1"#,
        ] { #expect(metrics.contains(line), "\(metrics)") }
        // What was found dead is not tried again, until the device tells a token again.
        try client.publish([IntentLine.schedule("n6", on: "d2", trigger: #"{"after":0.1}"#)], expecting: "h")
        try awaitDone(8, deployment)
        try client.publish([device("d2", "aa22")], expecting: "o")
        try client.publish([IntentLine.schedule("n7", on: "d2", trigger: #"{"after":0.1}"#)], expecting: "h")
        try deployment.take(1)
        #expect(deployment.requests.last?["headers"]?[":path"]?.text == "/3/device/aa22")
        try awaitDone(10, deployment)
        let subscriber = try #require(deployment.subscriber)
        try deployment.end(SIGTERM)
        for token in ["aa11", "dead22", "b5b5", "aa22"] {
            #expect(
                !metrics.contains(token) && !subscriber.outputText.contains(token)
                    && !subscriber.errorText.contains(token))
            #expect(!(try deployment.broker.events()).contains { "\($0)".contains(token) })
        }
    }

    @Test("With --once what became of each push is an event when the process ends")
    func once() throws {
        let deployment = try PushDeployment(rules: #"[{"device":"b2","status":400,"reason":"BadTopic"}]"#)
        let client = try Client(deployment.broker, to: deployment.broker.intents)
        let devices = 40
        try client.publish((0..<devices).map { device("d\($0)", $0 == 2 ? "b2" : "aa\($0)") }, expecting: "o")
        let lines = (0..<devices).map { IntentLine.schedule("n\($0)", on: "d\($0)", trigger: #"{"after":0.05}"#) }
        try client.publish(lines, expecting: "h")
        let deadline = Deadline(milliseconds: 30_000)
        while try deployment.broker.events().count < 2 * devices {
            try deadline.require("all are due", #_sourceLocation)
        }
        let process = try ChildProcess(
            try Executables.ration(), ["subscriber", "apns", "--config", deployment.config, "--once"])
        #expect(try process.wait() == .status(0), "\(process.errorText)")
        let told = try deployment.broker.events(after: 2 * devices)
        #expect(told.count == devices)
        #expect(told.count { $0["data"]?["kind"]?.text == "delivered" } == devices - 1)
        let failed = told.first { $0["data"]?["kind"]?.text == "failed" }
        #expect(failed?["data"]?["reason"]?.text == "BadTopic" && failed?["data"]?["device"]?.text == "d2")
    }

    @Test(
        "A sender that is killed at any moment loses nothing, sends again only what was under way, and tells each end once"
    )
    func killed() throws {
        let streams = 20
        let deployment = try PushDeployment(rules: #"[{"delay":0.005}]"#, settings: "    streams: \(streams)")
        let client = try Client(deployment.broker, to: deployment.broker.intents)
        let (devices, each) = (100, 30)
        try client.publish((0..<devices).map { device("device-\($0)", "aa\($0)") }, expecting: "o")
        let wave = IntentLine.wave(devices: devices, ids: each, at: WallClock.milliseconds + 500)
        try client.publish(wave, expecting: "h")
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var kills = 0
        while deployment.deliveries.count < devices * each * 9 / 10 {
            try deployment.start()
            // So many are left at least: what a kill has interrupted comes again on top.
            let left = devices * each - deployment.deliveries.count
            try deployment.take(Int.random(in: 1...min(400, left), using: &random))
            try deployment.end(SIGKILL)
            kills += 1
        }
        try deployment.start()
        try deployment.take(untilDelivered: devices * each)
        try awaitDone(devices + devices * each, deployment)
        let doubles = deployment.deliveries.values.reduce(0) { $0 + $1 - 1 }
        #expect(deployment.deliveries.count == devices * each, "seed \(seed)")
        print("\(kills) kills, \(doubles) doubles among \(devices * each) pushes")
        #expect(doubles <= kills * streams, "seed \(seed): \(doubles) doubles after \(kills) kills")
        try deployment.end(SIGTERM)
    }
}
