import RationModel
import RationPlanner
import SoonestOrder
import TestSupport
import Testing

@Suite("What a part of the checkpoint takes along")
struct CheckpointOrderTests {
    @Test("contents that are to fire one after the other stand one behind the other, whoever's they are")
    func byFireDate() throws {
        var core = Core(
            policy: CompiledPolicy(Policy(), order: SoonestOrder(), rules: []), zones: TestZones(), seed: 1,
            isJournaling: true)
        let start = try #require(Instant(rfc3339: "2026-12-01T08:00:00Z"))
        var random = SplitMix64(seed: 5)
        // The later it is to fire, the longer its content.
        let seconds = (0..<200).map { (second: $0, key: random.next()) }.sorted { $0.key < $1.key }.map(\.second)
        let requests = seconds.map { second in
            var request = GeneratedRequest()
            request.device = "d\(random.next() % 30)"
            request.id = "n\(second)"
            request.body = String(repeating: "b", count: second + 1)
            request.trigger = .at(start.advanced(by: Int64(second) * 1_000))
            return request
        }
        var decision = Decision()
        core.batch = 1
        core.decide(IntentBatch(requests), clock: start.advanced(by: -60_000), into: &decision)
        var records = 0
        core.takeRecords(bytes: .max) { _, _ in records += 1 }
        let moves = core.contentMoves
        #expect(records > 20 && moves.count == 200)
        #expect(zip(moves, moves.dropFirst()).allSatisfy { $0.count < $1.count })
        #expect(zip(moves, moves.dropFirst()).allSatisfy { $0.to.rawValue < $1.to.rawValue })
    }
}
