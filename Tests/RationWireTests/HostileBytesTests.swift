import Glibc
import RationModel
import RationWire
import TestSupport
import Testing

@Suite("Bytes of every kind: never a crash, and as many intents as lines")
struct HostileBytesTests {
    static let samples =
        [
            Line.schedule.with(["type": #""habit""#, "expires": #""2026-12-01T12:00:00Z""#, "overdue": #""drop""#])
                .withContent([
                    "sound": #"{"name":"a","critical":true,"volume":0.5}"#, "badge": "1",
                    "userInfo": #"{"a":{"b":[1,2.5,null]}}"#,
                ]), .schedule.with(["trigger": #"{"calendar":{"hour":8},"repeats":true}"#]),
            .cancel.with(["prefix": #""é""#]),
            .device.with([
                "categories": #"["a","b"]"#, "reserved": "4",
                "quietHours": #"[{"from":"22:00","to":"07:30","days":["mon"],"types":["a"],"exempt":["critical"]}]"#,
            ]), .remove, .feedback,
        ].map { Array($0.text.utf8) }

    static let pieces = [
        "{", "}", "[", "]", "\"", ",", ":", "null", "true", "-1", "1e308", "1e999", "\\", "\\u0000", "\\ud800", "\n",
        "\r\n", " ", "\0",
        "\u{FEFF}", "\u{85}", "aps", "op", "schedule", "9223372036854775808", "é", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ].map { Array($0.utf8) }

    /// Random bytes, or a sample with a few places changed.
    static func line(using random: inout SplitMix64) -> [UInt8] {
        if Int.random(in: 0..<4, using: &random) == 0 {
            let length = Int.random(in: 0..<80, using: &random)
            return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        var line = samples.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 0...3, using: &random) where !line.isEmpty {
            let place = Int.random(in: 0..<line.count, using: &random)
            let end = min(line.count, place + Int.random(in: 0...6, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: line[place] = .random(in: 0...255, using: &random)
            case 1: line.removeSubrange(place..<end)
            case 2: line.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
            case 3: line.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
            default: line.removeSubrange(place...)
            }
        }
        return line
    }

    @Test("100,000 random and mutated lines")
    func lines() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var reader = IntentReader(zones: EveryZone())
        var batch = IntentBatch()
        var (read, refused) = (0, 0)
        for _ in 0..<100 {
            batch.removeAll()
            let body = Array((0..<1000).map { _ in Self.line(using: &random) }.joined(separator: [0x0A]))
            let expected = body.count { $0 == 0x0A } + (body.last == 0x0A ? 0 : 1)
            let lines = try body.withUnsafeBytes { try reader.read($0, isPadded: false, into: &batch) }
            try #require(lines == expected && batch.intents.count == expected, "seed \(seed)")
            let rejected = batch.intents.count { $0.operation == .rejected }
            try #require(batch.rejections.count == rejected, "seed \(seed)")
            try #require(
                batch.rejections.allSatisfy { $0.message.utf8.count < 600 && $0.field.utf8.count < 300 }, "seed \(seed)"
            )
            read += expected - rejected
            refused += rejected
        }
        #expect(read > 8_000 && refused > 20_000, "both kinds are met; seed \(seed)")
    }

    @Test("No byte behind a body is read unless it may be: here a page follows that nobody may touch")
    func guardPage() async {
        await #expect(processExitsWith: .success) {
            let page = 65_536
            let memory = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            try #require(memory != MAP_FAILED && mprotect(memory + page, page, PROT_NONE) == 0)
            var reader = IntentReader(zones: EveryZone())
            var batch = IntentBatch()
            for line in [Line.schedule, .remove] {
                let body = Array((line.text + "\n" + line.text).utf8)
                let place = memory + page - body.count
                place.copyMemory(from: body, byteCount: body.count)
                _ = try reader.read(
                    UnsafeRawBufferPointer(start: place, count: body.count), isPadded: false, into: &batch)
            }
            try #require(batch.rejections == [])
        }
    }

    @Test("What is read has only well-formed text in it")
    func text() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<5 {
            let body = Array((0..<1000).map { _ in Self.line(using: &random) }.joined(separator: [0x0A]))
            let batch = try batch(body).batch
            for intent in batch.intents {
                for range in [intent.app, intent.device, intent.id, intent.type, intent.content] {
                    let bytes = batch.bytes.with(range) { Array($0) }
                    try #require(Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes, "seed \(seed)")
                }
            }
        }
    }
}
