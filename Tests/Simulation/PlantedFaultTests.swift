import RationBus
import Testing

@Suite("Faults that are built into a simulated broker")
struct PlantedFaultTests {
    /// Seeds after which a fault counts as not found.
    static let seeds: UInt64 = 2_000

    @Test("each is found")
    func all() throws {
        let context = try Context()
        var found: [String] = []
        for fault in PlantedFault.allCases {
            var tally = Tally()
            let failure = (1...Self.seeds).lazy.compactMap { seed in
                SimulationTests.failure(seed: seed, fault: fault, context, &tally).map { (seed, $0) }
            }.first
            guard let (seed, words) = failure else {
                Issue.record("\(fault) is not found in \(Self.seeds) seeds")
                continue
            }
            let rule = words.split(separator: "\n").first.map {
                $0.split(separator: ":").dropFirst().joined(separator: ":")
            }
            found.append("\(fault): seed \(seed):\((rule ?? "").prefix(120))")
        }
        print(found.joined(separator: "\n"))
        print("found \(found.count) of \(PlantedFault.allCases.count) planted faults")
    }
}
