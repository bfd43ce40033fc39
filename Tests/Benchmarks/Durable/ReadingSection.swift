import RationBus
import RationWire

extension DurableBenchmark {
    /// Bytes of a page.
    private static let pageBytes = 1 << 20
    /// Events that one run reads at most.
    private static let mostEvents = 2_000_000

    /// `read` requests, against messages of the same size over the same kinds of sockets, in turns.
    func measureReading(_ section: inout FigureReport.Section) throws {
        let broker = try filledBroker()
        var (read, streamed, asked): ([Double], [Double], [Double]) = ([], [], [])
        var events: [Double] = []
        for _ in 0..<settings.runs {
            let log = try readLog(of: broker)
            read.append(Double(log.bytes) / log.seconds)
            events.append(Double(log.events) / log.seconds)
            let pages = try PageClient(pageBytes: log.bytes / max(1, log.pages), in: context)
            streamed.append(try pages.streamedBytesPerSecond(pages: log.pages))
            asked.append(try pages.askedBytesPerSecond(pages: log.pages))
        }
        let scale = Double(1 << 20)
        section.figures += [
            Figure(name: "readEvents", text: "the log read", value: events.median, unit: "events/s"),
            Figure(name: "readMiB", text: "the log read", value: read.median / scale, unit: "MiB/s"),
            Figure(
                name: "dealerRouterMiB", text: "DEALER to ROUTER, same messages, 64 under way",
                value: streamed.median / scale, unit: "MiB/s"),
            Figure(
                name: "readOfDealerRouter", text: "ratio", value: read.median / streamed.median, unit: "", digits: 3,
                aim: .atLeast(0.5)),
            Figure(
                name: "askedMiB", text: "DEALER and ROUTER, same pages asked for one by one",
                value: asked.median / scale, unit: "MiB/s"),
            Figure(
                name: "readOfAsked", text: "ratio to that", value: read.median / asked.median, unit: "", digits: 3),
        ]
    }

    /// What reading the log from its beginning brought.
    private struct LogRead {
        var events = 0
        var bytes = 0
        var pages = 0
        var seconds = 0.0
    }

    private func readLog(of broker: FilledBroker) throws -> LogRead {
        let numbers = try broker.numbers()
        let end = UInt64(min(numbers.last, numbers.first - 1 + Self.mostEvents))
        var options = PageReader.Options()
        options.pageBytes = Self.pageBytes
        let reader = PageReader(queries: broker.process.queries, in: context, options: options)
        var position = UInt64(numbers.first - 1)
        reader.seek(log: nil, after: position)
        var result = LogRead()
        result.seconds = try MachineClock.seconds {
            while position < end {
                let page = try reader.page()
                // Nothing is filtered: an event for each position, but those that are gone meanwhile.
                result.events += Int(page.answer.next - max(position, page.answer.first - 1))
                result.bytes += page.events.count
                result.pages += 1
                position = page.answer.next
            }
        }
        return result
    }
}
