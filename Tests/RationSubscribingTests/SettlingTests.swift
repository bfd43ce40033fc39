import RationSubscribing
import Testing

@Suite("What a working subscriber has to tell before its process ends")
struct SettlingTests {
    /// - Parameter waits: how often it may wait; nil: as often as it wants.
    private func settle(
        _ running: Running<Telling>, limit: Int64 = 10_000, waits: Int? = nil
    ) -> (isTold: Bool, waited: [Int64]) {
        var waited: [Int64] = []
        let isTold = running.runner.settle(limitMilliseconds: limit) { milliseconds in
            waited.append(milliseconds)
            running.clock.milliseconds += milliseconds
            return waits.map { waited.count < $0 } ?? true
        }
        return (isTold, waited)
    }

    private func running() throws -> Running<Telling> { try Running<Telling>(FakeLog(), TemporaryFile()) }

    @Test("It works until all is told, with the waits that it asks for")
    func told() throws {
        let running = try running()
        running.plugin.untold = 3
        #expect(settle(running) == (true, [20, 20]))
        #expect(running.plugin.turns == 3)
        #expect(settle(running) == (true, []))
    }

    @Test("What fails is tried again after a second")
    func failing() throws {
        let running = try running()
        (running.plugin.untold, running.plugin.fault) = (1, Poison())
        #expect(settle(running) == (true, [1_000]))
        #expect(running.told == [.unavailable("this event is poison"), .available])
    }

    @Test("It ends at its limit, and when the wait says so")
    func limits() throws {
        let running = try running()
        running.plugin.untold = 100
        #expect(settle(running, limit: 50) == (false, [20, 20, 10]))
        #expect(settle(running, waits: 2) == (false, [20, 20]))
    }

    @Test("One that does not work has nothing to tell")
    func storing() throws {
        let running = try Running<Storing>(FakeLog(), TemporaryFile())
        #expect(running.runner.settle(limitMilliseconds: 1) { _ in false })
    }
}
