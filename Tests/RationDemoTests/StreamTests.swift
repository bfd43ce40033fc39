import RationDemo
import RationModel
import Testing

@Suite("The stream of intents")
struct StreamTests {
    @Test("A pacer lets through as many intents a second as it is told to", arguments: [1, 7, 200, 200_000])
    func keepsPace(perSecond: Int) {
        var pacer = Pacer(perSecond: perSecond, start: start)
        var intents = 0
        for millisecond in 0..<Int64(10_000) {
            while pacer.isDue(at: start.advanced(by: millisecond)) {
                pacer.count(1)
                intents += 1
            }
        }
        #expect(intents == perSecond * 10)
    }

    @Test("Who falls behind by more than two seconds leaves out what was missed before")
    func leavesOutWhatWasMissed() {
        var pacer = Pacer(perSecond: 100, start: start)
        var intents = 0
        while pacer.isDue(at: start.advanced(by: 60_000)) {
            pacer.count(1)
            intents += 1
        }
        #expect(intents == 201)
        #expect(pacer.next == start.advanced(by: 60_010))
    }

    @Test("Lines are taken in their order, whole, however many at a time", arguments: [1, 3, 256])
    func takesLinesInOrder(most: Int) throws {
        let expected = try text(seed: 2, start: start, devices: 20, moments: 0)
        var day = try DemoDay(seed: 2, start: start, devices: 20, zones: tzDatabase())
        var lines = IntentLines()
        var taken: [UInt8] = []
        while day.appendBacklog(to: &lines) {
            let count = lines.count
            let part = lines.take(most)
            #expect(part.last == UInt8(ascii: "\n"))
            #expect(part.count { $0 == UInt8(ascii: "\n") } == min(most, count))
            #expect(lines.count == count - min(most, count))
            taken += part
        }
        taken += lines.take(.max)
        #expect(String(decoding: taken, as: UTF8.self) == expected)
        #expect(lines.take(1) == [])
    }
}
