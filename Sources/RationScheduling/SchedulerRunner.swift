internal import Glibc
public import RationBus
public import RationModel
public import RationPluginKit
internal import RationSQLite

/// Runs a scheduler: whenever something asks for it, the facts are read, what should be pending is compared with what was
/// published, and the difference goes to the broker.
///
/// What asks for a run: its beginning, the time since the last one, a change of the facts file, a signal, a recipient's date
/// that has come, a broker with another event log. One thread uses it.
public final class SchedulerRunner {
    private let options: SchedulerOptions
    private let types: [String]
    private let state: SchedulerState
    private let cycle: SchedulerCycle
    private let triggers: RunTriggers
    private let clock: any MonotonicClock
    private let now: () -> Instant
    private let tell: (SchedulerNotice) -> Void
    private let context: Context
    private var link: ServerLink?
    private var backoff = Backoff(firstMilliseconds: 1_000, mostMilliseconds: 60_000)
    private var random = SystemRandomNumberGenerator()
    /// The log on which the numbers did not fit last.
    private var misfitLog: String?
    private var isBrokerAway = false

    /// How long what is under way may take when the end is asked for.
    private static let stopMilliseconds: Int64 = 3_000
    /// Silence of the broker that is worth a word.
    private static let awayMilliseconds: Int64 = 5_000
    private static let waitMilliseconds: Int64 = 1_000

    /// - Parameters:
    ///   - signals: from outside; nil: none.
    ///   - now: the clock on the wall.
    ///   - tell: takes what there is to say.
    /// - Throws: `SQLiteError` for a state file that is somebody else's, in use, or no state; what cannot be waited for.
    public init(
        _ scheduler: any Scheduler, _ options: SchedulerOptions, zones: any ZoneSource, in context: Context,
        signals: SchedulerSignals? = nil, clock: any MonotonicClock = SystemMonotonicClock(),
        now: @escaping () -> Instant = SchedulerRunner.wallClock, tell: @escaping (SchedulerNotice) -> Void
    ) throws {
        (self.options, self.context, self.clock) = (options, context, clock)
        (self.now, self.tell, types) = (now, tell, scheduler.types)
        state = try SchedulerState(file: options.state, name: options.name, plugin: type(of: scheduler).name)
        triggers = try RunTriggers(options, signals, clock: clock)
        cycle = SchedulerCycle(scheduler, options, zones: zones, state: state, clock: clock, now: now, tell: tell)
    }

    /// The system's clock.
    public static func wallClock() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// One run, and the end.
    /// - Parameter timeoutMilliseconds: the longest wait for the broker.
    /// - Throws: facts that cannot be read, a broker that does not answer; what was numbered by then is sent by the next run.
    public func runOnce(timeoutMilliseconds: Int64) throws {
        let end = clock.milliseconds + timeoutMilliseconds
        while true {
            do {
                triggers.begin()
                return try cycle.run(.once, over: try openLink()) { [self] in
                    triggers.look()
                    if triggers.isStopped { throw Stopped() }
                    guard clock.milliseconds < end else {
                        throw BrokerSilent(
                            description: "\(options.intentsEndpoint): no answer in \(timeoutMilliseconds) ms")
                    }
                }
            } catch is Stopped {
                return
            } catch is SchedulerCycle.LinkStale where clock.milliseconds < end {
                link = nil
            } catch let error as PublishingError where clock.milliseconds < end {
                guard try mend(error) else { throw error }
            }
        }
    }

    /// Runs until the end is asked for.
    /// - Throws: what no later try can mend.
    public func run() throws {
        var schedule = RunSchedule(options)
        while !triggers.isStopped {
            do {
                try waitForRun(&schedule)
                if triggers.isStopped { break }
                try perform(schedule.reason)
                backoff.succeed()
                schedule.finished(at: clock.milliseconds, next: monotonic(cycle.nextChange))
            } catch is Stopped {
                break
            } catch {
                try recover(from: error, &schedule)
            }
        }
    }

