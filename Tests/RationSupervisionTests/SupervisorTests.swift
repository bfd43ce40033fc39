import Glibc
import Testing

@testable import RationSupervision

@Suite("A supervisor with real processes")
struct SupervisorTests {
    /// What a supervisor wrote, and whether it ended cleanly.
    private struct Result {
        var lines: [String]
        var isClean: Bool

        func of(_ name: String) -> [String] {
            lines.filter { $0.hasPrefix("\(name)|") }.map { String($0.dropFirst(name.count + 1)) }
        }
    }

    /// Runs processes until a line shows up that ends it.
    private func run(
        _ processes: [SupervisedProcess], milliseconds: Int64 = 20_000, until end: String? = nil
    ) throws -> Result {
        var template = Array("/tmp/ration-supervision-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        unlink(template)
        defer { close(file) }
        let signals = try PipeReader.pipe(blocking: false)
        defer { close(signals.writer) }
        let supervisor = try Supervisor(
            processes, descriptor: file, prefixes: processes.map { "\($0.name)|" } + ["up|"])
        var isStopped = false
        let isClean = supervisor.run(
            forMilliseconds: milliseconds, signalDescriptor: signals.reader.descriptor
        ) {
            guard let end, !isStopped, Self.text(of: file).contains(end) else { return nil }
            isStopped = true
            return SIGTERM
        }
        return Result(lines: Self.text(of: file).split(separator: "\n").map(String.init), isClean: isClean)
    }

    private static func text(of file: Int32, size: Int? = nil) -> String {
        let size = size ?? Int(lseek(file, 0, SEEK_END))
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(file, buffer.baseAddress, size, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func shell(_ name: String, _ script: String, stage: Int = 0) -> SupervisedProcess {
        SupervisedProcess(name: name, command: ["sh", "-c", script], stage: stage)
    }

    @Test("both outputs of a process stand behind its name, also what it wrote last and without an end")
    func outputs() throws {
        var process = shell("a", "echo one; echo two >&2; printf 'last words'; exit 3")
        process.isJob = true
        let result = try run([process], until: "started again")
        #expect(result.of("a").prefix(3).sorted() == ["last words", "one", "two"])
        #expect(result.of("up").contains("a ended with status 3; it is started again in 100 ms"))
        #expect(result.isClean)
    }

    @Test("a process has its default signals, nothing to read, and a group of its own")
    func surroundings() throws {
        let script =
            "cat; grep -E 'SigBlk|SigIgn' /proc/self/status | tr -d '\\t'; ps -o pgid= -p $$; echo $$; echo over; sleep 100"
        let result = try run([shell("a", script)], until: "over")
        let lines = result.of("a").map { $0.filter { $0 != " " } }
        #expect(lines.first == "SigBlk:0000000000000000")
        // The bit of signal 32 is the C library's own, which it does not let go of.
        let ignored = try #require(lines.dropFirst().first.flatMap { UInt64($0.dropFirst(7), radix: 16) })
        #expect(ignored & 0x7FFF_FFFF == 0)
        #expect(lines.count == 5 && lines[2] == lines[3])
    }

    @Test("what a process has started ends with it")
    func group() throws {
        let result = try run([shell("a", "sleep 1000 & echo $!; exit 1")], until: "started again")
        let child = try #require(result.of("a").first.flatMap { pid_t($0) })
        let deadline = MonotonicTime.milliseconds + 10_000
        while Self.isRunning(child), MonotonicTime.milliseconds < deadline {}
        #expect(!Self.isRunning(child))
    }

    /// A zombie, until init has waited for it, does not run.
    private static func isRunning(_ process: pid_t) -> Bool {
        let state = open("/proc/\(process)/stat", O_RDONLY)
        guard state >= 0 else { return false }
        defer { close(state) }
        let text = text(of: state, size: 512)
        return !text.isEmpty && !text.contains(") Z ")
    }

    @Test("who ignores SIGTERM is killed after its patience, and it is told")
    func stubborn() throws {
        var process = shell("a", "trap '' TERM; echo ready; while :; do sleep 1; done")
        process.patienceMilliseconds = 200
        let result = try run([process], until: "ready")
        #expect(!result.isClean)
        #expect(
            result.of("up").suffix(2) == [
                "a has not ended within 0 s: it is killed", "a was ended by signal 9 (Killed)",
            ])
    }

    @Test("stages are started once those before are ready, and end in the opposite order")
    func stages() throws {
        var first = shell("a", "trap 'echo end a; exit 0' TERM; echo up; while :; do sleep 0.01; done")
        first.readiness = ["sh", "-c", "exit 0"]
        let second = shell("b", "trap 'echo end b; exit 0' TERM; echo up; while :; do sleep 0.01; done", stage: 1)
        let result = try run([second, first], until: "b|up")
        let order = ["up|a started", "up|a ready", "up|b started", "b|end b", "up|b ended", "a|end a", "up|a ended"]
        let places = order.map { line in result.lines.firstIndex { $0.hasPrefix(line) } ?? -1 }
        #expect(places == places.sorted() && !places.contains(-1), "\(result.lines)")
        #expect(result.isClean)
    }

    @Test("a program that is not there is told with the system's reason")
    func missing() throws {
        let result = try run([SupervisedProcess(name: "a", command: ["/no/such"], stage: 0)], until: "400 ms")
        #expect(
            result.of("up").first == "a cannot be started: No such file or directory; it is started again in 100 ms")
    }

    @Test("an output that takes nothing stops no process: lines are left out and counted")
    func stuckOutput() throws {
        let (stuck, signals) = (try PipeReader.pipe(blocking: false), try PipeReader.pipe(blocking: false))
        defer { close(signals.writer) }
        var template = Array("/tmp/ration-supervision-XXXXXX".utf8CString)
        close(mkstemp(&template))
        let mark = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        // 16 MiB are more than can wait anywhere.
        var process = shell("a", "head -c 16777216 /dev/zero | tr '\\0' 'x' | fold -w 1023; rm \(mark); exit 0")
        process.isJob = true
        let supervisor = try Supervisor([process], descriptor: stuck.writer, prefixes: ["a|", "up|"])
        var isStopped = false
        let isClean = supervisor.run(forMilliseconds: 20_000, signalDescriptor: signals.reader.descriptor) {
            guard !isStopped, access(mark, F_OK) != 0 else { return nil }
            isStopped = true
            return SIGTERM
        }
        #expect(isClean)
        #expect(access(mark, F_OK) != 0, "it came to its end")
        unlink(mark)
        // Ends the thread that writes, once the reader is gone too.
        signal(SIGPIPE, SIG_IGN)
        close(stuck.writer)
    }
}
