internal import RationBus
internal import RationModel
internal import RationWire

/// What a runner needs of a broker: requests out, answers and events in.
protocol BrokerLink: AnyObject {
    /// Whether a request can be submitted now.
    var hasRoom: Bool { get }
    /// Whether every request that the state holds has its answer, and every answer was taken.
    var isDrained: Bool { get }
    /// Whether the broker has greeted this scheduler, and was not lost since.
    var isConnected: Bool { get }

    /// Stores a request in the state, and sends it when it can be sent. There is room.
    func submit(_ body: [UInt8]) throws

    /// The answers in the order of the requests; waits for one if there is none.
    /// - Parameter milliseconds: the longest wait; 0 only looks.
    func answers(waiting milliseconds: Int) throws -> [PublishingAnswer]

    /// A page of the event log behind a position.
    /// - Throws: ``PositionUnknown`` if the log has no such position.
    func events(of log: String, after position: UInt64) throws -> EventPage

    /// The log's name and its last position.
    func logEnd() throws -> (log: String, last: UInt64)
}

/// The position that was read up to is of another log, or behind its end.
struct PositionUnknown: Error {}

/// The broker gave no answer to a query in time: worth another try.
struct BrokerSilent: Error, CustomStringConvertible {
    var description: String
}

/// Some final events of the scheduler's types.
struct EventPage {
    var events: [ReceivedEvent] = []
    /// The oldest position that the log keeps, its last one, and up to where this page goes.
    var first: UInt64
    var last: UInt64
    var next: UInt64
}
