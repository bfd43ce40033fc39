import Foundation
import TestProcesses
import Testing

@Suite("SIGHUP")
struct PolicyReloadTests {
    private let folder: TemporaryFolder
    private let broker: BrokerProcess

    init() throws {
        folder = try TemporaryFolder()
        let zones = "\(folder.path)/zoneinfo"
        try FileManager.default.createDirectory(atPath: zones, withIntermediateDirectories: false)
        for name in ["UTC", "Iceland"] {
            // Its content: the file may be a link.
            let zone = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)"))
            try zone.write(to: URL(fileURLWithPath: "\(zones)/\(name)"))
        }
        _ = try folder.write("2025a\n", to: "zoneinfo/+VERSION")
        _ = try folder.write("slots: 64\n", to: "policy.yaml")
        let file = try folder.write(Self.configuration(), to: "ration.yaml")
        broker = try BrokerProcess(["--config", file], in: folder, environment: ["TZDIR": zones])
    }

    private static func configuration(_ more: String = "") -> String { "broker:\n  policy: policy.yaml\n\(more)" }

    private func hangUp(awaiting text: String, _ location: SourceLocation = #_sourceLocation) throws {
        broker.process.send(signal: SIGHUP)
        try broker.process.waitForErrors(containing: text, location)
    }

    @Test("a policy that has changed is taken up as a revision, and what is pending is replanned")
    func policy() throws {
        let hour = WallClock.milliseconds + 3_600_000
        let lines = (0..<3).map { IntentLine.schedule("n\($0)", at: hour + $0) }
        try Client(broker, to: broker.intents).publish(lines, expecting: "h")
        _ = try folder.write("slots: 1\n", to: "policy.yaml")
        try hangUp(awaiting: "all recipients are replanned")
        let line = "ration: policy revision 2, from \(folder.path)/policy.yaml, is in force after event 3; 1 recipient"
        #expect(broker.process.errorText.contains(line), "\(broker.process.errorText)")
        #expect(try broker.events(after: 3).map { $0.data["cause"] } == ["policy", "policy"])
        #expect(try broker.askPolicy(#"{"do":"read"}"#).body["policy"]?["slots"] == 1)
    }

    @Test("files that have not changed change nothing")
    func unchanged() throws {
        try hangUp(awaiting: "SIGHUP: nothing new")
        #expect(try broker.policyRevision() == 1)
        #expect(try broker.status()["zonesRevision"] == 1)
    }

    @Test("a file with a fault changes nothing and is told with its line; the broker goes on")
    func faults() throws {
        _ = try folder.write("slots: 1\ngrace: soon\n", to: "policy.yaml")
        _ = try folder.write("2025b\n", to: "zoneinfo/+VERSION")
        try hangUp(awaiting: "SIGHUP: nothing was changed")
        #expect(broker.process.errorText.contains("ration: \(folder.path)/policy.yaml:2:8: grace: "))
        let status = try broker.status()
        #expect(status["policyRevision"] == 1)
        #expect(status["zonesRevision"] == 1)
        _ = try folder.write(Self.configuration("  intnts: x\n"), to: "ration.yaml")
        broker.process.send(signal: SIGHUP)
        try broker.process.waitForErrors(containing: "\(folder.path)/ration.yaml:3:3: broker.intnts: ")
        try broker.proveThatItServes()
        #expect(try broker.stop() == .status(0))
    }

    @Test("a tz database of another release is taken up as a revision; a zone that it lost is no longer known")
    func zones() throws {
        let client = try Client(broker, to: broker.intents)
        let iceland = IntentLine.of("device", more: #","timeZone":"Iceland""#)
        #expect(try client.publish([iceland]).outcomes == "o")
        _ = try folder.write("2025b\n", to: "zoneinfo/+VERSION")
        try FileManager.default.removeItem(atPath: "\(folder.path)/zoneinfo/Iceland")
        try hangUp(awaiting: "tz database 2025b, revision 2, is in force after event 0")
        let status = try broker.status()
        #expect(status["tzRelease"] == "2025b")
        #expect(status["zonesRevision"] == 2)
        #expect(status["policyRevision"] == 1)
        let again = IntentLine.of("device", on: "d2", more: #","timeZone":"Iceland""#)
        #expect(try client.publish([again]).outcomes == "r")
        let policy = try broker.askPolicy(#"{"do":"validate","policy":{"timeZone":"Iceland"}}"#)
        #expect(policy.body["valid"] == false, "policies are validated with the database in force")
    }

    @Test("a zone whose clocks have changed is taken up without a new release, and what floats is replanned")
    func changedZone() throws {
        let client = try Client(broker, to: broker.intents)
        let noon = IntentLine.schedule("noon", trigger: #"{"calendar":{"hour":12}}"#)
        try client.publish([IntentLine.of("device", more: #","timeZone":"Iceland""#), noon], expecting: "oh")
        let kolkata = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Asia/Kolkata"))
        try kolkata.write(to: URL(fileURLWithPath: "\(folder.path)/zoneinfo/Iceland"))
        try hangUp(awaiting: "all recipients are replanned")
        let events = try broker.events(after: 1)
        #expect(events.map { $0.data["cause"] } == ["policy"])
        #expect(events.first?.data["fireDate"]?.text?.hasSuffix("T06:30:00.000Z") == true, "noon at +05:30")
        #expect(try broker.status()["tzRelease"] == "2025a")
    }

    @Test("what a running broker cannot change is told")
    func unchangeable() throws {
        _ = try folder.write(Self.configuration("  retentionBytes: 32MiB\n"), to: "ration.yaml")
        try hangUp(awaiting: "broker.retentionBytes has changed: that counts from the next start")
    }

    @Test("a policy that was put stays until SIGHUP when a file names one, and for good when nothing does")
    func put() throws {
        _ = try broker.replacePolicy(by: #"{"slots":3}"#)
        try hangUp(awaiting: "policy revision 3, from \(folder.path)/policy.yaml,")
        let bare = try BrokerProcess()
        _ = try bare.replacePolicy(by: #"{"slots":3}"#)
        bare.process.send(signal: SIGHUP)
        try bare.process.waitForErrors(containing: "SIGHUP: nothing new")
        #expect(try bare.policyRevision() == 2)
    }
}
