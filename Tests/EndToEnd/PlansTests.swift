import Foundation
import RationModel
import RationPhone
import RationZones
import TestProcesses
import Testing

@Suite("From decision to a phone that shows by itself what is due", .serialized)
struct PlansTests {
    private let deployment: PushDeployment
    private let client: Client

    init() throws {
        deployment = try PushDeployment(
            settings: """
                  plans:
                    secret: FOLDER/secret
                    listen: 127.0.0.1:0
                    wake: apns
                """)
        let secret = try deployment.folder.write(String(repeating: "0123456789abcdef", count: 2), to: "secret")
        chmod(secret, 0o600)
        client = try Client(deployment.broker, to: deployment.broker.intents)
    }

    /// The subscriber, and where it answers phones.
    private func start() throws -> (process: ChildProcess, address: String) {
        let process = try ChildProcess(
            try Executables.ration(), ["subscriber", "plans", "--config", deployment.config])
        let marker = "phones are answered at "
        try process.waitForErrors(containing: "/APP/DEVICE")
        let line = try #require(process.errorText.split(separator: "\n").first { $0.contains(marker) })
        let address = String(line[try #require(line.range(of: marker)).upperBound...])
        return (process, address.replacing("/APP/DEVICE", with: "/\(PushDeployment.app)/"))
    }

    private func run(_ program: String, _ arguments: String...) throws -> String {
        let process = try ChildProcess(program, arguments)
        #expect(try process.wait() == .status(0), "\(arguments): \(process.errorText)")
        return process.outputText
    }

    private func token(_ device: String) throws -> String {
        let line = try run(
            Executables.ration(), "plans", "token", PushDeployment.app, device, "--config", deployment.config)
        return String(line.dropLast())
    }

    /// Asks as a phone does: status and body.
    private func ask(_ url: String, _ token: String, _ more: String...) throws -> (status: Int, body: String) {
        let process = try ChildProcess(
            "curl", ["-sS", "-w", "\n%{http_code}", "-H", "Authorization: Bearer \(token)"] + more + [url])
        #expect(try process.wait() == .status(0), "\(process.errorText)")
        let text = process.outputText
        let end = text.lastIndex(of: "\n") ?? text.startIndex
        return (Int(text[end...].dropFirst()) ?? 0, String(text[..<end]))
    }

    /// Asks until a device's plan has so many notifications.
    private func plan(_ url: String, _ token: String, adding count: Int) throws -> String {
        let deadline = Deadline(milliseconds: 20_000)
        while true {
            let answer = try ask(url, token)
            if answer.status == 200, try JSON(answer.body)["add"]?.list?.count == count { return answer.body }
            try deadline.require("\(count) are in \(answer.status) \(answer.body)", #_sourceLocation)
        }
    }

    /// What the broker says that the device holds.
    private func held(_ device: String) throws -> Set<String> {
        let plan = try JSON(
            run(
                Executables.ration(), "plan", PushDeployment.app, device, "--json", "--config", deployment.config))
        return Set((plan["held"]?.list ?? []).compactMap { $0["id"]?.text })
    }

    @Test(
        "A phone is woken by a push, asks for its plan with its token, and holds what Ration holds, also after the subscriber was killed"
    )
    func wholeWay() throws {
        let device = IntentLine.of(
            "device", on: "d1", more: #","token":"aa11","delivery":"local","timeZone":"Europe/Madrid""#)
        try client.publish([device], expecting: "o")
        let wave = (0..<70).map { IntentLine.schedule("n\($0)", on: "d1", trigger: #"{"after":\#(10_000 + $0)}"#) }
        try client.publish(wave, expecting: "hq")
        var (process, address) = try start()
        // The push shows nothing and has the lower priority.
        try deployment.take(1)
        let headers = deployment.requests.last?["headers"]
        #expect(headers?["apns-push-type"]?.text == "background" && headers?["apns-priority"]?.text == "5")
        #expect(headers?[":path"]?.text == "/3/device/aa11")
        let token = try token("d1")
        let zones = try ZoneDatabase()
        var reader = PhonePlanReader(zones: zones)
        let now = Instant(milliseconds: Int64(WallClock.milliseconds))
        var phone = Phone(clock: now, zone: .utc, retention: .lastAdded)
        let first = try reader.read(Array(try plan(address + "d1", token, adding: 64).utf8))
        try phone.apply(first)
        #expect(try Set(phone.pendingIdentifiers) == held("d1"))
        #expect(try ask("\(address)d1?since=\(first.revision)", token).status == 204)
        process.send(signal: SIGKILL)
        try process.wait()
        let cancel = IntentLine.of("cancel", on: "d1", more: #","id":"n3""#)
        try client.publish([cancel], expecting: "c")
        (process, address) = try start()
        // What finds a slot now is added, and the phone is told: what it would show next has gone.
        let deadline = Deadline(milliseconds: 20_000)
        var second = try ask("\(address)d1?since=\(first.revision)", token)
        while second.status != 200 {
            try deadline.require("there is something new", #_sourceLocation)
            second = try ask("\(address)d1?since=\(first.revision)", token)
        }
        let difference = try reader.read(Array(second.body.utf8))
        #expect(!difference.isWhole && difference.remove == ["n3"] && difference.add.map(\.identifier) == ["n64"])
        try phone.apply(difference)
        #expect(try Set(phone.pendingIdentifiers) == held("d1"))
        #expect(phone.dropped == [])
        try refuse(address, token)
        process.send(signal: SIGTERM)
        #expect(try process.wait() == .status(0), "\(process.errorText)")
        #expect(!process.errorText.contains(token) && !process.outputText.contains(token))
    }

    /// What is no phone's question.
    private func refuse(_ address: String, _ token: String) throws {
        #expect(try ask(address + "d1", "wrong").status == 401)
        #expect(try ask(address + "d2", token).status == 401)
        #expect(try ask(address + "d2", try self.token("d2")).status == 404)
        #expect(try ask(address + "d1?since=x", token).status == 400)
        #expect(try ask(address + "d1", token, "-X", "POST").status == 405)
        #expect(try ask(address + "d1", token, "-X", "DELETE").status == 405)
        #expect(try ask(address + "d1", token, "--data", "x", "-X", "GET").status == 413)
        #expect(try ask(address + "d1/../d1%00", token, "--path-as-is").status == 404)
        #expect(try ask(address + String(repeating: "x", count: 100_000), token).status >= 400)
        #expect(try ask(address + "d1", token).status == 200)
    }
}
