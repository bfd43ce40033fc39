/// Faults that can be built into a simulated broker, its disk or its reader, to see that the simulation finds them.
enum PlantedFault: String, CaseIterable, Sendable {
    // The order of work
    /// Acknowledgements are sent when a batch is decided.
    case acknowledgesBeforeCommit
    /// Events are published when a batch is decided.
    case publishesBeforeCommit
    /// A batch whose commit has failed is told all the same.
    case tellsFailedCommit
    /// The requests of a batch whose commit has failed are refused for good, though it may be kept.
    case refusesFailedCommit
    /// A request is taken as if it had no number.
    case takesDuplicates
    /// A wall clock that has jumped ahead is believed.
    case believesEveryClock

    // The disk
    /// Syncs of write-ahead logs do nothing.
    case dropsSyncs
    /// A sync that has failed is tried again, and that is believed.
    case hidesFailedSyncs
    /// The number of the last acknowledged batch is not written.
    case forgetsAcknowledged

    // What a start makes of the store
    /// Numbers of publishers are forgotten at a start.
    case losesWindow
    /// A record is taken to be true for a batch more than it is.
    case recordFromTheFuture
    /// A row of outcomes is passed over.
    case skipsOutcome
    /// The last batch's instant is forgotten.
    case goesBackInTime

    // What is written
    /// Rows go that a start still needs.
    case trimsTooEarly
    /// Records are written with the batch after the one that lets go of their rows.
    case tearsCheckpoint
    /// The answer that is kept for a request is another one's.
    case keepsAnotherAnswer

    // What is read
    /// The newest row of events is let go.
    case dropsNewestRow
    /// A row of events is left out of a page.
    case skipsRow
    /// After a start, events are read under other numbers.
    case renumbersEvents
    /// A reader keeps its position before what it has read.
    case keepsPositionFirst
}
