import Glibc
import RationBus
import RationCommandLine
import RationConfiguration
import RationJSON
import RationModel
import RationSubscribing
import RationWire

/// Looks at a subscriber from outside, and pauses and resumes it.
struct SubscriberControl {
    let configuration: SubscriberConfiguration
    let queries: String
    let console: Console

    private static let patienceMilliseconds: Int64 = 5_000
    private static let queryMilliseconds = 1_000

    func showStatus() throws -> ExitStatus {
        let snapshot = try SubscriberSnapshot.read(SubscriberSnapshot.open(configuration.data))
        let process = try RunningProcess.identifier(configuration.data)
        var table = TextTable([.init("name"), .init("value")])
        table.append(["subscriber", snapshot.name])
        table.append(["process", process.map { "\($0)" } ?? "none"])
        table.append(["paused", snapshot.isPaused ? "yes" : "no"])
        table.append(["data", configuration.data])
        if let cursor = snapshot.cursor {
            table.append(["log", cursor.log])
            table.append(["position", "\(cursor.position)"])
            table.append(["events", "\(cursor.events)"])
            table.append(["gone", "\(cursor.gone)"])
            for row in lag(behind: cursor) { table.append(row) }
        }
        table.append(["set aside", "\(snapshot.setAside)"])
        for line in table.lines() { try console.output.line(line) }
        return .success
    }

    /// How far behind the log's end a position is, as the broker says.
    private func lag(behind cursor: SubscriberFile.Cursor) -> [[String]] {
        var request = ReadRequest()
        (request.log, request.after, request.most) = (cursor.log, cursor.position, 1)
        do {
            let client = QueryClient(endpoint: queries, in: try Context())
            let page = try client.read(request, timeoutMilliseconds: Self.queryMilliseconds)
            let behind = page.answer.last - min(page.answer.last, cursor.position)
            var rows = [["events behind", "\(behind)"]]
            if let line = page.events.split(separator: 0x0A).first {
                var reader = ReceivedEventReader()
                let event = try Array(line).withUnsafeBytes { try reader.read($0) }
                rows.append(["behind since", event.time.rfc3339])
            }
            return rows
        } catch {
            return [["events behind", "unknown: \(error)"]]
        }
    }

    /// Tells the running process, or the file where none runs, and waits until the file says so.
    func setPaused(_ isPaused: Bool) throws -> ExitStatus {
        if let process = try RunningProcess.identifier(configuration.data) {
            guard kill(process, isPaused ? SIGUSR1 : SIGUSR2) == 0 else {
                throw CommandFailure("cannot tell process \(process): \(String(cString: strerror(errno)))")
            }
            try awaitPaused(isPaused, process)
        } else {
            let lock = try RunningProcess(configuration.data)
            try SubscriberFile(configuration.data, of: configuration.name).setPaused(isPaused)
            withExtendedLifetime(lock) {}
        }
        try console.output.line("\(configuration.name) is \(isPaused ? "paused" : "not paused")")
        return .success
    }

    private func awaitPaused(_ isPaused: Bool, _ process: Int32) throws {
        let clock = SystemMonotonicClock()
        let end = clock.milliseconds + Self.patienceMilliseconds
        var poller = Poller()
        while true {
            let snapshot = try SubscriberSnapshot.read(SubscriberSnapshot.open(configuration.data))
            if snapshot.isPaused == isPaused { return }
            guard clock.milliseconds < end else {
                throw CommandFailure(
                    "process \(process) was told, and has not done it after \(Self.patienceMilliseconds) ms")
            }
            try poller.wait(milliseconds: 20)
        }
    }
}
