import Foundation

extension DurableBenchmark {
    /// What is left to apply.
    private var loadSeconds: Double { Double(min(2, settings.seconds)) }

    /// From the start of a process to `ready`, behind two seconds of load, with the disk's content still in memory; and what
    /// a pending notification takes in memory.
    func measureRestart(_ section: inout FigureReport.Section) throws {
        let broker = try filledBroker()
        let notifications = broker.population.notifications
        section.figures.append(
            Figure(
                name: "residentBytesEach", text: "memory of a pending notification, of \(notifications)",
                value: Double(broker.filledBytes - broker.emptyBytes) / Double(notifications), unit: "bytes", digits: 1,
                aim: .atMost(100)))
        for (name, signal) in [("SIGTERM", SIGTERM), ("SIGKILL", SIGKILL)] {
            let seconds = try restarts(of: broker, by: signal)
            section.figures.append(
                Figure(
                    name: "restartAfter\(name)", text: "ready after \(name)", value: seconds.median, unit: "s",
                    digits: 2,
                    aim: .atMost(10)))
            section.notes.append(
                "after \(name): " + seconds.map { Decimals.text($0, 2) }.joined(separator: ", ") + " s, then "
                    + "\(try broker.process.residentBytes() >> 20) MiB resident")
        }
    }

    private func restarts(of broker: FilledBroker, by signal: Int32) throws -> [Double] {
        try (0..<settings.runs).map { _ in
            let load = try broker.intake.publish(broker.moves(), until: .seconds(loadSeconds))
            guard load.requests > 0 else { throw BenchmarkError("no load before the restart") }
            let seconds = try broker.restart(after: signal)
            let recipients = try broker.numbers().recipients
            guard recipients == broker.population.recipients else {
                throw BenchmarkError("\(recipients) recipients after a restart, of \(broker.population.recipients)")
            }
            return seconds
        }
    }
}
