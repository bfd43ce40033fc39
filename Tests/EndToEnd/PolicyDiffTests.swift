import TestProcesses
import Testing

@Suite("ration policy diff")
struct PolicyDiffTests {
    private let folder: TemporaryFolder
    private let loose: String
    private let strict: String

    init() throws {
        folder = try TemporaryFolder()
        loose = try folder.write("slots: 3\ntypes: { habit: { prefix: [habit] } }\n", to: "loose.yaml")
        strict = try folder.write(
            """
            slots: 2
            queueLimit: 1
            types: { habit: { prefix: [habit] } }
            quietHours: [{ from: "22:00", to: "07:30" }]
            """, to: "strict.yaml")
    }

    private static func intent(_ id: String, _ date: String) -> String {
        IntentLine.schedule(id, app: "app", trigger: #"{"at":"\#(date)"}"#)
    }

    private static let steps = """
        {"now":"2026-12-01T08:00:00Z","intents":[\(intent("habit.1", "2026-12-01T09:00:00Z")),\
        \(intent("habit.2", "2026-12-01T23:00:00Z")),\(intent("n.1", "2026-12-02T12:00:00Z")),\
        \(intent("n.2", "2026-12-02T13:00:00Z"))]}
        {"now":"2026-12-02T12:30:00Z","intents":[\(IntentLine.cancel("n.2", app: "app"))]}

        """

    private func diff(_ a: String, _ b: String, _ options: String..., steps: String = steps) throws -> ChildProcess {
        let arguments = ["policy", "diff", a, b, "--steps", "-"] + options
        let process = try ChildProcess(try Executables.ration(), arguments, input: nil)
        process.write(steps)
        process.closeInput()
        try process.wait()
        return process
    }

    @Test("the counts that differ, the totals, and each way in which fates differ with examples")
    func text() throws {
        let process = try diff(loose, strict)
        #expect(process.ending == .status(0), "\(process.errorText)")
        #expect(
            process.outputText == """
                A  \(loose)
                B  \(strict)
                2 steps, 5 intents

                type     event           why        A  B  change
                unknown  cancelled                  1  0      -1
                unknown  evicted         queueFull  0  1      +1
                unknown  accepted        new        1  0      -1
                all      due                        3  3       0
                all      cancelled                  1  0      -1
                all      evicted                    0  1      +1
                all      queued                     1  1       0
                all      accepted                   4  3      -1
                all      pending held               0  0       0
                all      pending queued             0  0       0

                2 of 4 notifications fare otherwise under B

                1  due under both, later under B
                   app/d1  habit.2  requested 2026-12-01T23:00:00.000Z
                      A  due at 2026-12-01T23:00:00.000Z
                      B  due at 2026-12-02T07:30:00.000Z

                1  cancelled under A, evicted (queueFull) under B
                   app/d1  n.2  requested 2026-12-02T13:00:00.000Z
                      A  cancelled at 2026-12-02T12:30:00.000Z, was planned for 2026-12-02T13:00:00.000Z
                      B  evicted (queueFull) at 2026-12-01T08:00:00.000Z, was planned for 2026-12-02T13:00:00.000Z

                """)
    }

    @Test("a policy and itself: no row differs, and all fare the same")
    func same() throws {
        let lines = try diff(strict, strict).outputLines
        #expect(lines.last == "all 4 fare the same")
        #expect(lines.filter { $0.hasPrefix("all  ") }.allSatisfy { $0.hasSuffix(" 0") })
        #expect(!lines.contains { $0.hasPrefix("unknown") })
    }

    @Test("--json has the same, and --examples says how many of each way")
    func json() throws {
        let json = try JSON(diff(loose, strict, "--json", "--examples", "0").output)
        #expect(json["steps"] == 2)
        #expect(json["compared"] == 4)
        #expect(json["differing"] == 2)
        #expect(json["rows"]?.list?.map { $0["kind"] } == ["cancelled", "evicted", "accepted"])
        let fates = json["fates"]?.list ?? []
        #expect(fates.map { $0["shift"] } == ["later", nil])
        #expect(fates.last?["b"]?["reason"] == "queueFull")
        #expect(fates.map { $0["examples"] } == [[], []])
        let one = try JSON(diff(loose, strict, "--json", "--examples", "1").output)["fates"]?.list?.first
        #expect(one?["examples"]?.list?.first?["b"]?["at"] == "2026-12-02T07:30:00.000Z")
    }

    @Test("what is scheduled again is compared by its requested dates; what is pending at the end by its plan")
    func replacedAndPending() throws {
        let steps = """
            {"now":"2026-12-01T08:00:00Z","intents":[\(Self.intent("n", "2026-12-01T23:00:00Z"))]}
            {"now":"2026-12-02T00:00:00Z","intents":[\(Self.intent("n", "2026-12-05T23:00:00Z"))]}

            """
        let lines = try diff(loose, strict, steps: steps).outputLines.map { $0.drop { $0 == " " } }
        #expect(lines.contains("2 of 2 notifications fare otherwise under B"))
        #expect(lines.contains("1  due under A, replaced under B"))
        #expect(lines.contains("A  due at 2026-12-01T23:00:00.000Z"))
        #expect(lines.contains("B  replaced at 2026-12-02T00:00:00.000Z, was planned for 2026-12-02T07:30:00.000Z"))
        #expect(lines.contains("1  held at the end under both, later under B"))
        #expect(lines.contains("B  held at the end, planned for 2026-12-06T07:30:00.000Z"))
    }

