import RationBus
import RationModel
import RationWire
import Testing

@Suite("Asking")
struct QueryClientTests {
    /// Answers in a second thread what the test's thread asks.
    private func withBroker(
        _ serve: @escaping @Sendable (FakeBroker, FakeRequest, _ count: Int) throws -> Void,
        _ body: (QueryClient) throws -> Void
    ) throws {
        let broker = try ServingBroker(serve)
        defer { broker.stop() }
        var options = QueryClient.Options()
        options.deadlineMilliseconds = 100
        options.backoff = Backoff(firstMilliseconds: 1, mostMilliseconds: 2)
        try body(QueryClient(endpoint: broker.endpoint, in: Context(), options: options))
    }

    @Test("a page has its place in the log and its events")
    func read() throws {
        try withBroker { broker, request, _ in
            #expect(request.name == "ration/1 read")
            #expect(request.body.hasPrefix(#"{"after":7,"kinds":["due"],"#))
            try broker.answer(request, "ration/1 read", #"{"log":"l","first":3,"last":9,"next":8}"#, "{}\n")
        } _: { client in
            var request = ReadRequest()
            request.after = 7
            request.filter.kinds = [.due]
            let page = try client.read(request, timeoutMilliseconds: deadlineMilliseconds)
            #expect(page.answer == ReadAnswer(log: "l", first: 3, last: 9, next: 8))
            #expect(page.events == bytes("{}\n"))
        }
    }

    @Test("what is busy or silent is asked again; late answers to others are dropped")
    func again() throws {
        try withBroker { broker, request, count in
            switch count {
            case 1: try broker.refuse(request, RequestFault(.busy, "later"))
            case 2: break
            default:
                let other = FakeRequest(routingID: request.routingID, frames: ["", "999", ""])
                try broker.answer(other, "ration/1 status", "wrong")
                try broker.answer(request, "ration/1 status", #"{"now":\#(request.number)}"#)
            }
        } _: { client in
            let status = try client.status(timeoutMilliseconds: deadlineMilliseconds)
            #expect(status == bytes(#"{"now":1}"#))
        }
    }

    @Test("a refusal is an error with the broker's words")
    func refused() throws {
        try withBroker { broker, request, _ in
            #expect(request.body == #"{"app":"a\"b","device":"d"}"#)
            try broker.refuse(request, RequestFault(.unknown, "no such recipient"))
        } _: { client in
            let error = #expect(throws: QueryError.self) {
                try client.plan(app: "a\"b", device: "d", timeoutMilliseconds: deadlineMilliseconds)
            }
            #expect(error?.code == .refused(RequestFault(.unknown, "no such recipient")))
        }
    }

    @Test("without a broker the wait ends in time")
    func absent() throws {
        let context = try Context()
        let broker = try FakeBroker(in: context)
        broker.stop()
        let client = QueryClient(endpoint: broker.endpoint, in: context)
        let error = #expect(throws: QueryError.self) { try client.status(timeoutMilliseconds: 50) }
        #expect(error?.code == .noAnswer)
    }
}
