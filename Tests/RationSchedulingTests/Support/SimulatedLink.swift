import RationBus
import RationWire

@testable import RationScheduling

/// The process ends here.
struct Killed: Error {}

/// A publishing client without a network, in front of a simulated broker; it can be killed between any two steps.
final class SimulatedLink: BrokerLink {
    /// The broker's numbers and the state's do not fit.
    struct Misfit: Error {}

    let broker: SimulatedBroker
    private let state: SchedulerState
    private var waiting: [OutboxEntry]
    private var greeted: String?
    /// Answers that are on their way.
    private var inFlight: [PublishingAnswer] = []
    private let window: Int
    private let pageEvents: Int
    /// Called at each step; throws ``Killed``.
    var step: () throws -> Void = {}

    init(_ broker: SimulatedBroker, _ state: SchedulerState, window: Int = 4, pageEvents: Int = 3) throws {
        (self.broker, self.state, self.window, self.pageEvents) = (broker, state, window, pageEvents)
        waiting = try state.unacknowledged()
    }

    var hasRoom: Bool { waiting.count < window }
    var isDrained: Bool { waiting.isEmpty && inFlight.isEmpty }
    var isConnected: Bool { greeted == broker.log }

    func submit(_ body: [UInt8]) throws {
        precondition(hasRoom && body.count <= 2 << 20)
        try step()
        let number = state.nextNumber
        try state.store(number: number, body: body)
        waiting.append(OutboxEntry(number: number, body: body))
        try step()
    }

    func answers(waiting milliseconds: Int) throws -> [PublishingAnswer] {
        try greet()
        while let entry = waiting.first {
            try step()
            guard let body = broker.publish(entry.number, entry.body) else { throw Misfit() }
            waiting.removeFirst()
            inFlight.append(.acknowledgement(CommittedRequest(number: entry.number, body: body)))
            try step()
        }
        defer { inFlight = [] }
        return inFlight
    }

    /// As a publishing client agrees on numbers.
    private func greet() throws {
        guard greeted != broker.log else { return }
        let first = waiting.first?.number ?? state.nextNumber
        var new: UInt64?
        if let last = broker.data.last {
            if state.log == nil {
                new = last + 1
            } else if last >= state.nextNumber || last + 1 < first {
                throw Misfit()
            }
        } else {
            new = 1
        }
        if new != nil || state.log != broker.log { try state.agree(on: broker.log, renumberingFrom: new) }
        waiting = try state.unacknowledged()
        greeted = broker.log
    }

    func events(of log: String, after position: UInt64) throws -> EventPage {
        try step()
        guard log == broker.log, position <= broker.lastSequence else { throw PositionUnknown() }
        let page = broker.page(after: position, most: pageEvents)
        return EventPage(events: page.events, first: broker.gone + 1, last: broker.lastSequence, next: page.next)
    }

    func logEnd() throws -> (log: String, last: UInt64) { (broker.log, broker.lastSequence) }
}
