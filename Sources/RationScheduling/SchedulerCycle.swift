internal import RationBus
internal import RationModel
internal import RationPluginKit

/// What leads from one state of the facts to the next, over one link: all answers, then all events, then the run.
///
/// Events are read only while no request waits for its answer: the batch of each request is known then, and with it which of
/// its notifications' lives an event is about.
final class SchedulerCycle {
    /// The broker has another log than the one that its link is agreed on: a new link will see to it.
    struct LinkStale: Error {}

    private let scheduler: any Scheduler
    private let options: SchedulerOptions
    private let zones: any ZoneSource
    private let state: SchedulerState
    private let clock: any MonotonicClock
    private let now: () -> Instant
    private let tell: (SchedulerNotice) -> Void
    private var runs = 0
    private var lastStrayFaults: [FactFault] = []

    /// When a recipient has to be looked at again, by the last run.
    private(set) var nextChange = Instant.distantFuture
    /// The state's epoch that the last run has seen to.
    private(set) var epoch = -1

    init(
        _ scheduler: any Scheduler, _ options: SchedulerOptions, zones: any ZoneSource, state: SchedulerState,
        clock: any MonotonicClock, now: @escaping () -> Instant, tell: @escaping (SchedulerNotice) -> Void
    ) {
        (self.scheduler, self.options, self.zones, self.state) = (scheduler, options, zones, state)
        (self.clock, self.now, self.tell) = (clock, now, tell)
    }

    /// One run, told in one line.
    /// - Parameter goOn: called between waits; throws to give up.
    func run(_ reason: RunReport.Reason, over link: any BrokerLink, goOn: () throws -> Void) throws {
        var report = RunReport(number: runs + 1, reason: reason)
        try awaitAnswers(link, goOn) {
            try state.take($0, retryMilliseconds: options.retryMilliseconds, &report.answers)
        }
        try readEvents(link)
        let started = clock.milliseconds
        let epoch = state.epoch
        let run = SchedulerRun(
            report, scheduler: scheduler, options: options, zones: zones, state: state, link: link, clock: clock,
            now: now(), tellsOldFaults: runs == 0)
        while try run.pass() == .cut {
            try awaitAnswers(link, goOn, run.take)
            // Many requests make many events: the log may not keep them until the end.
            try readEvents(link)
        }
        try awaitAnswers(link, goOn, run.take)
        runs += 1
        (nextChange, self.epoch) = (run.nextChange, epoch)
        tell(run, milliseconds: clock.milliseconds - started)
        if run.report.changed > 0 { try readEvents(link) }
    }

    /// Takes the answers that come, until the broker is there and none is awaited any more.
    private func awaitAnswers(
        _ link: any BrokerLink, _ goOn: () throws -> Void, _ take: ([PublishingAnswer]) throws -> Void
    ) throws {
        while true {
            let isSettled = link.isConnected && link.isDrained
            try take(try link.answers(waiting: isSettled ? 0 : 250))
            if isSettled, link.isDrained { return }
            try goOn()
        }
    }

    /// Reads the final events since the last time.
    private func readEvents(_ link: any BrokerLink) throws {
        guard let log = state.log else { throw LinkStale() }
        let retry = options.retryMilliseconds
        do {
            guard var cursor = state.cursor else { return try skipEvents(link) }
            while true {
                let page = try link.events(of: log, after: cursor)
                let isEnd = page.next >= page.last
                let isGone = page.first > cursor + 1 && cursor < page.last
                if isGone {
                    tell(
                        .complaint(
                            "\(page.first - cursor - 1) events are gone from the log: asking for everything again"))
                }
                try state.take(page.events, next: page.next, isGone: isGone, isEnd: isEnd, retryMilliseconds: retry)
                if isEnd { return }
                cursor = page.next
            }
        } catch is PositionUnknown {
            guard try link.logEnd().log == log else { throw LinkStale() }
            tell(.complaint("the broker's log ends before what was read of it: publishing everything again"))
            try state.startAnew()
            throw LinkStale()
        }
    }

    /// What has happened so far is of no interest: nothing that is known is of this log.
    private func skipEvents(_ link: any BrokerLink) throws {
        let end = try link.logEnd()
        guard end.log == state.log else { throw LinkStale() }
        try state.take([], next: end.last, isGone: false, isEnd: true, retryMilliseconds: 0)
    }

    private func tell(_ run: SchedulerRun, milliseconds: Int64) {
        var report = run.report
        report.milliseconds = milliseconds
        var told = run.told
        if run.strayFaults != lastStrayFaults {
            for fault in run.strayFaults { told.tell(fault.line(of: nil)) }
        }
        lastStrayFaults = run.strayFaults
        for told in [told, report.answers.told] {
            for line in told.lines { tell(.complaint(line)) }
            if told.more > 0 { tell(.complaint("and \(told.more) more")) }
        }
        if !report.isQuiet { tell(.line(report.line)) }
    }
}

/// What a runner has to say.
public enum SchedulerNotice: Hashable, Sendable {
    /// What it did.
    case line(String)
    /// What is wrong.
    case complaint(String)
}
