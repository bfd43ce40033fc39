internal import RationModel
internal import RationSQLite

extension SchedulerState {
    /// Takes note of final events of the log, and moves the cursor, in one transaction.
    /// - Parameters:
    ///   - events: in the order of the log; other kinds and events that end nothing are left alone.
    ///   - next: up to where the log was read.
    ///   - isGone: whether the log no longer keeps what came before these.
    ///   - isEnd: whether that was the log's end, and every request has its acknowledgement: then all later events are
    ///     about what those requests asked for.
    func take(
        _ events: [ReceivedEvent], next: UInt64, isGone: Bool, isEnd: Bool, retryMilliseconds: Int64
    ) throws {
        try transactionThatMayBeLost {
            if isGone { try raise(.resend) }
            try apply(events.compactMap { Self.ending($0, retryMilliseconds) })
            if isEnd, !batches.isEmpty { try database.run("DELETE FROM acknowledgements") }
            if cursor != next {
                try database.run("UPDATE scheduler SET cursor = ?", [.integer(Int64(bitPattern: next))])
            }
        }
        cursor = next
        if isEnd { batches = [:] }
    }

    private static func ending(_ event: ReceivedEvent, _ retryMilliseconds: Int64) -> Ending? {
        guard event.isFinal == true else { return nil }
        let standing: PublishedNotification.Standing
        switch event.kind {
        // Its time is past where the device has gone; it may come back.
        case .expired where event.reason == .never:
            standing = .refused(until: event.time.advanced(by: retryMilliseconds))
        case .due, .expired: standing = .ended
        // Whoever has cancelled it was somebody else: what this scheduler cancels it does not know any more.
        case .evicted, .cancelled: standing = .refused(until: event.time.advanced(by: retryMilliseconds))
        case .accepted, .queued, .delivered, .opened, .dismissed, .action, .failed: return nil
        }
        return Ending(
            app: event.app, device: event.device, id: event.id, standing: standing,
            subject: .before(batch: event.batch))
    }
}
