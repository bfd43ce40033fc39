internal import RationBus
internal import RationModel
internal import RationSQLite
internal import RationWire

/// Publishes feedback, so that what became of each push is an event.
final class FeedbackPublisher {
    private let outbox: FeedbackOutbox
    private let client: PublishingClient
    private let meter: APNsMeter
    private let clock = SystemMonotonicClock()
    private var lastSubmission = Int64.min / 2

    /// Between two requests that are not full: each of them is synced to disk.
    private static let pauseMilliseconds: Int64 = 200
    /// A request with as many lines does not wait.
    private static let fullLines = 1_000

    init(name: String, intents: String, _ database: SQLiteDatabase, meter: APNsMeter, in context: Context) throws {
        outbox = try FeedbackOutbox(database)
        client = try PublishingClient(endpoint: intents, publisher: name, outbox: outbox, in: context)
        self.meter = meter
    }

    /// Sends what there is and takes what has come, without waiting.
    /// - Returns: whether there is more to do soon.
    func advance(_ tables: APNsTables) throws -> Bool {
        var isWaiting = false
        while client.hasRoom, let next = try tables.feedback(most: Limits.requestLines) {
            isWaiting = next.count < Self.fullLines && clock.milliseconds - lastSubmission < Self.pauseMilliseconds
            if isWaiting { break }
            lastSubmission = clock.milliseconds
            outbox.through = next.through
            try client.submit(next.body, timeoutMilliseconds: 0)
        }
        for answer in try client.poll(timeoutMilliseconds: 0) { try count(answer) }
        return isWaiting || !client.isDrained
    }

    private func count(_ answer: PublishingAnswer) throws {
        switch answer {
        case .acknowledgement(let request):
            let read = try request.acknowledgement()
            meter.update { counters in
                let rejected = read.count(.rejected)
                counters.feedback["taken", default: 0] += UInt64(read.outcomes.utf8.count - rejected)
                if rejected > 0 { counters.feedback["rejected", default: 0] += UInt64(rejected) }
            }
        case .alreadyCommitted: break
        case .refusal: meter.update { $0.feedback["refusedRequests", default: 0] += 1 }
        case .unknown: break
        }
    }
}
