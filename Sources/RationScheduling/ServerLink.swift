internal import RationBus
internal import RationModel
internal import RationWire

/// A broker over its endpoints.
final class ServerLink: BrokerLink {
    private let client: PublishingClient
    private let queries: QueryClient
    private let filter: EventFilter
    /// Ends a wait for answers.
    private let descriptor: Int32?
    private var reader = ReceivedEventReader()

    private static let pageEvents = 10_000
    private static let pageBytes = 4 << 20
    private static let queryMilliseconds = 5_000

    /// - Parameters:
    ///   - types: of the scheduler's notifications.
    ///   - descriptor: a file whose data end a wait.
    init(
        _ options: SchedulerOptions, types: [String], outbox: any Outbox, descriptor: Int32?, in context: Context
    ) throws {
        client = try PublishingClient(
            endpoint: options.intentsEndpoint, publisher: options.name, outbox: outbox, in: context)
        queries = QueryClient(endpoint: options.queriesEndpoint, in: context)
        var filter = EventFilter()
        filter.types = types
        filter.kinds = [.due, .expired, .cancelled, .evicted]
        (self.filter, self.descriptor) = (filter, descriptor)
    }

    var hasRoom: Bool { client.hasRoom }
    var isDrained: Bool { client.isDrained }
    var isConnected: Bool { client.isConnected }
    /// The log that the broker has named last.
    var log: String? { client.log }

    func submit(_ body: [UInt8]) throws {
        try client.submit(body, timeoutMilliseconds: 0)
    }

    func answers(waiting milliseconds: Int) throws -> [PublishingAnswer] {
        try client.poll(timeoutMilliseconds: milliseconds, watching: descriptor)
    }

    func events(of log: String, after position: UInt64) throws -> EventPage {
        var request = ReadRequest()
        (request.log, request.after, request.filter) = (log, position, filter)
        (request.most, request.mostBytes) = (Self.pageEvents, Self.pageBytes)
        let page = try read(request)
        var events = EventPage(first: page.answer.first, last: page.answer.last, next: page.answer.next)
        try page.events.withUnsafeBytes { bytes in
            try Lines.forEach(in: bytes) { line in
                let event = try reader.read(line)
                if event.isFinal == true { events.events.append(event) }
            }
        }
        return events
    }

    func logEnd() throws -> (log: String, last: UInt64) {
        var request = ReadRequest()
        (request.most, request.mostBytes) = (1, 1)
        let answer = try read(request).answer
        return (answer.log, answer.last)
    }

    private func read(_ request: ReadRequest) throws -> QueryClient.Page {
        do {
            return try queries.read(request, timeoutMilliseconds: Self.queryMilliseconds)
        } catch let error as QueryError {
            if case .refused(let fault) = error.code, fault.code == .cursorAhead { throw PositionUnknown() }
            if error.isRetryable { throw BrokerSilent(description: error.description) }
            throw error
        }
    }
}
