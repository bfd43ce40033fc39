import Foundation

extension DurableBenchmark {
    /// One intent at a time, against fdatasync after an append of 4 KiB on the same disk, in turns.
    func measureSingle(_ section: inout FigureReport.Section) throws {
        let broker = try filledBroker()
        var (acknowledged, synced) = (Latencies(), Latencies())
        for run in 0..<settings.runs {
            synced.add(try appends(to: folder.appendingPathComponent("appended-\(run)").path))
            let alone = try Intake(
                broker.process.endpoint, publishers: 1, named: "single-\(run)", window: 1, in: context)
            let moves = broker.moves(intentsEach: 1)
            acknowledged.add(try alone.publish(moves, until: .requests(settings.singles)).latencies)
        }
        let (whole, disk) = (acknowledged.milliseconds(at: 0.5), synced.milliseconds(at: 0.5))
        section.figures += [
            Figure(name: "singleP50", text: "one intent acknowledged, p50", value: whole, unit: "ms", digits: 3),
            Figure(name: "fdatasyncP50", text: "fdatasync of 4 KiB, p50", value: disk, unit: "ms", digits: 3),
            Figure(
                name: "singleOfFdatasync", text: "ratio", value: whole / disk, unit: "", digits: 2, aim: .atMost(2.5)),
        ]
        section.notes += ["acknowledged \(acknowledged.text)", "fdatasync \(synced.text)"]
    }

    private func appends(to path: String) throws -> Latencies {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw BenchmarkError("cannot make \(path)") }
        defer {
            close(file)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 0x61, count: 4_096)
        var latencies = Latencies()
        for _ in 0..<settings.singles {
            let start = MachineClock.nanoseconds()
            guard write(file, bytes, bytes.count) == bytes.count, fdatasync(file) == 0 else {
                throw BenchmarkError("cannot append to \(path)")
            }
            latencies.add(MachineClock.nanoseconds() - start)
        }
        return latencies
    }
}
