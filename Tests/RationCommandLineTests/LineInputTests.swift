import Glibc
import RationCommandLine
import Testing

@Suite("Lines of input")
struct LineInputTests {
    /// Both ends of a new pipe.
    private static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        Glibc.pipe(&ends)
        return (ends[0], ends[1])
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    private static func next(_ input: LineInput) throws -> String? {
        try input.next { String(decoding: $0, as: UTF8.self) }
    }

    @Test("lines come in order with their numbers, an empty one too, and the last one without its end")
    func lines() throws {
        let (reading, writing) = Self.pipe()
        let input = try LineInput(file: "/dev/fd/\(reading)", limit: 100)
        Self.write("one\n\nthree", to: writing)
        close(writing)
        close(reading)
        for (number, line) in ["one", "", "three"].enumerated() {
            #expect(try Self.next(input) == line)
            #expect(input.lineNumber == number + 1)
        }
        #expect(try Self.next(input) == nil)
    }

    @Test("half a line needs more, a whole one or the end does not")
    func needsMore() throws {
        let (reading, writing) = Self.pipe()
        let input = try LineInput(file: "/dev/fd/\(reading)", limit: 100)
        defer { close(reading) }
        #expect(input.needsMore)
        for (text, isEnough) in [("ha", false), ("lf", false), ("\nrest", true)] {
            Self.write(text, to: writing)
            try input.readMore()
            #expect(input.needsMore != isEnough, "\(text)")
        }
        #expect(try Self.next(input) == "half")
        #expect(input.needsMore)
        close(writing)
        try input.readMore()
        #expect(!input.needsMore)
        #expect(try Self.next(input) == "rest")
    }

    @Test("a line of the limit is taken, one byte more is told with its place", arguments: [0, 1])
    func limit(_ more: Int) throws {
        let (reading, writing) = Self.pipe()
        let input = try LineInput(file: "/dev/fd/\(reading)", limit: 10)
        let line = String(repeating: "x", count: 10 + more)
        Self.write("first\n\(line)\n", to: writing)
        close(writing)
        close(reading)
        #expect(try Self.next(input) == "first")
        if more == 0 {
            #expect(try Self.next(input) == line)
        } else {
            let error = #expect(throws: InputError.self) { try Self.next(input) }
            #expect(error?.line == 2)
        }
    }
}
