import Glibc
import RationModel
import TestSupport
import Testing

@testable import RationZones

@Suite("Files of the tz database")
struct ZoneFileTests {
    private static func system(_ name: String) throws -> [UInt8] {
        try ZoneDirectory(path: "/usr/share/zoneinfo").content(of: name)
    }

    private func fault(_ change: (inout ZoneFileBytes) -> Void) -> String? {
        var file = ZoneFileBytes()
        file.types = [(0, 0, 0), (3600, 1, 0)]
        file.transitions = [(0, 1), (1000, 0)]
        change(&file)
        do throws(ZoneFault) { _ = try ZoneFile(file.bytes) } catch { return error.reason }
        return nil
    }

    @Test("versions 1 to 4 and later ones are read", arguments: [0, 50, 51, 52, 53] as [UInt8])
    func versions(version: UInt8) throws {
        var bytes = ZoneFileBytes()
        bytes.version = version
        bytes.types = [(-3600, 0, 0), (3600, 1, 0)]
        bytes.transitions = [(-1000, 1), (1000, 0)]
        bytes.footer = "\nABC1\n"
        let file = try ZoneFile(bytes.bytes)
        #expect(file.offsetMilliseconds == -3_600_000)
        #expect(file.transitions.map(\.start.milliseconds) == [-1_000_000, 1_000_000])
        #expect(file.transitions.map(\.offsetMilliseconds) == [3_600_000, -3_600_000])
        #expect(file.rule == (version == 0 ? nil : ZoneRule(standardMilliseconds: -3_600_000)))
    }

    @Test("an empty footer says nothing: the last transition holds on")
    func emptyFooter() throws {
        #expect(fault { $0.footer = "\n\n" } == nil)
    }

    @Test("counts, indexes and values that contradict the format are refused with the limit and the value")
    func contradictions() throws {
        #expect(fault { _ in } == nil)
        #expect(fault { $0.transitions[1].type = 2 } == "expected a transition type below 2, found 2")
        #expect(fault { $0.transitions[1].time = 0 } == "expected times that ascend, found 0 after 0")
        #expect(fault { $0.types[1].offset = 93_601 } == "expected an offset within 26 hours, found 93601 s")
        #expect(fault { $0.types[1].offset = .min } == "expected an offset within 26 hours, found -2147483648 s")
        #expect(fault { $0.types[1].isDaylight = 2 }?.hasPrefix("expected a mark of 0 or 1") == true)
        #expect(fault { $0.types[1].abbreviation = 4 }?.hasPrefix("expected a mark of 0 or 1") == true)
        #expect(fault { $0.types = [] }?.contains("found 0 and 4") == true)
        #expect(fault { $0.abbreviations = [] }?.contains("found 2 and 0") == true)
        #expect(fault { $0.leapSeconds = 1 } == "expected no leap seconds, found 1")
        #expect(fault { $0.standardIndicators = [0] } == "expected no indicators or 2, found 0 and 1")
        #expect(fault { $0.utcIndicators = [0, 0, 0] } == "expected no indicators or 2, found 3 and 0")
        #expect(fault { ($0.utcIndicators, $0.standardIndicators) = ([0, 0], [0, 0]) } == nil)
        #expect(fault { $0.version = 49 } == "expected a version of 0 or from 50 on, found 49")
        #expect(fault { $0.footer = "\nABC\n" } == "expected a POSIX TZ string, found 'ABC'")
        #expect(fault { $0.footer = "ABC0\n" } == "expected a footer between newlines")
        #expect(
            fault { $0.footer = "\nABC-1\n" }
                == "expected a TZ string that agrees with the last transition's offset, 0 ms, found 3600000 ms")
    }

    @Test("a file cut off at any byte is refused", arguments: ["Europe/Dublin", "Asia/Kathmandu", "UTC"])
    func truncated(name: String) throws {
        let bytes = try Self.system(name)
        _ = try ZoneFile(bytes)
        for count in 0..<bytes.count {
            #expect(throws: ZoneFault.self) { try ZoneFile(Array(bytes[..<count])) }
        }
    }

    @Test("a count changed in any bit of a header is refused")
    func flippedCounts() throws {
        let bytes = try Self.system("Europe/Dublin")
        let second = try #require((5..<bytes.count).first { bytes[$0...].starts(with: "TZif".utf8) })
        for header in [0, second] {
            for bit in 0..<24 * 8 {
                var changed = bytes
                changed[header + 20 + bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(throws: ZoneFault.self) { try ZoneFile(changed) }
            }
        }
    }

    @Test("any damaged bytes are read or refused, and what is read answers")
    func damaged() throws {
        let seed: UInt64 = 12
        var random = SplitMix64(seed: seed)
        let names = ["Europe/Dublin", "Africa/Casablanca", "Australia/Lord_Howe", "Etc/GMT+12"]
        let files = try names.map { try Self.system($0) }
        var read = 0
        for _ in 0..<1000 {
            var bytes = files[Int.random(in: files.indices, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let file = try? ZoneFile(bytes) else { continue }
            read += 1
            let zone = ZoneTable(
                name: "Test/Damaged", offsetMilliseconds: file.offsetMilliseconds, transitions: file.transitions,
                rule: file.rule)
            let instant = Instant(milliseconds: Int64.random(in: .min ... .max, using: &random) >> 20)
            #expect(abs(zone.offset(at: instant)) <= ZoneTable.furthestMilliseconds, "seed \(seed)")
            if let next = zone.nextTransition(after: instant) { #expect(next > instant, "seed \(seed)") }
        }
        #expect(read > 200)
    }

    @Test("a broken file of a database is an error with its path and the reason")
    func brokenFile() throws {
        let folder = try Folder()
        try folder.write(ZoneFileBytes().bytes, to: "Area/Good")
        let good = try ZoneDatabase(directory: folder.path)
        #expect(good.count == 1)
        try folder.write(Array(ZoneFileBytes().bytes.dropLast(3)), to: "Area/Bad")
        do throws(ZoneError) {
            _ = try ZoneDatabase(directory: folder.path)
            Issue.record("read")
        } catch {
            #expect(error.code == .broken && error.path == "\(folder.path)/Area/Bad")
            #expect(error.message == "byte 105: expected a footer between newlines")
        }
    }
}