    @Test("what one policy rejects is counted, and is not there under it")
    func rejected() throws {
        let short = try folder.write("grace: 1m\n", to: "short.yaml")
        let steps = #"{"now":"2026-12-01T08:00:00Z","intents":[\#(Self.intent("n", "2026-12-01T07:30:00Z"))]}"#
        let lines = try diff(loose, short, steps: steps + "\n").outputLines.map { $0.drop { $0 == " " } }
        let words = lines.map { $0.split(separator: " ").map(String.init) }
        #expect(words.contains(["-", "rejected", "trigger.past", "0", "1", "+1"]))
        #expect(lines.contains { $0.hasSuffix("under A, not there under B") }, "\(lines)")
    }

    @Test(
        "a policy or a step with a fault is told with its place, status 1",
        arguments: [("slots: x\n", "", "bad.yaml:1:8: slots: "), ("slots: 1\n", "{}\n", "-:3: ")])
    func faults(_ policy: String, _ more: String, _ place: String) throws {
        let file = try folder.write(policy, to: "bad.yaml")
        let process = try diff(loose, file, steps: Self.steps + more)
        #expect(process.ending == .status(1))
        #expect(process.output.isEmpty)
        #expect(process.errorText.contains(place), "\(process.errorText)")
    }

    @Test(
        "command lines that do not go together are told, status 2",
        arguments: [
            ["diff", "a", "b"], ["diff", "a", "--steps", "s"], ["diff", "a", "b", "--steps", "s", "--wait", "1s"],
            ["put", "a", "--steps", "s"], ["check", "a", "b"], ["show", "--examples", "3"],
            ["diff", "a", "b", "--steps", "s", "--admin", "ipc:///tmp/x"],
        ])
    func usage(_ arguments: [String]) throws {
        let process = try ChildProcess(try Executables.ration(), ["policy"] + arguments)
        #expect(try process.wait() == .status(2), "\(process.errorText)")
    }
}

/// Against a made-up day.
extension PolicyDiffTests {
    /// The demo's intents, two hundred a step, an hour from one to the next, so that much fires between.
    private func recordSteps() throws -> String {
        let demo = try ration(
            "demo", "--dry-run", "--start", "2026-12-01T00:00:00Z", "--devices", "60", "--for", "10s", "--count",
            "30000")
        let intents = demo.outputLines
        try #require(intents.count > 3_000)
        var steps = ""
        for (hour, start) in stride(from: 0, to: intents.count, by: 200).enumerated() {
            let list = intents[start..<min(start + 200, intents.count)].joined(separator: ",")
            let now = try #require(Instants.milliseconds("2026-12-01T00:00:00.000Z")) + hour * 3_600_000
            steps += #"{"now":\#(now),"intents":[\#(list)]}"# + "\n"
        }
        return try folder.write(steps, to: "steps.ndjson")
    }

    /// The events of `ration simulate` by kind.
    private func simulated(_ policy: String, _ steps: String) throws -> [String: Int] {
        let script = #"exec "$0" simulate --policy "$1" < "$2""#
        let process = try ChildProcess("sh", ["-c", script, try Executables.ration(), policy, steps])
        try #require(try process.wait() == .status(0), "\(process.errorText)")
        var counts: [String: Int] = [:]
        for event in try JSON.lines(process.output) { counts[event["kind"]?.text ?? "", default: 0] += 1 }
        return counts
    }

    @Test(
        "over a made-up day the totals are those of two simulations, the rows sum up to them, and it is always the same"
    )
    func agreesWithSimulate() throws {
        let steps = try recordSteps()
        let policies = ["\(Executables.root)/deploy/policy.yaml", strict]
        let process = try ration("policy", "diff", policies[0], policies[1], "--steps", steps, "--json")
        #expect(process.ending == .status(0), "\(process.errorText)")
        let json = try JSON(process.output)
        let simulated = try policies.map { try self.simulated($0, steps) }
        let totals = json["totals"]?.list ?? []
        for (side, counts) in zip(["a", "b"], simulated) {
            var told: [String: Int] = [:]
            for total in totals { told[total["kind"]?.text ?? ""] = total[side]?.integer }
            #expect(told.filter { !$0.key.hasPrefix("pending") && $0.value > 0 } == counts)
        }
        // What does not differ adds nothing.
        for total in totals where total["kind"]?.text?.hasPrefix("pending") == false {
            let rows = (json["rows"]?.list ?? []).filter { $0["kind"] == total["kind"] }
            func change(_ entry: JSON) -> Int { (entry["b"]?.integer ?? 0) - (entry["a"]?.integer ?? 0) }
            #expect(rows.reduce(0) { $0 + change($1) } == change(total))
        }
        let differing = try #require(json["differing"]?.integer)
        #expect(differing > 0 && differing <= json["compared"]?.integer ?? 0)
        #expect(json["fates"]?.list?.reduce(0) { $0 + ($1["count"]?.integer ?? 0) } == differing)
        let again = try ration("policy", "diff", policies[0], policies[1], "--steps", steps, "--json")
        #expect(again.output == process.output)
    }
}
