public import RationModel

/// Events of one log as a subscriber gets them: at least one, in the order of the log, each once but for repetitions after
/// a crash or an error.
public struct EventPage: Sendable {
    /// The event log's name: positions of different logs have nothing to do with each other.
    public var log: String
    public var events: ArraySlice<ReceivedEvent>

    public init(log: String, events: ArraySlice<ReceivedEvent>) {
        (self.log, self.events) = (log, events)
    }
}
