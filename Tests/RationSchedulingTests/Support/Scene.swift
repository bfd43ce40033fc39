import RationBus
import RationModel
import RationPluginKit
import Testing

@testable import RationScheduling

/// A scheduler, its facts, its state and a broker: everything but a network and a clock.
final class Scene {
    static let hour: Int64 = 3_600_000
    let folder: Folder
    let facts: FactsFile
    let broker = SimulatedBroker()
    var options: SchedulerOptions
    private(set) var notices: [SchedulerNotice] = []
    private(set) var state: SchedulerState?
    private var cycle: SchedulerCycle?
    private(set) var link: SimulatedLink?
    /// Called at each step of a link.
    var step: () throws -> Void = {}

    init() throws {
        folder = try Folder()
        facts = try FactsFile(folder.facts)
        options = SchedulerOptions(
            name: "rows", facts: folder.facts, state: folder.state, queries: ["wanted": FactsFile.query],
            intentsEndpoint: "", queriesEndpoint: "")
        options.readingMilliseconds = 60_000
    }

    /// The instant so many milliseconds from the beginning.
    static func at(_ milliseconds: Int64) -> Int64 { 1_000_000 + milliseconds }

    var lines: [String] {
        notices.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }
    var complaints: [String] {
        notices.compactMap { if case .complaint(let line) = $0 { line } else { nil } }
    }

    /// The process ends without a word.
    func kill() {
        (state, cycle, link) = (nil, nil, nil)
    }

    /// A run; the process starts before if there is none.
    func run(_ reason: RunReport.Reason = .periodic) throws {
        let state = try state ?? SchedulerState(file: folder.state, name: "rows", plugin: "rows")
        self.state = state
        let cycle =
            cycle
            ?? SchedulerCycle(
                RowScheduler(), options, zones: NoZones(), state: state, clock: SystemMonotonicClock(),
                now: { [broker] in broker.now }, tell: { [unowned self] in notices.append($0) })
        self.cycle = cycle
        for _ in 0..<4 {
            let link = try link ?? SimulatedLink(broker, state)
            self.link = link
            link.step = step
            do {
                return try cycle.run(reason, over: link, goOn: {})
            } catch is SchedulerCycle.LinkStale {
                self.link = nil
            } catch is SimulatedLink.Misfit {
                self.link = nil
                try state.startAnew()
            }
        }
        Issue.record("the links stay stale")
    }

    /// When a recipient has to be looked at again, by the last run.
    var nextChange: Int64? { cycle?.nextChange.milliseconds }

    /// The lines that have come since the last call.
    func received() -> [String] {
        defer { broker.received = [] }
        return broker.received
    }

    /// Those of them that are no clearing of the prefix.
    func receivedIDs() -> [String] {
        received().compactMap { line in
            let operation = line.contains(#""op":"cancel""#) ? "-" : "+"
            guard let start = line.range(of: #""id":""#), let end = line[start.upperBound...].firstIndex(of: "\"")
            else {
                return nil
            }
            return operation + line[start.upperBound..<end]
        }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}

func place(_ id: String, _ device: String = "d1") -> SimulatedBroker.Place {
    SimulatedBroker.Place(device: device, id: id)
}
