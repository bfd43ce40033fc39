import Foundation
import RationModel
import RationStore
import TestSupport

/// Synced commits of full batches, beside the same bytes appended to one file with fdatasync. The two sides take turns, so
/// that what disturbs the disk disturbs both.
struct StoreBenchmark {
    struct Settings {
        var batches = 200
        var runs = 5
        /// Where the files are made; nil: the system's folder of temporary files.
        var folder: String?
    }

    /// Intents of a batch.
    static let intents = 4_096

    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func run() throws {
        let folder = (settings.folder ?? NSTemporaryDirectory()) + "/ration-bench-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let batches = (0..<8).map(SampleBatch.init(seed:))
        var (file, store): ([Double], [Double]) = ([], [])
        for run in 0..<settings.runs {
            file.append(try append(batches, to: "\(folder)/file-\(run)"))
            store.append(try commit(batches, to: "\(folder)/store-\(run)"))
        }
        print(text(file: file, store: store, bytes: batches.map(\.byteCount).reduce(0, +) / batches.count))
    }

    /// - Returns: seconds.
    private func append(_ batches: [SampleBatch], to path: String) throws -> Double {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw BenchmarkError("cannot make \(path)") }
        defer {
            close(file)
            unlink(path)
        }
        return try MachineClock.seconds {
            for number in 0..<settings.batches {
                let batch = batches[number % batches.count]
                for row in [batch.intents, batch.events, batch.outcomes] {
                    guard write(file, row, row.count) == row.count else { throw BenchmarkError("cannot write \(path)") }
                }
                guard fdatasync(file) == 0 else { throw BenchmarkError("cannot sync \(path)") }
            }
        }
    }

    /// - Returns: seconds.
    private func commit(_ batches: [SampleBatch], to path: String) throws -> Double {
        defer { try? FileManager.default.removeItem(atPath: path) }
        var settings = StoreSettings()
        settings.retentionBytes = 256 << 20
        let store = try RocksDBStore(folder: path, settings)
        return try MachineClock.seconds {
            for number in 1...UInt64(self.settings.batches) {
                let batch = batches[Int(number) % batches.count]
                try store.commit(
                    Commit(
                        batch: number, now: Instant(milliseconds: Int64(number) * 5),
                        firstSequence: store.range.last + 1, eventCount: Self.intents, events: batch.events,
                        answers: batch.answers(number), intents: batch.intents, outcomes: batch.outcomes,
                        firstNeededBatch: number - min(number, 32)))
            }
        }
    }

    private func text(file: [Double], store: [Double], bytes: Int) -> String {
        func line(_ name: String, _ seconds: [Double]) -> String {
            let rows = Double(settings.batches * Self.intents) / seconds.median
            let mebibytes = Double(settings.batches * bytes) / Double(1 << 20) / seconds.median
            let (least, most) = (seconds.min() ?? 0, seconds.max() ?? 0)
            return String(
                format: "%@ %9.0f intents/s, %6.1f MiB/s, %.2f s (%.2f to %.2f)", name, rows, mebibytes, seconds.median,
                least, most)
        }
        let machine = Machine()
        return """
            \(Machine.isOptimized ? "" : "NOT OPTIMIZED: swift run -c release bench store\n")machine  \(machine.description)
            measured \(settings.runs) runs of \(settings.batches) synced batches of \(Self.intents) intents, \(bytes) bytes each; medians
            \(line("file, fdatasync", file))
            \(line("store, RocksDB ", store))
            \(String(format: "ratio           %.3f", file.median / store.median))
            """
    }
}

/// The rows of a full batch: lines of about 350 bytes, as much again of events, 100 bytes of outcomes an intent.
struct SampleBatch {
    let intents: [UInt8]
    let events: [UInt8]
    let outcomes: [UInt8]

    var byteCount: Int { intents.count + events.count + outcomes.count }

    init(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        func row(_ bytes: Int) -> [UInt8] {
            var row: [UInt8] = []
            for _ in 0..<StoreBenchmark.intents {
                let digits = String(random.next() as UInt64, radix: 16)
                let line = Array(
                    #"{"op":"schedule","app":"com.example.habits","device":"\#(digits)","id":"n.\#(digits)","#.utf8)
                row += line.prefix(bytes)
                // Half of what a line holds is the same in every line.
                for index in 0..<max(0, bytes - line.count) {
                    row.append(index % 2 == 0 ? UInt8.random(in: 97...122, using: &random) : UInt8(97 + index % 26))
                }
            }
            return row
        }
        intents = row(350)
        events = row(350)
        outcomes = row(100)
    }

    /// Of 16 requests of 256 intents, of as many publishers.
    func answers(_ number: UInt64) -> [StoredAnswer] {
        (0..<16).map { publisher in
            StoredAnswer(
                publisher: PublisherName("publisher-\(publisher)"), number: number, bodyHash: number, isRefusal: false,
                body: [UInt8](repeating: 104, count: 400))
        }
    }
}
