import RationModel
import TestSupport
import Testing

@Suite("A zone's table of transitions")
struct ZoneTableTests {
    private static func zone(_ offsets: Int64..., at starts: [Int64]) -> ZoneTable {
        ZoneTable(
            name: "Test/Zone", offsetMilliseconds: offsets[0],
            transitions: zip(starts, offsets.dropFirst()).map {
                ZoneTable.Transition(start: Instant(milliseconds: $0), offsetMilliseconds: $1)
            })
    }

    private func instant(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    @Test("an offset holds from its transition to just before the next one")
    func offsets() {
        let zone = Self.zone(10, 20, 5, at: [1000, 5000])
        for (at, offset) in [(Int64.min, 10), (999, 10), (1000, 20), (4999, 20), (5000, 5), (.max, 5)] {
            #expect(zone.offset(at: instant(at)) == Int64(offset))
        }
    }

    @Test("transitions that change no offset are none")
    func unchanged() {
        let zone = Self.zone(10, 10, 20, 20, 10, at: [0, 1000, 2000, 3000])
        #expect(zone.nextTransition(after: instant(-1)) == instant(1000))
        #expect(zone.nextTransition(after: instant(1000)) == instant(3000))
        #expect(zone.nextTransition(after: instant(2999)) == instant(3000))
        #expect(zone.nextTransition(after: instant(3000)) == nil)
        #expect(ZoneTable.utc.nextTransition(after: .distantPast) == nil)
    }

    @Test("transitions outside the years 0 to 9999 count for what holds inside only")
    func outside() {
        let zone = Self.zone(10, 20, 30, 40, at: [.min, -62_167_219_200_000, .max])
        #expect(zone.offset(at: .distantPast) == 30 && zone.offset(at: .distantFuture) == 30)
        #expect(zone.nextTransition(after: .distantPast) == nil)
    }

    @Test("a wall time in a gap is read with the offset before it, one that comes twice is the first")
    func walls() {
        let gap = Self.zone(0, 3_600_000, at: [7_200_000])
        for (wall, expected) in [
            (7_199_999, 7_199_999), (7_200_000, 7_200_000), (9_000_000, 9_000_000), (10_799_999, 10_799_999),
            (10_800_000, 7_200_000), (10_800_001, 7_200_001),
        ] as [(Int64, Int64)] {
            #expect(gap.instant(wall: wall) == instant(expected))
        }
        let overlap = Self.zone(3_600_000, 0, at: [7_200_000])
        for (wall, expected) in [
            (7_199_999, 3_599_999), (7_200_000, 3_600_000), (10_799_999, 7_199_999), (10_800_000, 10_800_000),
        ] as [(Int64, Int64)] {
            #expect(overlap.instant(wall: wall) == instant(expected))
        }
    }

    @Test("wall times at the ends of the range are held there")
    func wallEnds() {
        let daylight = ZoneRule.Daylight(
            offsetMilliseconds: 7_200_000, begins: .init(day: .julian(90), milliseconds: 0),
            ends: .init(day: .julian(300), milliseconds: 0))
        let rule = ZoneRule(standardMilliseconds: -3_600_000, daylight: daylight)
        for zone in [Self.zone(-1000, 1000, at: [0]), ZoneTable(name: "Test/Rule", offsetMilliseconds: 0, rule: rule)] {
            #expect(zone.instant(wall: .max) >= Instant.writable.upperBound)
            #expect(zone.instant(wall: .min) <= Instant.writable.lowerBound)
        }
    }

    @Test("lookups agree with a look through the list, over centuries and within minutes")
    func search() {
        let seed: UInt64 = 9
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            let starts = Self.starts(&random)
            var offsets: [Int64] = [0]
            for index in starts.indices {
                let offset = Int64.random(in: -50_000...50_000, using: &random) * 1000
                offsets.append(offset == offsets[index] ? offset + 1000 : offset)
            }
            let zone = ZoneTable(
                name: "Test/Zone", offsetMilliseconds: 0,
                transitions: zip(starts, offsets.dropFirst()).map {
                    .init(start: instant($0), offsetMilliseconds: $1)
                })
            let any = (0..<20).map { _ in Int64.random(in: -9_000_000_000_000...9_000_000_000_000, using: &random) }
            for time in starts.flatMap({ [$0 - 1, $0, $0 + 1] }) + any {
                let past = starts.prefix { $0 <= time }.count
                #expect(zone.offset(at: instant(time)) == offsets[past], "seed \(seed), round \(round), \(time)")
                #expect(
                    zone.nextTransition(after: instant(time))?.milliseconds
                        == (past < starts.count ? starts[past] : nil), "seed \(seed), round \(round), \(time)")
            }
        }
    }

    private static func starts(_ random: inout SplitMix64) -> [Int64] {
        var time = Int64.random(in: -6_000_000_000_000...0, using: &random)
        return (0..<Int.random(in: 0...60, using: &random)).map { _ in
            time += Int64.random(in: 1...(1 << Int64.random(in: 1...38, using: &random)), using: &random)
            return time
        }
    }
}
