import Foundation
import RationBus
import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing

/// A clock that a test moves.
final class ManualClock: MonotonicClock, @unchecked Sendable {
    // Unchecked: only the test's thread uses it.
    var milliseconds: Int64 = 0
}

/// A file in a folder of its own.
final class TemporaryFile {
    private let folder: URL
    var path: String { folder.appendingPathComponent("data.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A subscriber's process: a runner over a log and a file that outlive it.
final class Running<Plugin: Subscriber> {
    let runner: SubscriberRunner
    let plugin: Plugin
    let clock = ManualClock()
    private let notices = Notices()

    final class Notices {
        var all: [SubscriberNotice] = []
    }

    var told: [SubscriberNotice] { notices.all }

    init(
        _ log: FakeLog, _ file: TemporaryFile, now: Int64 = 0, react: @escaping Reaction = { _ in },
        options change: (inout SubscriberRunner.Options) -> Void = { _ in }
    ) throws {
        plugin = try Plugin(settings: [])
        (plugin as? Storing)?.react = react
        (plugin as? Committing)?.react = react
        var options = SubscriberRunner.Options()
        change(&options)
        let notices = notices
        runner = try SubscriberRunner(
            plugin, file: try SubscriberFile(file.path, of: Plugin.name), pages: log, options: options, clock: clock,
            wallClock: { Instant(milliseconds: now) }
        ) { notices.all.append($0) }
    }

    /// Turns until everything is done; rests are over at once.
    func run(turns: Int = 100_000) throws {
        for _ in 0..<turns {
            switch try runner.turn(timeoutMilliseconds: 0) {
            case .worked: continue
            case .resting(let milliseconds): clock.milliseconds += milliseconds
            case .paused: return
            case .idle: if runner.isCaughtUp { return }
            }
        }
        throw TurnsEnded()
    }

    struct TurnsEnded: Error {}

    func numbers(_ sql: String) throws -> [UInt64] {
        var numbers: [UInt64] = []
        try runner.file.database.run(sql) { numbers.append(UInt64($0.integer(0))) }
        return numbers
    }

    var seen: [UInt64] { get throws { try numbers("SELECT sequence FROM seen ORDER BY rowid") } }
    var setAside: [UInt64] { get throws { try numbers("SELECT sequence FROM set_aside ORDER BY sequence") } }
}
