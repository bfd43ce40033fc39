import RationModel
import Testing

@testable import RationBroker

@Suite("Clock (store.md)")
struct ClockGuardTests {
    private var guarding = ClockGuard()
    private let start: Int64 = 1_800_000_000_000

    /// A reading so many milliseconds after the start, with a wall clock that is so far off.
    private func reading(_ elapsed: Int64, off: Int64 = 0) -> ClockReading {
        ClockReading(wall: Instant(milliseconds: start + elapsed + off), sinceBootMilliseconds: 5_000 + elapsed)
    }

    private func at(_ elapsed: Int64) -> Instant { Instant(milliseconds: start + elapsed) }

    @Test("while the clocks agree, now is the wall clock, slow drift and a suspended machine included")
    mutating func agreeing() {
        #expect(guarding.read(reading(0)) == at(0))
        // The time since boot goes on while the machine sleeps.
        #expect(guarding.read(reading(86_400_000)) == at(86_400_000))
        for step in 1...100 as ClosedRange<Int64> {
            let off = step * 30_000
            #expect(guarding.read(reading(86_400_000 + step, off: off)) == at(86_400_000 + step + off))
        }
        #expect(guarding.state == .trusted)
        #expect(guarding.forwardJumps == 0)
    }

    @Test(
        "a jump forward is believed up to a minute, and doubted a millisecond later",
        arguments: [59_999, 60_000, 60_001])
    mutating func edge(jump: Int64) {
        _ = guarding.read(reading(0))
        let now = guarding.read(reading(1_000, off: jump))
        #expect(guarding.state == (jump > 60_000 ? .doubted : .trusted))
        #expect(now == at(1_000 + (jump > 60_000 ? 0 : jump)))
        #expect(guarding.forwardJumps == (jump > 60_000 ? 1 : 0))
    }

    @Test("a clock that is doubted goes on with the machine's time, counts once, and is trusted when it comes back")
    mutating func doubted() {
        _ = guarding.read(reading(0))
        for elapsed in [1_000, 2_000, 3_000] as [Int64] {
            #expect(guarding.read(reading(elapsed, off: 3_600_000)) == at(elapsed))
            #expect(guarding.aheadMilliseconds == 3_600_000)
        }
        #expect(guarding.forwardJumps == 1)
        #expect(guarding.read(reading(4_000, off: 10)) == at(4_010))
        #expect(guarding.state == .trusted)
        _ = guarding.read(reading(5_000, off: 3_600_000))
        #expect(guarding.forwardJumps == 2)
    }

    @Test("an accepted clock is now")
    mutating func accepted() {
        _ = guarding.read(reading(0))
        _ = guarding.read(reading(1_000, off: 3_600_000))
        guarding.accept()
        #expect(guarding.read(reading(1_001, off: 3_600_000)) == at(3_601_001))
        #expect(guarding.state == .trusted)
        #expect(guarding.forwardJumps == 1)
    }

    @Test("after a jump backward now stands still until the wall clock has come up to it")
    mutating func backward() {
        _ = guarding.read(reading(10_000))
        #expect(guarding.read(reading(11_000, off: -8_000)) == at(10_000))
        #expect(guarding.state == .waiting)
        #expect(guarding.read(reading(18_500, off: -8_000)) == at(10_500))
        #expect(guarding.state == .trusted)
        #expect(guarding.backwardJumps == 1)
    }

    @Test("a step back of a second is no jump")
    mutating func step() {
        _ = guarding.read(reading(10_000))
        #expect(guarding.read(reading(10_000, off: -1_000)) == at(10_000))
        #expect(guarding.backwardJumps == 0)
    }
}
