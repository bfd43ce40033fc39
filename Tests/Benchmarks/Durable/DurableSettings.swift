/// What `bench durable` is told.
struct DurableSettings {
    var sections = Set(DurableBenchmark.Section.allCases)
    var recipients = 1_000_000
    /// Notifications that each of them has.
    var pending = 20
    var publishers = 4
    /// Requests of a run.
    var requests = 4_000
    var runs = 5
    /// Requests of a run against Redis, which is slower.
    var redisRequests = 400
    /// How long the sustained load goes on.
    var seconds = 600
    /// Requests of one intent of a run.
    var singles = 2_000
    /// Recipients of the smaller broker.
    var few = 10_000
    /// Notifications that come due in a minute.
    var due = 1_000_000
    var dueSeconds = 60
    /// Where the data folders are made; nil: the system's folder of temporary files.
    var folder: String?
    var isGate = false
    var isJSON = false

    /// Intents of a request.
    static let pack = 256
    /// Intents of a request while a broker is filled.
    static let fillingPack = 2_048

    static let usage = """
        bench durable [OPTIONS]: what a broker keeps up with while everything is synced, beside what its disk and others can do.

          --only NAMES        sections with commas between: burst, single, reading, recipients, due, sustained, restart
                              (default: all)
          --recipients N      recipients (default: 1000000)
          --pending N         notifications that each has (default: 20)
          --publishers N      publishers with a window of 64 each (default: 4)
          --requests N        requests of 256 intents a run (default: 4000)
          --runs N            runs of each; their median counts (default: 5)
          --redis-requests N  requests of 256 intents a run against Redis (default: 400; 0: without Redis)
          --seconds N         how long the sustained load goes on (default: 600)
          --singles N         requests of one intent a run (default: 2000)
          --few N             recipients of the smaller of two brokers (default: 10000)
          --due N             notifications that come due in a minute (default: 1000000)
          --due-seconds N     another time than a minute (default: 60)
          --folder DIR        where to write (default: the folder for temporary files)
          --quick             all of it small, to see that it works: a few seconds; other options may follow
          --gate              status 1 if an aim is missed
          --json              print JSON in one line
        """

    /// Small enough to see in seconds that everything works.
    private mutating func beQuick() {
        (recipients, pending, publishers) = (400, 5, 2)
        (requests, runs, redisRequests) = (8, 1, 2)
        (seconds, singles, few, due, dueSeconds) = (1, 20, 40, 500, 2)
    }

    init() {}

    /// - Throws: `BenchmarkError` that names what is wrong.
    init(_ words: ArraySlice<String>) throws {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--only": sections = try Invocation.sections(word, words.popFirst())
            case "--quick": beQuick()
            case "--gate": isGate = true
            case "--json": isJSON = true
            case "--folder":
                guard let name = words.popFirst() else { throw BenchmarkError("\(word) takes a folder") }
                folder = name
            default: try readNumber(word, &words)
            }
        }
        guard few <= recipients else { throw BenchmarkError("--few takes at most as many as --recipients") }
    }

    private mutating func readNumber(_ word: String, _ words: inout ArraySlice<String>) throws {
        func number(_ range: ClosedRange<Int>) throws -> Int { try Invocation.number(word, &words, in: range) }
        switch word {
        case "--recipients": recipients = try number(1...9_999_999)
        // A device has 64 slots, and what comes due needs some, too.
        case "--pending": pending = try number(1...50)
        case "--publishers": publishers = try number(1...64)
        case "--requests": requests = try number(1...1_000_000)
        case "--runs": runs = try number(1...1_000)
        case "--redis-requests": redisRequests = try number(0...1_000_000)
        case "--seconds": seconds = try number(1...86_400)
        case "--singles": singles = try number(1...1_000_000)
        case "--few": few = try number(1...9_999_999)
        case "--due": due = try number(1...10_000_000)
        case "--due-seconds": dueSeconds = try number(1...3_600)
        default: throw BenchmarkError("unknown option '\(word)'; see --help")
        }
    }
}
