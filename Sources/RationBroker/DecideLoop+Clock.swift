import RationModel
import RationWire

/// What time it is for the deciding thread.
extension DecideLoop {
    /// Now, as far as the clocks are believed; a change of that is told.
    mutating func now() -> Instant {
        let before = clockGuard.state
        let now = clockGuard.read(clock.reading())
        if clockGuard.state != before { tellClock() }
        return now
    }

    /// When something next fires by itself; nothing does while the wall clock is doubted.
    var nextFiring: Instant? {
        clockGuard.state == .doubted ? nil : decider.nextWake
    }

    private mutating func tellClock() {
        decider.counters.clockState = clockGuard.state
        decider.counters.clockJumpsForward = clockGuard.forwardJumps
        decider.counters.clockJumpsBackward = clockGuard.backwardJumps
        switch clockGuard.state {
        case .trusted: notices.post(.clockTrusted)
        case .doubted: notices.post(.clockDoubted(aheadMilliseconds: clockGuard.aheadMilliseconds))
        case .waiting: notices.post(.clockWaits(behindMilliseconds: -clockGuard.aheadMilliseconds))
        }
        showCounters()
    }

    /// Answers `clock`, and believes the wall clock where that is asked for.
    mutating func answerClock() {
        for question in mailbox.takeClocks() {
            if question.accepts { clockGuard.accept() }
            let now = now()
            let body = ObjectText.bytes { object in
                object.texts(
                    ("state", clockGuard.state.rawValue), ("now", now.rfc3339),
                    ("wall", now.advanced(by: clockGuard.aheadMilliseconds).rfc3339))
                object.integers(
                    ("aheadMs", Int(clockGuard.aheadMilliseconds)), ("forwardJumps", clockGuard.forwardJumps),
                    ("backwardJumps", clockGuard.backwardJumps))
            }
            queries.post(
                Answer(
                    address: question.address, name: Array(RequestName.clock.frame.utf8),
                    number: question.numberFrame, bodies: [body]), on: .admin)
        }
    }
}
