import RationBus
import RationModel
import RationWire
import Testing

@testable import PlannerModel

/// What a device has pending, with its dates.
struct LoadPlan: Equatable {
    struct Entry: Equatable {
        var id: String
        /// Milliseconds since 1970.
        var fireDate: Int
    }

    var device: String
    var held: [Entry]
    var queued: [Entry]

    /// Reads the answer to `plan`.
    /// - Returns: nil for a device that is not known.
    init?(_ answer: JSON) throws {
        guard let device = answer["device"]?.text else { return nil }
        self.device = device
        held = (answer["held"]?.list ?? []).map { Self.entry($0["id"]?.text, $0["fireDate"]?.text) }
        queued = (answer["queued"]?.list ?? []).map { Self.entry($0["id"]?.text, $0["fireDate"]?.text) }
    }

    /// Reads a plan of the slow model.
    init(model line: String) throws {
        let plan = try JSON(line)
        device = plan["device"]?.text ?? ""
        held = (plan["held"]?.list ?? []).map { Self.entry($0.list?.first?.text, $0.list?.last?.text) }
        queued = (plan["queued"]?.list ?? []).map { Self.entry($0.list?.first?.text, $0.list?.last?.text) }
    }

    private static func entry(_ id: String?, _ date: String?) -> Entry {
        Entry(id: id ?? "", fireDate: Int(date.flatMap { Instant(rfc3339: $0)?.milliseconds } ?? 0))
    }
}

/// One batch, as answers and events tell it.
private struct ToldBatch {
    var now: Instant
    var lines: [String] = []
    var outcomes = ""
}

/// Acknowledgements, the log and plans, held against the slow model.
extension BrokerUnderLoad {
    /// Compares everything that the broker has told with what the slow model makes of the same requests at the same instants.
    /// - Returns: how many requests and events were compared.
    @discardableResult
    func compare(_ location: SourceLocation = #_sourceLocation) throws -> (requests: Int, events: Int) {
        let events = try broker.events()
        try #require(events.compactMap(\.sequence) == Array(1...max(1, events.count)), sourceLocation: location)
        var model = ModelSimulation(policy: try Value(json: Array(#"{"slots":4,"queueLimit":6,"grace":"1h"}"#.utf8)))
        for (number, batch) in try batches(events).sorted(by: { $0.key < $1.key }) {
            let before = model.lines.count
            let intents = try batch.lines.map { try Value(json: Array($0.utf8)) }
            model.step(Step(now: batch.now.milliseconds, intents: intents, isDown: true))
            let rejected = model.lines[before...].count { $0.contains(#""kind":"rejected""#) }
            try #require(
                batch.outcomes.utf8.count == batch.lines.count && batch.outcomes.count { $0 == "r" } == rejected,
                "seed \(seed), batch \(number): \(batch.outcomes) for \(batch.lines)", sourceLocation: location)
        }
        let told = events.map(Self.line)
        let expected = model.lines.filter { !$0.contains(#""kind":"rejected""#) }
        let same = zip(told, expected).prefix { $0 == $1 }.count
        try #require(
            told == expected,
            "seed \(seed): the log has \(told.dropFirst(same).prefix(2)), the model \(expected.dropFirst(same).prefix(2))",
            sourceLocation: location)
        try comparePlans(&model, location)
        return (publishers.reduce(0) { $0 + $1.requests.count }, events.count)
    }

    private func comparePlans(_ model: inout ModelSimulation, _ location: SourceLocation) throws {
        let before = model.lines.count
        model.writePlans()
        let expected = try model.lines[before...].map { try LoadPlan(model: $0) }
        try #require(try plans() == expected, "seed \(seed)", sourceLocation: location)
    }

    /// All batches that anybody was told of, by number.
    private func batches(_ events: [JSON]) throws -> [UInt64: ToldBatch] {
        var batches: [UInt64: ToldBatch] = [:]
        for event in events {
            let number = UInt64(event["data"]?["batch"]?.integer ?? 0)
            let now = try #require(Instant(rfc3339: event["time"]?.text ?? ""))
            batches[number, default: ToldBatch(now: now)].now = now
        }
        for publisher in publishers {
            try #require(publisher.answers.map(\.number) == Array(1...UInt64(publisher.requests.count)))
            for (lines, answer) in zip(publisher.requests, publisher.answers) {
                guard case .acknowledgement(let committed) = answer else {
                    throw UnexpectedAnswer(publisher: publisher.name, answer: answer)
                }
                let told = try committed.acknowledgement()
                try #require(told.log == broker.log)
                var batch = batches[told.batch] ?? ToldBatch(now: told.now)
                try #require(batch.now == told.now, "batch \(told.batch)")
                batch.lines += lines
                batch.outcomes += told.outcomes
                batches[told.batch] = batch
            }
        }
        return batches
    }

    /// An event as the slow model writes it.
    private static func line(_ event: JSON) -> String {
        let data = event["data"] ?? .null
        func text(_ name: String) -> String { data[name]?.text ?? "" }
        var line = #"{"at":"\#(event["time"]?.text ?? "")","kind":"\#(text("kind"))","app":"\#(text("app"))","#
        line += #""device":"\#(text("device"))","id":"\#(text("id"))","fireDate":"\#(text("fireDate"))""#
        if let cause = data["cause"]?.text { line += #","cause":"\#(cause)""# }
        if let reason = data["reason"]?.text { line += #","reason":"\#(reason)""# }
        if let isFinal = data["final"]?.bool { line += #","final":\#(isFinal)"# }
        return line + "}"
    }
}

/// A request of a named publisher that was not acknowledged.
struct UnexpectedAnswer: Error {
    var publisher: String
    var answer: PublishingAnswer
}