    private struct Stopped: Error {}

    private func perform(_ reason: RunReport.Reason) throws {
        triggers.begin()
        let started = clock.milliseconds
        var stop: Int64?
        try cycle.run(reason, over: try openLink()) { [self] in
            triggers.look()
            let now = clock.milliseconds
            noticeBroker(since: started)
            if triggers.isStopped { stop = stop ?? now + Self.stopMilliseconds }
            // Without a broker there is nothing to wait for: what is unsent stays in the state.
            if let stop, now >= stop || link?.isConnected != true { throw Stopped() }
        }
        noticeBroker(since: started)
    }

    /// Waits until something asks for a run; sees meanwhile whether the broker is still the same.
    private func waitForRun(_ schedule: inout RunSchedule) throws {
        while true {
            triggers.look()
            if triggers.isStopped { return }
            let now = clock.milliseconds
            let isLogNew = schedule.hasRun && state.epoch != cycle.epoch
            let due = schedule.due(
                factsDue: triggers.factsDue, isRunAsked: triggers.isRunAsked, isLogNew: isLogNew, now)
            if due <= now { return }
            let milliseconds = Int(min(due - now, Self.waitMilliseconds))
            guard let link else {
                try wait(milliseconds: milliseconds)
                continue
            }
            // Nothing is under way: there is no answer.
            _ = try link.answers(waiting: milliseconds)
        }
    }

    private func wait(milliseconds: Int) throws {
        var poller = Poller()
        _ = poller.add(fileDescriptor: triggers.fileDescriptor)
        try poller.wait(milliseconds: milliseconds)
    }

    private func openLink() throws -> ServerLink {
        if let link { return link }
        let link = try ServerLink(
            options, types: types, outbox: state, descriptor: triggers.fileDescriptor, in: context)
        self.link = link
        return link
    }

    /// The instant on the clock for deadlines.
    private func monotonic(_ instant: Instant) -> Int64 {
        guard instant != .distantFuture else { return .max }
        return instant.advanced(by: clock.milliseconds - now().milliseconds).milliseconds
    }

    private func noticeBroker(since started: Int64) {
        if link?.isConnected == true {
            if isBrokerAway { tell(.complaint("the broker is back")) }
            isBrokerAway = false
        } else if !isBrokerAway, clock.milliseconds - started >= Self.awayMilliseconds {
            isBrokerAway = true
            tell(.complaint("the broker does not answer at \(options.intentsEndpoint); waiting for it"))
        }
    }
}

/// What is done about errors.
extension SchedulerRunner {
    private func recover(from error: any Error, _ schedule: inout RunSchedule) throws {
        switch error {
        case is SchedulerCycle.LinkStale:
            link = nil
        case let error as PublishingError:
            _ = try mend(error)
        case let error as SQLiteError where error.file == state.file:
            // What is stored cannot be relied on any more; the next start reads it anew.
            throw error
        case is FactsError, is SQLiteError:
            break
        default:
            link = nil
        }
        let wait = backoff.fail(&random)
        schedule.failed(at: clock.milliseconds, wait)
        guard !(error is SchedulerCycle.LinkStale) else { return }
        tell(.complaint("no run: \(error); trying again in \(wait) ms"))
    }

    /// The client cannot go on. A broker with another log starts the numbers anew; with the same log, the state or the
    /// broker's data are an old copy, which is mended once, since a second time two schedulers of one name fight.
    /// - Returns: whether that was so; if not, a new client may fare better.
    private func mend(_ error: PublishingError) throws -> Bool {
        let log = link?.log
        link = nil
        guard [.outboxAhead, .outboxBehind, .numberReused].contains(error.code) else { return false }
        if let log, log == state.log {
            guard misfitLog != log else { throw error }
            misfitLog = log
            tell(.complaint("\(error): numbering anew, publishing everything again"))
        }
        try state.startAnew()
        return true
    }
}
