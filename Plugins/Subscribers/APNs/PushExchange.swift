internal import Glibc
public import RationModel

/// Has pushes sent, and waits until each has ended or is put off.
public final class PushExchange {
    private var sender: PushSender
    private let transport: any PushSending
    private let clock: () -> Instant
    /// What is under way is looked at this often, at least.
    private static let roundMilliseconds: Int64 = 1_000

    /// - Parameter clock: the wall clock.
    public init(_ sender: PushSender, _ transport: any PushSending, clock: @escaping () -> Instant) {
        (self.sender, self.transport, self.clock) = (sender, transport, clock)
    }

    /// Sends, and returns when each push has ended or is put off.
    /// - Parameters:
    ///   - limitMilliseconds: what has not ended then is put off.
    ///   - learn: gets what becomes of each push, and what was learned from its answer.
    ///   - round: called before anything is waited for: what was learned is noted in one go.
    /// - Throws: what the transport and `round` throw. Then nothing is under way any more.
    public func send(
        _ pushes: [Push], limitMilliseconds: Int64, learn: (PushEffect) -> Void, round: () throws -> Void = {}
    ) throws {
        let end = Self.monotonic + limitMilliseconds
        do {
            for push in pushes { perform(sender.add(push, now: clock()), learn) }
            while true {
                try startAll(learn)
                try round()
                guard sender.count > 0, Self.monotonic < end else { break }
                transport.wait(milliseconds: Int(patience(end)))
                receive(learn)
            }
            transport.cancelAll()
            perform(sender.giveUp(clock()), learn)
            try round()
        } catch {
            transport.cancelAll()
            _ = sender.giveUp(clock())
            throw error
        }
    }

    private func startAll(_ learn: (PushEffect) -> Void) throws {
        let now = clock()
        var effects: [PushEffect] = []
        while let order = sender.next(now, &effects) {
            guard let push = sender.push(order.ticket) else { continue }
            try transport.start(order, push, issued: sender.issued(key: order.lane.key))
        }
        perform(effects, learn)
    }

    private func receive(_ learn: (PushEffect) -> Void) {
        let now = clock()
        transport.advance { ticket, outcome in
            switch outcome {
            case .answered(let answer): perform(sender.answered(ticket, answer, now: now), learn)
            case .failed(let failure): perform(sender.failed(ticket, failure, now: now), learn)
            }
        }
    }

    private func perform(_ effects: [PushEffect], _ learn: (PushEffect) -> Void) {
        for effect in effects {
            if case .connectionClosed(let lane) = effect { transport.close(lane) }
            learn(effect)
        }
    }

    /// How long nothing can be sent that cannot be sent now.
    private func patience(_ end: Int64) -> Int64 {
        let now = clock()
        let next = sender.nextTime(after: now).map { $0.milliseconds - now.milliseconds } ?? Self.roundMilliseconds
        return max(0, min(Self.roundMilliseconds, next, end - Self.monotonic))
    }

    private static var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
