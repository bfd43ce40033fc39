import Testing

@testable import RationBroker

@Suite struct ReplanPaceTests {
    /// After slices of recipients that cost so much each, when the pace has settled.
    private func settled(nanosecondsEach: Int, intake: Int, backlog: Int = 1_000_000) -> ReplanPace {
        var pace = ReplanPace()
        for _ in 0..<64 {
            let recipients = pace.recipients(besideIntake: intake)
            pace.record(recipients: recipients, from: 0, to: recipients * nanosecondsEach, backlog: backlog)
        }
        return pace
    }

    @Test(
        "a slice takes half as long as the intake of its turn, from a tenth of a millisecond to two",
        arguments: [
            (intake: 0, budget: 100_000), (199_999, 100_000), (200_000, 100_000), (1_000_000, 500_000),
            (4_000_000, 2_000_000), (100_000_000, 2_000_000),
        ])
    func budget(intake: Int, budget: Int) {
        let recipients = settled(nanosecondsEach: 1_000, intake: intake).recipients(besideIntake: intake)
        #expect((budget / 1_000 * 98 / 100...budget / 1_000).contains(recipients), "\(recipients)")
    }

    @Test("a slice has at least one recipient and at most 4,096, whatever they cost", arguments: [0, 1, 1 << 30])
    func ends(nanosecondsEach: Int) {
        let pace = settled(nanosecondsEach: nanosecondsEach, intake: .max)
        #expect(pace.recipients(besideIntake: .max) == (nanosecondsEach > 1 ? 1 : 4096))
    }

    @Test("a slice is at most twice as large as the one before; one that was dear makes the next small at once")
    func change() {
        var pace = ReplanPace()
        var last = pace.recipients(besideIntake: 0)
        #expect(last <= 16)
        for _ in 0..<20 {
            pace.record(recipients: last, from: 0, to: last, backlog: 0)
            let next = pace.recipients(besideIntake: 0)
            #expect(next <= 2 * last)
            last = next
        }
        pace.record(recipients: last, from: 0, to: last * 50_000, backlog: 0)
        #expect(pace.recipients(besideIntake: 0) == 2)
    }

    @Test("between slices there is a rest, unless the whole would then take more than a quarter of a minute")
    func rest() {
        // 100 recipients a slice of 0.1 ms and 1 ms of rest: 1.1 s for 100,000 of them.
        for (backlog, rests) in [(0, true), (1_300_000, true), (1_400_000, false)] {
            let pace = settled(nanosecondsEach: 1_000, intake: 0, backlog: backlog)
            #expect((pace.next > 200_000) == rests, "\(backlog)")
        }
    }
}
