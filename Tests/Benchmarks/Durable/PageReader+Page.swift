import RationBus

extension PageReader {
    /// The next page; waits for it.
    /// - Throws: `BenchmarkError` if there is none within 30 s.
    func page() throws -> QueryClient.Page {
        let end = MachineClock.nanoseconds() + 30_000_000_000
        while MachineClock.nanoseconds() < end {
            if case .page(let page) = try next(timeoutMilliseconds: 1_000) { return page }
        }
        throw BenchmarkError("the broker's log gives no page within 30 s")
    }
}
