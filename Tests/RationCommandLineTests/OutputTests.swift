import Glibc
import Testing

@testable import RationCommandLine

/// The two ends of a pipe; the reading one goes with the value.
final class Pipe {
    let reader: Int32
    let writer: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        signal(SIGPIPE, SIG_IGN)
    }

    /// Closes the writing end and reads all.
    func finish() -> String {
        close(writer)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(reader, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    deinit { close(reader) }
}

private func console(_ output: Pipe, _ errors: Pipe) -> Console {
    Console(
        output: LineOutput(descriptor: output.writer), errors: LineOutput(descriptor: errors.writer),
        terminal: Terminal(descriptor: output.writer), program: "ration")
}

@Suite("Results go to standard output, complaints to standard error, the status says which")
struct OutputTests {
    @Test("a failure comes behind what was printed before it, with status 1")
    func failure() {
        let (output, errors) = (Pipe(), Pipe())
        let status = program.run(["plan"], console(output, errors))
        #expect(status == .failure)
        #expect(output.finish() == "line 1\nline 2\nline 3\n")
        #expect(errors.finish() == "ration: nobody answers\n")
    }

    @Test("a wrong command line is one line on standard error, with status 2")
    func usage() {
        let (output, errors) = (Pipe(), Pipe())
        #expect(program.run(["paln"], console(output, errors)) == .usage)
        #expect(output.finish() == "")
        #expect(errors.finish() == "ration: unknown command 'paln', did you mean 'plan'?\n")
    }

    @Test("a reader that has gone ends the command quietly, with status 0")
    func closedReader() {
        var output = Optional(Pipe())
        let errors = Pipe()
        let console = console(output!, errors)
        let writer = output!.writer
        output = nil
        #expect(program.run(["plan"], console) == .success)
        close(writer)
        #expect(errors.finish() == "")
    }

    @Test("lines wait for a flush where no person reads, and go out whole")
    func buffering() throws {
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.writer)
        try output.line("one")
        var state = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 0) == 0)
        try output.flush()
        #expect(poll(&state, 1, 0) == 1)
        #expect(pipe.finish() == "one\n")
    }

    @Test(
        "colours are for terminals that take them",
        arguments: [
            (true, "", "xterm", true), (false, "", "xterm", false), (true, "1", "xterm", false),
            (true, "", "dumb", false),
        ])
    func colours(isInteractive: Bool, noColour: String, kind: String, expected: Bool) {
        let terminal = Terminal(descriptor: 0, isInteractive: isInteractive, noColour: noColour, kind: kind)
        #expect(terminal.styled("x", .red) == (expected ? "\u{1B}[31mx\u{1B}[0m" : "x"))
    }
}

@Suite("Help is aligned and at most 100 columns wide")
struct HelpTests {
    private func shown(_ words: String...) throws -> String {
        guard case .show(let text) = try program.action(for: words) else { return "" }
        return text
    }

    @Test("help is the same however it is asked for")
    func ways() throws {
        let help = try shown("publish", "--help")
        #expect(try shown("help", "publish") == help)
        #expect(try shown("publish", "-h") == help)
        #expect(try shown("publish", "--most", "5", "--help") == help)
        #expect(try shown("--help") == program.help)
        #expect(try shown("help") == program.help)
        #expect(try shown("--version") == "ration 1.2.3")
    }

    @Test("a command's help names usage, arguments, options with defaults, and examples")
    func content() throws {
        let help = try shown("help", "publish")
        #expect(help.contains("Usage: ration publish [OPTIONS] APP [DEVICE] [FILE…]\n"))
        #expect(help.contains("\n  --most COUNT        how many at most (default: 10)\n"))
        #expect(help.contains("\n  --json              print JSON\n"))
        #expect(help.contains("\n  APP     the app\n"))
        #expect(help.contains("\n  # from standard input\n  ration publish com.app < intents.ndjson"))
    }

    @Test("no line of a help is wider than 100 columns")
    func width() throws {
        let long = String(repeating: "word ", count: 60)
        let lines =
            try [shown("help", "publish"), shown("help")].flatMap { $0.split(separator: "\n") }.map(String.init)
            + HelpLayout.aligned([("--option VALUE", long), (String(repeating: "n", count: 50), long)])
        for line in lines { #expect(DisplayWidth.of(line) <= 100, "\(line)") }
    }

    @Test("a table aligns what is wide, combined or coloured by what it takes on the screen")
    func table() {
        var table = TextTable([.init("NAME"), .init("COUNT", isRight: true), .init("")])
        table.append(["日本", "7", "x"])
        table.append(["e\u{301}", "1234567"])
        table.append(["\u{1B}[31mred\u{1B}[0m", "1", "y", "beyond"])
        #expect(
            table.lines() == [
                "NAME    COUNT", "日本        7  x", "e\u{301}     1234567", "\u{1B}[31mred\u{1B}[0m         1  y",
            ])
        #expect(table.lines(width: 6) == ["NAME …", "日本 …", "e\u{301}    …", "red  …"])
    }
}
