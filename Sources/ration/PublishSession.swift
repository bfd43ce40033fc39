import Glibc
import RationBus
import RationCommandLine

/// Sends requests, waits for their answers, and gives up when none comes for too long.
final class PublishSession {
    let report: PublishReport
    private let client: PublishingClient
    private let timeoutMilliseconds: Int64
    private let outboxFile: String?
    private let clock = SystemMonotonicClock()
    /// Since when an answer is awaited.
    private var waitingSince: Int64
    private var hasToldForgotten = false
    private var origins: [UInt64: RequestOrigin] = [:]

    private static let stepMilliseconds = 1_000

    init(client: PublishingClient, timeoutMilliseconds: Int64, report: PublishReport, outboxFile: String?) {
        self.client = client
        self.timeoutMilliseconds = timeoutMilliseconds
        self.report = report
        self.outboxFile = outboxFile
        waitingSince = clock.milliseconds
    }

    /// Sends a request; waits for room.
    /// - Returns: false if there was none in time.
    func submit(_ request: RequestPacker.Request?) throws -> Bool {
        guard let request else { return true }
        while !client.hasRoom {
            guard try step(Self.stepMilliseconds) else { return false }
        }
        if client.pendingCount == 0 { waitingSince = clock.milliseconds }
        let number = try client.submit(request.body)
        origins[number] = request.origin
        return try step(0)
    }

    /// Takes answers until an input has a whole line, or has come to its end.
    /// - Returns: false if an answer is overdue.
    func waitForLine(of input: LineInput) throws -> Bool {
        try report.flush()
        while input.needsMore {
            var item = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, 0) == 0 {
                guard try step(Self.stepMilliseconds, watching: input.fileDescriptor) else { return false }
                try report.flush()
            }
            try input.readMore()
        }
        return true
    }

    /// Waits for all answers, and tells the total.
    /// - Returns: whether everything was taken.
    func finish() throws -> Bool {
        while !client.isDrained {
            guard try step(Self.stepMilliseconds) else { return false }
        }
        try report.total()
        return report.isClean
    }

    /// Tells once what a restored broker has lost.
    private func tellForgotten() {
        guard !hasToldForgotten, let forgotten = client.forgotten else { return }
        hasToldForgotten = true
        report.warn(
            "the broker's event log \((client.log ?? "").printable) was restored from a backup: it does not know the requests "
                + "\(forgotten.lowerBound) to \(forgotten.upperBound), which were acknowledged before; publish again what is still wanted"
        )
    }

    /// - Returns: false if an answer is overdue, which has been told.
    private func step(_ milliseconds: Int, watching descriptor: Int32? = nil) throws -> Bool {
        defer { tellForgotten() }
        for answer in try client.poll(timeoutMilliseconds: milliseconds, watching: descriptor) {
            waitingSince = clock.milliseconds
            let origin = origins.removeValue(forKey: answer.number)
            try report.tell(
                answer, from: origin ?? RequestOrigin(file: "\(outboxFile ?? "outbox") request \(answer.number)"))
        }
        guard client.pendingCount > 0, clock.milliseconds - waitingSince >= timeoutMilliseconds else { return true }
        let kept = outboxFile.map { "; they stay in \($0), and the next run sends them" } ?? ""
        try report.giveUp(
            "no answer from \(client.endpoint) for \(timeoutMilliseconds) ms\(client.lastPostponement.map { ", which says: \($0.printable)" } ?? ""); requests without an acknowledgement: "
                + "\(client.pendingCount)\(kept)")
        return false
    }
}
