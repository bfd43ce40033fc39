import Foundation
import RationBus

/// What a broker keeps up with while everything is synced (store.md), beside what its disk and others can do in the same
/// run.
final class DurableBenchmark {
    /// In the order in which they run: the broker that they share ends with the last one.
    enum Section: String, CaseIterable {
        case burst, single, reading, recipients, due, sustained, restart
    }

    let settings: DurableSettings
    let folder: URL
    let context: Context
    private let path: String
    private var shared: FilledBroker?
    /// Brokers that were filled, each in a folder of its own.
    private var brokers = 0
    /// The sections that could not be measured.
    private var failed: [String] = []

    init(_ settings: DurableSettings) throws {
        self.settings = settings
        let parent = settings.folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        folder = parent.appendingPathComponent("ration-bench-durable-\(getpid())")
        context = try Context()
        path = try BrokerProcess.path()
    }

    /// - Throws: `BenchmarkError` if something could not be measured or, if the settings say so, an aim is missed.
    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            shared = nil
            // What is left in the folder for temporary files harms nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        var report = FigureReport("durable", runs: settings.runs, measured: measured)
        tell([report.text])
        for section in Section.allCases where settings.sections.contains(section) {
            let measured = measure(section)
            report.sections.append(measured)
            // Some take minutes: what is known is told.
            tell([""] + report.text(of: measured))
        }
        if settings.isJSON { print(report.json) }
        guard failed.isEmpty else { throw BenchmarkError("could not be measured: \(failed.joined(separator: ", "))") }
        if settings.isGate { try report.requireAims() }
    }

    private func tell(_ lines: [String]) {
        guard !settings.isJSON else { return }
        print(lines.joined(separator: "\n"))
        fflush(nil)
    }

    private var measured: String {
        "broker   \(path)\nmedians of \(settings.runs) runs; \(settings.publishers) publishers with a window of 64 requests of "
            + "\(DurableSettings.pack) intents of \(IntentLine.byteCount) bytes, tcp on loopback"
    }

    /// One section; a failure is told with what it has, and costs the others nothing but a broker that is filled anew.
    private func measure(_ section: Section) -> FigureReport.Section {
        tellProgress("measuring \(section.rawValue)")
        var result = FigureReport.Section(name: section.rawValue)
        do {
            try measure(section, &result)
        } catch {
            failed.append(section.rawValue)
            result.notes.append("FAILED: \(error)")
            tellProgress("\(section.rawValue): \(error)")
            shared = nil
        }
        return result
    }

    private func measure(_ section: Section, _ result: inout FigureReport.Section) throws {
        switch section {
        case .burst: try measureBurst(&result)
        case .single: try measureSingle(&result)
        case .reading: try measureReading(&result)
        case .recipients: try measureRecipients(&result)
        case .due: try measureDue(&result)
        case .sustained: try measureSustained(&result)
        case .restart: try measureRestart(&result)
        }
    }

    /// The broker that sections share, filled when the first one wants it.
    func filledBroker() throws -> FilledBroker {
        if let shared { return shared }
        let broker = try filledBroker(recipients: settings.recipients)
        shared = broker
        return broker
    }

    func filledBroker(recipients: Int) throws -> FilledBroker {
        let population = Population(recipients: recipients, pending: settings.pending)
        tellProgress("filling a broker with \(Decimals.grouped(Double(population.notifications))) notifications")
        brokers += 1
        let data = folder.appendingPathComponent("broker-\(brokers)")
        return try FilledBroker(path, data: data, population, publishers: settings.publishers, in: context)
    }

    /// For people who wait; nothing else reads it.
    func tellProgress(_ text: String) {
        FileHandle.standardError.write(Data("bench: \(text)\n".utf8))
    }
}
