/// What a supervisor knows of a deployment and decides about it: a machine without clock and processes. What happens is told to
/// it, then ``advance(to:)`` says what is to be done.
///
/// Stages are started in their order, each once those before it have been started and are ready, and stopped in the opposite
/// order. What ends meanwhile is started again, whatever the others do.
public struct Deployment: Sendable {
    /// What is to be done; processes are counted as given.
    public enum Action: Hashable, Sendable {
        case start(Int)
        /// Run the command that tells whether the process is ready.
        case probe(Int)
        /// To the process and all that it has started.
        case signal(Int, Int32)
        case endProbe(Int)
        case tell(Int, String)
    }

    enum Phase: Hashable {
        /// Its stage has not come.
        case waiting
        case running(since: Int64)
        /// Between an end and the next start.
        case resting(until: Int64)
        /// It was asked to end.
        case stopping(killAt: Int64)
        case killed
        /// It is not started again.
        case ended
    }

    struct Member {
        let process: SupervisedProcess
        var phase = Phase.waiting
        var pace = RestartPace()
        var isReady: Bool
        /// When the next probe is due; nil: none, or one is under way.
        var probeAt: Int64?
        var isProbed = false
        /// When the first probe was due; nil once it was told that it takes long.
        var probedSince: Int64?

        init(_ process: SupervisedProcess) {
            self.process = process
            isReady = process.readiness == nil
        }

        var isUp: Bool {
            switch phase {
            case .running, .stopping, .killed: true
            case .waiting, .resting, .ended: false
            }
        }
    }

    /// Between two probes.
    static let probeMilliseconds: Int64 = 200
    /// After which it is told that a process is not ready.
    static let probePatienceMilliseconds: Int64 = 10_000

    var members: [Member]
    var actions: [Action] = []
    /// The stage that is being stopped, and those above it; nil while the deployment is to run.
    var stopStage: Int?
    /// Whether all that was stopped ended by itself.
    public internal(set) var isClean = true

    public init(_ processes: [SupervisedProcess]) {
        members = processes.map(Member.init)
    }

    /// Whether it was told to stop.
    public var isStopping: Bool { stopStage != nil }

    /// Whether nothing runs and nothing will.
    public var isOver: Bool {
        stopStage != nil && members.allSatisfy { $0.phase == .ended && !$0.isProbed }
    }

    /// When ``advance(to:)`` has something to do, if nothing happens before; nil: never.
    public var nextDate: Int64? {
        members.lazy.compactMap { member -> Int64? in
            switch member.phase {
            case .resting(let until): until
            case .stopping(let killAt): killAt
            case .waiting, .running, .killed, .ended: nil
            }
        }.min().map { min($0, nextProbe ?? .max) } ?? nextProbe
    }

    private var nextProbe: Int64? {
        members.lazy.compactMap(\.probeAt).min()
    }

    /// Does what time has brought, and hands over all that is to be done since the last call.
    /// - Parameter now: monotonic milliseconds; never goes back.
    public mutating func advance(to now: Int64) -> [Action] {
        if stopStage == nil {
            startWhatIsDue(now)
            probeWhatIsDue(now)
        } else {
            stopWhatIsDue(now)
        }
        defer { actions = [] }
        return actions
    }

    private mutating func startWhatIsDue(_ now: Int64) {
        var stage = Int.min
        while reachedStage > stage {
            stage = reachedStage
            start(through: stage, now)
        }
    }

    private mutating func start(through stage: Int, _ now: Int64) {
        for index in members.indices {
            switch members[index].phase {
            case .waiting where members[index].process.stage <= stage: break
            case .resting(let until) where until <= now: break
            default: continue
            }
            members[index].phase = .running(since: now)
            actions.append(.start(index))
            guard !members[index].isReady, !members[index].isProbed else { continue }
            members[index].probeAt = now
            members[index].probedSince = now
        }
    }

    /// The highest stage that may run: one that waits for nobody of those before it.
    private var reachedStage: Int {
        members.lazy.filter { $0.phase == .waiting || !$0.isReady }.map(\.process.stage).min() ?? .max
    }

    private mutating func probeWhatIsDue(_ now: Int64) {
        for index in members.indices {
            guard let date = members[index].probeAt, date <= now else { continue }
            members[index].probeAt = nil
            members[index].isProbed = true
            actions.append(.probe(index))
        }
    }

    /// Takes what a probe says.
    public mutating func probeEnded(_ index: Int, _ end: ProcessEnd, at now: Int64) {
        members[index].isProbed = false
        guard stopStage == nil else { return }
        if end == .status(0) {
            members[index].isReady = true
            actions.append(.tell(index, "ready"))
            return
        }
        members[index].probeAt = now + Self.probeMilliseconds
        guard let since = members[index].probedSince, now - since >= Self.probePatienceMilliseconds else { return }
        members[index].probedSince = nil
        let patience = Self.text(Self.probePatienceMilliseconds)
        actions.append(.tell(index, "is not ready after \(patience); those that are started after it wait"))
    }

    /// Takes the end of a process, or that it could not be started.
    public mutating func ended(_ index: Int, _ end: ProcessEnd, at now: Int64) {
        switch members[index].phase {
        case .running(let since) where !isStopping: restart(index, end, ran: now - since, at: now)
        case .running, .stopping, .killed:
            members[index].phase = .ended
            actions.append(.tell(index, end == .status(0) ? "ended" : "\(end)"))
        case .waiting, .resting, .ended: preconditionFailure("process \(index) ended, which does not run")
        }
    }

    private mutating func restart(_ index: Int, _ end: ProcessEnd, ran: Int64, at now: Int64) {
        if members[index].process.isJob, end == .status(0) {
            members[index].phase = .ended
            actions.append(.tell(index, "ended with status 0: its work is done"))
            return
        }
        let before = members[index].pace
        let delay = members[index].pace.delay(afterRunOf: ran)
        members[index].phase = .resting(until: now + delay)
        var message = "\(end); it is started again in \(Self.text(delay))"
        let ends = members[index].pace.quickEnds
        if delay == RestartPace.limitMilliseconds, before.quickEnds > 0 {
            message += ", as every time from now on until it stays up: it has ended \(ends) times in a row"
        }
        actions.append(.tell(index, message))
    }

    private static func text(_ milliseconds: Int64) -> String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
