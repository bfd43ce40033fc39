import Testing

@Suite("Once all buffers have grown, intents allocate nothing")
struct SteadyStateTests {
    private static let batches = 1_500

    @Test("a call for memory is counted, and only between start and end")
    func counter() {
        let inside = allocations { UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 1).deallocate() }
        #expect(inside == 1)
        #expect(allocations {} == 0)
    }

    @Test(
        "neither reading nor deciding asks for memory",
        arguments: [false, true], [Int64(0), 1])
    func steadyState(hasRules: Bool, minutes: Int64) throws {
        let seed = UInt64(5)
        var stream = try SteadyStream(hasRules: hasRules, seed: seed)
        try stream.run(batches: Self.batches, minutes: minutes)
        try stream.run(batches: Self.batches, minutes: minutes)
        #expect(stream.readingAllocations == 0, "seed \(seed)")
        #expect(stream.decidingAllocations == 0, "seed \(seed)")
    }
}
