internal import CLinux
internal import Glibc
internal import RationBus

/// What a process tells its runner from outside.
public enum SchedulerSignal: Hashable, Sendable {
    /// A run, now.
    case run
    /// The end.
    case stop
}

/// Where signals come from.
public struct SchedulerSignals {
    /// Readable while a signal waits.
    public var fileDescriptor: Int32
    /// The next signal that waits; nil: none.
    public var next: () -> SchedulerSignal?

    public init(fileDescriptor: Int32, next: @escaping () -> SchedulerSignal?) {
        (self.fileDescriptor, self.next) = (fileDescriptor, next)
    }
}

/// What asks for a run: a signal, or a change of the facts that has settled.
final class RunTriggers {
    /// Readable while there is something to ``look()`` at.
    let fileDescriptor: Int32
    private let signals: SchedulerSignals?
    private let watch: FactsWatch
    private let options: SchedulerOptions
    private let clock: any MonotonicClock
    private var firstChange: Int64?
    private var lastChange: Int64 = 0

    private(set) var isStopped = false
    private(set) var isRunAsked = false

    init(_ options: SchedulerOptions, _ signals: SchedulerSignals?, clock: any MonotonicClock) throws(FactsError) {
        watch = try FactsWatch(file: options.facts)
        (self.options, self.signals, self.clock) = (options, signals, clock)
        fileDescriptor = ration_open_epoll()
        let isComplete =
            fileDescriptor >= 0 && ration_epoll_add(fileDescriptor, watch.fileDescriptor) == 0
            && signals.map { ration_epoll_add(fileDescriptor, $0.fileDescriptor) == 0 } ?? true
        guard isComplete else {
            throw FactsError(
                file: options.facts, message: "cannot wait for changes: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(fileDescriptor)
    }

    /// Takes what has come.
    func look() {
        while let signal = signals?.next() {
            switch signal {
            case .run: isRunAsked = true
            case .stop: isStopped = true
            }
        }
        guard watch.take() else { return }
        lastChange = clock.milliseconds
        firstChange = firstChange ?? lastChange
    }

    /// When the facts have settled after a change; nil: they are as they were.
    var factsDue: Int64? {
        firstChange.map { min(lastChange + options.settleMilliseconds, $0 + options.settleMostMilliseconds) }
    }

    /// A run begins, which sees to everything that was asked so far.
    func begin() {
        watch.watch()
        look()
        (firstChange, isRunAsked) = (nil, false)
    }
}
