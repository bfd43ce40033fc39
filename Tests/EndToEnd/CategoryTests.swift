import Foundation
import TestProcesses
import Testing

@Suite("Notification categories")
struct CategoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(
            "com.example.habits: [{identifier: reminder}, {identifier: supply}]\n", to: "categories.yaml")
    }

    private func broker(policy: String = "slots: 64", _ options: [String] = [], http: Bool = false) throws
        -> BrokerProcess
    {
        _ = try folder.write("\(policy)\n", to: "policy.yaml")
        let configuration = "broker:\n  policy: policy.yaml\n  categories: categories.yaml\n"
        let file = try folder.write(configuration, to: "ration.yaml")
        return try BrokerProcess(["--config", file] + options, http: http, in: folder)
    }

    private func line(_ id: String, _ category: String, app: String = IntentLine.app, device: String = "d1") -> String {
        IntentLine.schedule(id, on: device, app: app, at: WallClock.milliseconds + 3_600_000).replacing(
            #""title":"Water""#, with: #""title":"Water","category":"\#(category)""#)
    }

    @Test("by default an undeclared or unregistered one is taken with a warning, counted and shown")
    func warns() throws {
        let broker = try broker(http: true)
        #expect(broker.process.outputText.contains("categories revision 1, \(folder.path)/categories.yaml"))
        let lines = [
            line("a", "Reminder"), line("b", "reminder"), IntentLine.of("device", more: #","categories":["supply"]"#),
            line("c", "reminder"), line("d", "x", app: "other"),
        ]
        let published = try broker.run("publish", input: ndjson(lines))
        #expect(try published.wait() == .status(0), "a warning is no failure")
        #expect(published.outputText.contains("4 held"))
        let start = "standard input:"
        let told = [
            "\(start)1: warning: a: content.category at content.category: the app com.example.habits has declared no category "
                + "'Reminder', did you mean 'reminder'? Categories are compared byte for byte",
            "\(start)4: warning: c: content.category at content.category: the device has registered no category 'reminder', "
                + "but 'supply'",
        ]
        #expect(published.errorText.split(separator: "\n").map(String.init) == told)
        let status = try broker.run("status").outputText.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        for row in [
            "categoriesRevision 1", "categoryMismatches.undeclared 1", "categoryMismatches.unregistered 1",
            "categoryMismatchesByApp.com.example.habits.undeclared 1",
        ] {
            #expect(status.contains(row), "\(row) in \(status)")
        }
        let metrics = try RawConnection.http(broker.http, "GET", "/metrics").body
        #expect(metrics.contains("ration_category_mismatches_total{kind=\"undeclared\"} 1\n"))
        #expect(
            metrics.contains(
                "ration_app_category_mismatches_total{app=\"com.example.habits\",kind=\"unregistered\"} 1\n"))
    }

    @Test("the policy may reject an undeclared one; what is put into force holds from then on")
    func rejects() throws {
        let broker = try broker(policy: "categories: reject")
        let client = try Client(broker, to: broker.intents)
        #expect(try client.publish([line("a", "Reminder"), line("b", "reminder")]).outcomes == "rh")
        _ = try broker.replacePolicy(by: #"{"categories":"ignore"}"#)
        #expect(try client.publish([line("a", "Reminder")]).outcomes == "h")
        #expect(try broker.askPolicy(#"{"do":"read"}"#).body["policy"]?["categories"] == "ignore")
    }

    @Test("SIGHUP takes up a changed file and replans nobody; one with a fault changes nothing")
    func reload() throws {
        let broker = try broker(policy: "categories: reject")
        let client = try Client(broker, to: broker.intents)
        #expect(try client.publish([line("a", "supply"), line("b", "new")]).outcomes == "hr")
        _ = try folder.write("com.example.habits: [{identifer: new}]\n", to: "categories.yaml")
        broker.process.send(signal: SIGHUP)
        try broker.process.waitForErrors(containing: "SIGHUP: nothing was changed")
        let fault = "\(folder.path)/categories.yaml:1:23: com.example.habits[0].identifer: unknown key 'identifer'"
        #expect(broker.process.errorText.contains(fault), "\(broker.process.errorText)")
        #expect(try client.publish([line("b", "new")]).outcomes == "r")
        _ = try folder.write("com.example.habits: [{identifier: new}]\n", to: "categories.yaml")
        broker.process.send(signal: SIGHUP)
        try broker.process.waitForErrors(
            containing: "categories revision 2, from \(folder.path)/categories.yaml, is in force after event 1\n")
        #expect(try client.publish([line("b", "new"), line("c", "supply")]).outcomes == "hr")
        #expect(try broker.plan().body["held"]?.list?.count == 2)
        let status = try broker.status()
        #expect(status["categoriesRevision"] == 2)
        #expect(status["policyRevision"] == 1)
        broker.process.send(signal: SIGHUP)
        try broker.process.waitForErrors(containing: "SIGHUP: nothing new")
        #expect(try broker.stop() == .status(0))
    }

    @Test("a broker does not start with a file that has a fault, and check tells it, too")
    func faults() throws {
        let file = try folder.write("com.example.habits: [{identifier: ''}]\n", to: "bad.yaml")
        let told = "\(file):1:35: com.example.habits[0].identifier: expected 1 to 256 bytes"
        for arguments in [
            ["broker", "--categories", file, "--data", "\(folder.path)/data"], ["categories", "check", file],
        ] {
            let process = try ChildProcess(try Executables.ration(), arguments)
            #expect(try process.wait() == .status(1))
            #expect(process.errorText.contains(told), "\(process.errorText)")
        }
        let configuration = try folder.write("broker: {categories: bad.yaml}\n", to: "bad-ration.yaml")
        let check = try ChildProcess(try Executables.ration(), ["check", "--config", configuration])
        #expect(try check.wait() == .status(1))
        #expect(check.errorText.contains(told), "\(check.errorText)")
    }

    private func categories(_ arguments: String...) throws -> (ending: Ending, output: String, errors: String) {
        let process = try ChildProcess(try Executables.ration(), ["categories"] + arguments)
        return (try process.wait(), process.outputText, process.errorText)
    }

    @Test("the sample is without faults and warnings; it is shown, and written as Swift for one app")
    func sample() throws {
        let file = "\(Executables.root)/deploy/categories.yaml"
        let check = try categories("check", file)
        #expect(check.ending == .status(0) && check.errors.isEmpty)
        #expect(check.output == "\(file): 5 categories of 2 apps\n")
        let show = try categories("show", file, "--app", "com.example.pills")
        #expect(
            show.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                "app category action title options", "com.example.pills reminder", "com.example.pills supply",
            ])
        let swift = try categories("swift", file, "--app", "com.example.habits")
        #expect(swift.output.contains("enum DeclaredCategories {\n"))
        #expect(swift.output.hasSuffix("}\n"))
        #expect(try categories("swift", file, "--app", "com.example.habits").output == swift.output)
        let several = try categories("swift", file)
        #expect(several.ending == .status(1))
        #expect(several.errors.hasSuffix("so 'swift' needs --app; there are com.example.habits, com.example.pills\n"))
        let unknown = try categories("swift", file, "--app", "com.example.habit")
        #expect(unknown.errors.contains("unknown app 'com.example.habit', did you mean 'com.example.habits'?"))
        #expect(try categories("swfit", file).errors.contains("unknown action 'swfit', did you mean 'swift'?"))
        #expect(try categories("check", file, "--app", "x").ending == .status(2))
    }

    @Test("simulate tells what would be warned of or rejected, when it is given the declarations")
    func simulate() throws {
        let step =
            #"{"now":"2026-12-01T08:00:00Z","intents":[\#(line("a", "Reminder").replacing(/"at":\d+/, with: #""after":60"#))]}"#
        let file = "\(folder.path)/categories.yaml"
        for (rule, kinds) in [("warn", ["accepted", "warning"]), ("reject", ["rejected"]), ("ignore", ["accepted"])] {
            let policy = try folder.write("categories: \(rule)\n", to: "\(rule).yaml")
            let process = try ChildProcess(
                try Executables.ration(), ["simulate", "--policy", policy, "--categories", file], input: step + "\n")
            #expect(try process.wait() == .status(0))
            #expect(try JSON.lines(process.outputText.utf8).map { $0["kind"]?.text } == kinds)
        }
        let process = try ChildProcess(try Executables.ration(), ["simulate"], input: step + "\n")
        #expect(try process.wait() == .status(0))
        #expect(try JSON.lines(process.outputText.utf8).count == 1)
    }
}
