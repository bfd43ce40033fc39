import RationSupervision
import Testing

@Suite("How soon a process is started again")
struct RestartPaceTests {
    @Test("the delay doubles from 100 ms to 10 s, and stays there")
    func doubles() {
        var pace = RestartPace()
        let delays = (0..<10).map { _ in pace.delay(afterRunOf: 0) }
        #expect(delays == [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000])
        for _ in 0..<100 { #expect(pace.delay(afterRunOf: 0) == 10_000) }
    }

    @Test(
        "a run of 10 s begins it afresh", arguments: [(9_999, 400), (10_000, 100), (10_001, 100)] as [(Int64, Int64)])
    func steady(ran: Int64, delay: Int64) {
        var pace = RestartPace()
        _ = pace.delay(afterRunOf: 0)
        _ = pace.delay(afterRunOf: 0)
        #expect(pace.delay(afterRunOf: ran) == delay)
        #expect(pace.delay(afterRunOf: 0) == 2 * delay)
    }
}
