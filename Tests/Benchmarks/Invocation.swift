/// What the command line asks for.
enum Invocation {
    case help
    /// Be the server that answers without deciding; for the benchmark's own child.
    case answer
    case measure(Settings)

    static let usage = """
        How many intents a second are acknowledged: by a server that decides nothing, and by a broker, for the same bytes.

        Usage: swift run -c release bench [OPTIONS]

          --recipients N  recipients that the broker knows before (default: 1000000)
          --requests N    requests of 256 intents a run; 50 times as many of 1 intent (default: 4000)
          --runs N        runs of each; their median counts (default: 5)
          --profile       say also where the broker spends its time (needs perf)
          --json          print JSON

        The broker is the command that RATION in the environment names; else it is built beside this program.
        """

    struct Settings {
        var recipients = 1_000_000
        var requests = 4_000
        var runs = 5
        var isProfiled = false
        var isJSON = false
    }

    init(_ words: ArraySlice<String>) throws {
        var settings = Settings()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h":
                self = .help
                return
            case AnsweringServer.argument:
                self = .answer
                return
            case "--recipients": settings.recipients = try Self.number(word, &words, in: 1...10_000_000)
            case "--requests": settings.requests = try Self.number(word, &words, in: 1...1_000_000)
            case "--runs": settings.runs = try Self.number(word, &words, in: 1...1_000)
            case "--profile": settings.isProfiled = true
            case "--json": settings.isJSON = true
            default: throw BenchmarkError("unknown option '\(word)'; see --help")
            }
        }
        self = .measure(settings)
    }

    private static func number(
        _ option: String, _ words: inout ArraySlice<String>, in range: ClosedRange<Int>
    ) throws -> Int {
        guard let text = words.popFirst(), let number = Int(text), range.contains(number) else {
            throw BenchmarkError("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// Why nothing could be measured, for people.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
