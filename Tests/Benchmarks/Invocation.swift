/// What the command line asks for.
enum Invocation {
    case help
    /// Be the server that answers without deciding; for the benchmark's own child.
    case answer
    /// Be the server that gives pages of so many bytes; likewise.
    case pages(bytes: Int)
    case measure(Settings)
    case planner(PlannerSettings)
    case analytics(AnalyticsSettings)
    case scheduler(SchedulerSettings)
    case store(StoreBenchmark.Settings)
    case durable(DurableSettings)
    case apns(APNsBenchmark.Settings)

    static let usage = """
        How many intents a second are acknowledged: by a server that decides nothing, and by a broker, for the same bytes.

        Usage: swift run -c release bench [OPTIONS]

          --recipients N  recipients that the broker knows before (default: 1000000)
          --requests N    requests of 256 intents a run; 50 times as many of 1 intent (default: 4000)
          --runs N        runs of each; their median counts (default: 5)
          --profile       say also where the broker spends its time (needs perf)
          --json          print JSON

        bench planner [OPTIONS]: what the planner alone costs, beside a naive one in the same run; figures with their aims.

          --only NAMES    sections with commas between: check, full, worst, memory, allocations (default: all)
          --recipients N  recipients in memory (default: 20000)
          --runs N        runs of each; their median counts (default: 5)
          --gate          status 1 if an aim is missed
          --json          print JSON in one line

        bench analytics [OPTIONS]: how many events a second analytics takes, beside a bare read of the same pages.

          --events N      events of the log (default: 1000000)
          --recipients N  who gets them (default: 100000)
          --page N        events of a page (default: 10000)
          --runs N        runs of each; their median counts (default: 3)
          --no-broker     from memory only

        bench scheduler [OPTIONS]: a scheduler's run without changes beside a SELECT of the same rows, and one in which all is new
        beside 'ration publish' of the same lines.

          --users N       users in the facts (default: 100000)
          --rows N        rows of each, which become a notification each (default: 4)
          --runs N        runs of each; their median counts (default: 5)

        bench store [OPTIONS]: what synced commits of full batches cost, beside the same bytes appended to one file.

          --batches N     batches of 4096 intents a run (default: 200)
          --runs N        runs of each; their median counts (default: 5)
          --folder DIR    where to write (default: the folder for temporary files)

        \(DurableSettings.usage)

        bench apns [OPTIONS]: pushes a second over one connection to nghttpd, beside h2load with the same requests.

          --pushes N      pushes of a run (default: 100000)
          --streams N     streams at once (default: 100)
          --runs N        runs of each; their median counts (default: 5)

        The broker is the command that RATION in the environment names; else it is built beside this program.
        """

    struct Settings {
        var recipients = 1_000_000
        var requests = 4_000
        var runs = 5
        var isProfiled = false
        var isJSON = false
    }

    struct AnalyticsSettings {
        var events = 1_000_000
        var recipients = 100_000
        var pageEvents = 10_000
        var runs = 3
        var usesBroker = true
    }

    struct PlannerSettings {
        var sections = Set(PlannerBenchmark.Section.allCases)
        var recipients = 20_000
        var runs = 5
        var isGate = false
        var isJSON = false
    }

    struct SchedulerSettings {
        var users = 100_000
        var habitsEach = 4
        var runs = 5
    }

    init(_ words: ArraySlice<String>) throws {
        if words.first == "scheduler" {
            self = try Self.scheduler(words.dropFirst())
            return
        }
        if words.first == "planner" {
            self = try Self.planner(words.dropFirst())
            return
        }
        if words.first == "analytics" {
            self = try Self.analytics(words.dropFirst())
            return
        }
        if words.first == "store" {
            self = try Self.store(words.dropFirst())
            return
        }
        if words.first == "durable" {
            self =
                words.contains("--help") || words.contains("-h")
                ? .help : .durable(try DurableSettings(words.dropFirst()))
            return
        }
        if words.first == "apns" {
            self = try Self.apns(words.dropFirst())
            return
        }
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
            case PageServer.argument:
                self = .pages(bytes: try Self.number(word, &words, in: 1...8_000_000))
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

    private static func planner(_ words: ArraySlice<String>) throws -> Invocation {
        var settings = PlannerSettings()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--only": settings.sections = try sections(word, words.popFirst())
            case "--recipients": settings.recipients = try number(word, &words, in: 1...1_000_000)
            case "--runs": settings.runs = try number(word, &words, in: 1...1_000)
            case "--gate": settings.isGate = true
            case "--json": settings.isJSON = true
            default: throw BenchmarkError("unknown option '\(word)'; see --help")
            }
        }
        return .planner(settings)
    }

    private static func store(_ words: ArraySlice<String>) throws -> Invocation {
        var settings = StoreBenchmark.Settings()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--batches": settings.batches = try number(word, &words, in: 1...1_000_000)
            case "--runs": settings.runs = try number(word, &words, in: 1...1_000)
            case "--folder":
                guard let folder = words.popFirst() else { throw BenchmarkError("\(word) takes a folder") }
                settings.folder = folder
            default: throw BenchmarkError("unknown option '\(word)'; see --help")
            }
        }
        return .store(settings)
    }

    private static func apns(_ words: ArraySlice<String>) throws -> Invocation {
        var settings = APNsBenchmark.Settings()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--pushes": settings.pushes = try number(word, &words, in: 2...10_000_000)
            case "--streams": settings.streams = try number(word, &words, in: 1...10_000)
            case "--runs": settings.runs = try number(word, &words, in: 1...1_000)
            default: throw BenchmarkError("unknown option '\(word)'; see --help")
            }
        }
        return .apns(settings)
    }

    private static func analytics(_ words: ArraySlice<String>) throws -> Invocation {
        var settings = AnalyticsSettings()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--events": settings.events = try number(word, &words, in: 10_000...100_000_000)
            case "--recipients": settings.recipients = try number(word, &words, in: 1...10_000_000)
            case "--page": settings.pageEvents = try number(word, &words, in: 1...10_000)
            case "--runs": settings.runs = try number(word, &words, in: 1...1_000)
            case "--no-broker": settings.usesBroker = false
            default: throw BenchmarkError("unknown option '\(word)'; see --help")
            }
        }
        return .analytics(settings)
    }

    private static func scheduler(_ words: ArraySlice<String>) throws -> Invocation {
        var settings = SchedulerSettings()
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--users": settings.users = try number(word, &words, in: 1...10_000_000)
            case "--rows": settings.habitsEach = try number(word, &words, in: 1...1_000)
            case "--runs": settings.runs = try number(word, &words, in: 1...1_000)
            default: throw BenchmarkError("unknown option '\(word)'; see --help")
            }
        }
        return .scheduler(settings)
    }

    static func sections<Section: RawRepresentable<String> & CaseIterable & Hashable>(
        _ option: String, _ text: String?
    ) throws -> Set<Section> {
        let names = text?.split(separator: ",") ?? []
        let sections = names.compactMap { Section(rawValue: String($0)) }
        guard !sections.isEmpty, sections.count == names.count else {
            let known = Section.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchmarkError("\(option) takes some of \(known)")
        }
        return Set(sections)
    }

    static func number(
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
