internal import Glibc

/// The end of a deployment.
extension Deployment {
    /// Begins the end: the highest stage first, each once those above it have ended. Asked again, it kills what is left.
    public mutating func stop(at now: Int64) {
        guard stopStage == nil else { return killAll() }
        stopStage = .max
        for index in members.indices {
            members[index].probeAt = nil
            if members[index].isProbed { actions.append(.endProbe(index)) }
            if !members[index].isUp { members[index].phase = .ended }
        }
    }

    /// Passes a hang-up on to those that take it.
    public mutating func hangUp() {
        for index in members.indices where members[index].process.takesHangUp && members[index].isUp {
            actions.append(.signal(index, SIGHUP))
        }
    }

    mutating func stopWhatIsDue(_ now: Int64) {
        let highest = members.lazy.filter { $0.phase != .ended }.map(\.process.stage).max()
        if let highest, highest < stopStage ?? .max {
            stopStage = highest
            for index in members.indices where members[index].process.stage == highest { ask(index, now) }
        }
        for index in members.indices {
            guard case .stopping(let killAt) = members[index].phase, killAt <= now else { continue }
            let patience = members[index].process.patienceMilliseconds
            actions.append(.tell(index, "has not ended within \(patience / 1_000) s: it is killed"))
            kill(index)
        }
    }

    private mutating func ask(_ index: Int, _ now: Int64) {
        guard case .running = members[index].phase else { return }
        members[index].phase = .stopping(killAt: now + members[index].process.patienceMilliseconds)
        actions.append(.signal(index, SIGTERM))
    }

    private mutating func killAll() {
        for index in members.indices where members[index].isUp && members[index].phase != .killed { kill(index) }
    }

    private mutating func kill(_ index: Int) {
        isClean = false
        members[index].phase = .killed
        actions.append(.signal(index, SIGKILL))
    }
}
