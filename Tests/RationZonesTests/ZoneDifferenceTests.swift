import Foundation
import RationModel
import TestSupport
import Testing

@testable import RationZones

@Suite("Zone tables against other readings of the tz database")
struct ZoneDifferenceTests {
    private static func milliseconds(_ year: Int) -> Int64 {
        Instant.days(year: year, month: 1, day: 1) * Instant.dayMilliseconds
    }

    private static let start = milliseconds(2020)
    private static let end = milliseconds(2041)

    private static func database() throws -> (zones: ZoneDatabase, names: [String]) {
        let names = try ZoneDirectory(path: "/usr/share/zoneinfo").names()
        return (try ZoneDatabase(), names.map { String(decoding: $0, as: UTF8.self) }.sorted())
    }

    private static func foundationOffset(_ zone: TimeZone, at milliseconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))) * 1000
    }

    /// The instants of a zone's transitions from 2020 to 2040, by this reading and by Foundation's.
    private static func transitions(_ zone: ZoneTable, _ other: TimeZone) -> [Int64] {
        var found: [Int64] = []
        var instant = Instant(milliseconds: start)
        while let next = zone.nextTransition(after: instant), next.milliseconds < end {
            found.append(next.milliseconds)
            instant = next
        }
        var date = Date(timeIntervalSince1970: Double(start) / 1000)
        while let next = other.nextDaylightSavingTimeTransition(after: date), next > date {
            guard next.timeIntervalSince1970 * 1000 < Double(end) else { break }
            found.append(Int64(next.timeIntervalSince1970 * 1000))
            date = next
        }
        return found
    }

    @Test("every zone from 2020 to 2040 has Foundation's offsets, around every transition and at any instant")
    func foundation() throws {
        let seed: UInt64 = 2020
        var random = SplitMix64(seed: seed)
        let (zones, names) = try Self.database()
        var compared = 0
        for name in names {
            guard let other = TimeZone(identifier: name) else { continue }
            let zone = try #require(Array(name.utf8).withUnsafeBytes { zones.zone(named: $0) })
            compared += 1
            let any = (0..<40).map { _ in Int64.random(in: Self.start..<Self.end, using: &random) }
            let around = Self.transitions(zone, other).flatMap { [$0 - 1, $0, $0 + 1] }
            let wrong = (around + any).first {
                zone.offset(at: Instant(milliseconds: $0)) != Self.foundationOffset(other, at: $0)
            }
            #expect(wrong == nil, "\(name), seed \(seed)")
        }
        print("zones compared with Foundation: \(compared) of \(names.count)")
        #expect(compared > 400)
    }

    @Test("a file's footer gives the transitions that the file lists")
    func footers() throws {
        let (_, names) = try Self.database()
        var compared = 0
        for name in names {
            let file = try ZoneFile(ZoneDirectory(path: "/usr/share/zoneinfo").content(of: name))
            let kept = file.transitions.filter { $0.start.milliseconds < Self.milliseconds(2027) }
            guard let rule = file.rule, rule.daylight != nil, kept.count < file.transitions.count,
                // Morocco's Ramadan has no rule: its transitions are listed to 2087.
                let last = file.transitions.last, last.start.milliseconds < Self.milliseconds(2040)
            else { continue }
            compared += 1
            let cut = ZoneTable(
                name: name, offsetMilliseconds: file.offsetMilliseconds, transitions: kept, rule: rule)
            let listed = ZoneTable(
                name: name, offsetMilliseconds: file.offsetMilliseconds, transitions: file.transitions)
            let instants = file.transitions.suffix(40).flatMap { transition in
                [-1, 0, 1].map { transition.start.advanced(by: $0) }
            }
            let wrong = instants.first { cut.offset(at: $0) != listed.offset(at: $0) }
            #expect(wrong == nil, "\(name)")
        }
        print("footers compared with listed transitions: \(compared)")
        // A database built without listed years of rules (zic's `-b slim`) has none to compare.
    }

    @Test("what the table lists of a rule and what arithmetic says beyond it repeat every 400 years")
    func cycle() throws {
        let seed: UInt64 = 400
        var random = SplitMix64(seed: seed)
        let cycle: Int64 = 146_097 * Instant.dayMilliseconds
        let (zones, names) = try Self.database()
        for name in names {
            let zone = try #require(Array(name.utf8).withUnsafeBytes { zones.zone(named: $0) })
            for _ in 0..<12 {
                // What follows the moon (Ramadan in Morocco and Palestine) is listed to 2087.
                let time = Int64.random(in: Self.milliseconds(2090)..<Self.milliseconds(2150), using: &random)
                let (near, far) = (Instant(milliseconds: time), Instant(milliseconds: time + cycle))
                #expect(zone.offset(at: near) == zone.offset(at: far), "\(name) \(near.rfc3339), seed \(seed)")
                #expect(
                    zone.nextTransition(after: near)?.advanced(by: cycle) == zone.nextTransition(after: far),
                    "\(name) \(near.rfc3339), seed \(seed)")
                let wall = time + zone.offset(at: near)
                #expect(
                    zone.instant(wall: wall).advanced(by: cycle) == zone.instant(wall: wall + cycle),
                    "\(name) \(near.rfc3339), seed \(seed)")
            }
        }
    }
}
