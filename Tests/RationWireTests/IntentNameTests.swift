import RationModel
import Testing

@Suite("Names in intents: each just at and just over its limit")
struct IntentNameTests {
    static func quoted(_ count: Int, _ character: String = "n") -> String {
        "\"" + String(repeating: character, count: count) + "\""
    }

    @Test(
        "Lengths",
        arguments: [
            (Line.schedule, "app", 128), (.schedule, "device", 128), (.schedule, "id", 256), (.schedule, "type", 64),
            (.cancel, "id", 256), (.cancel, "type", 64), (.feedback, "id", 256), (.remove, "app", 128),
            (.device, "device", 128),
        ])
    func lengths(line: Line, field: String, limit: Int) throws {
        for count in [1, limit] { #expect(try refusal(line.with([field: Self.quoted(count)]).text) == nil) }
        for count in [0, limit + 1] {
            #expect(try refusal(line.with([field: Self.quoted(count)]).text) == "\(field) \(field)")
        }
    }

    @Test(
        "Characters, escaped or not",
        arguments: [
            ("app", #"a b"#), ("app", "é"), ("app", #"a\u0000"#), ("app", "a/b"), ("type", "a b"), ("type", "a/b"),
            ("type", "ü"),
            ("device", "a/b"), ("device", #"a\/b"#), ("device", " a"), ("device", "a "), ("device", #"a\nb"#),
            ("device", #"\u007f"#), ("device", #"a\u0085"#), ("id", " a"), ("id", #"a\u0020"#), ("id", #"\u0000"#),
            ("id", #"a\u001fb"#), ("id", "a\u{7F}b"), ("id", "a\u{9F}b"),
        ])
    func characters(field: String, text: String) throws {
        #expect(try refusal(Line.schedule.with([field: "\"\(text)\""]).text) == "\(field) \(field)")
    }

    @Test("What is right is kept byte for byte", arguments: ["a/b c", "日本語", "👩‍👩‍👧", "e\u{301}", #"a"b\"#])
    func kept(id: String) throws {
        let escaped = id.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
        let batch = try batch(Line.schedule.with(["id": "\"\(escaped)\"", "type": #""A.b-c_9""#]).text)
        let intent = try #require(batch.intents.first)
        #expect(Array(batch.bytes.text(intent.id).utf8) == Array(id.utf8))
        #expect(batch.bytes.text(intent.type) == "A.b-c_9")
        #expect(batch.bytes.text(intent.app) == "com.example.a")
        #expect(batch.bytes.text(intent.device) == "d1")
    }

    @Test("A rejected line names what it could: texts within their limits")
    func rejected() throws {
        let long = Self.quoted(257)
        let lines: [Line] = [
            .schedule.with(["id": #"" x""#]), .schedule.with(["id": long]), .schedule.with(["app": "1", "x": "2"]),
        ]
        let batch = try batch(lines.map(\.text).joined(separator: "\n") + "\n{\"app\":\"a\"")
        #expect(batch.intents.map { batch.bytes.text($0.id) } == [" x", "", "n1", ""])
        #expect(batch.intents.map { batch.bytes.text($0.app) } == ["com.example.a", "com.example.a", "", ""])
        #expect(batch.intents.map { batch.bytes.text($0.device) } == ["d1", "d1", "d1", ""])
        #expect(batch.intents.map(\.detail) == [0, 1, 2, 3])
    }

    @Test("What a device names is kept; what it does not name is nil")
    func settings() throws {
        let all = [
            "timeZone": #""America/Sao_Paulo""#, "token": #""""#, "environment": #""sandbox""#, "delivery": #""local""#,
            "reserved": "4e0", "categories": #"["reminder",""]"#,
        ]
        let batch = try batch(Line.device.with(all).text + "\n" + Line.device.text)
        var expected = DeviceSettings()
        (expected.timeZone, expected.token, expected.environment) = ("America/Sao_Paulo", "", "sandbox")
        (expected.delivery, expected.reserved, expected.categories) = (.local, 4, ["reminder", ""])
        #expect(batch.settings == [expected, DeviceSettings()])
        #expect(batch.intents.map(\.detail) == [0, 1])
    }

    @Test("The ends of what a device may name")
    func deviceLimits() throws {
        let categories = { (count: Int) in "[" + (0..<count).map { "\"c\($0)\"" }.joined(separator: ",") + "]" }
        let cases: [(String, String, String)] = [
            ("reserved", "1000000", "1000001"), ("reserved", "0", "-1"), ("token", Self.quoted(512), Self.quoted(513)),
            ("categories", categories(256), categories(257)),
            ("categories", "[\(Self.quoted(256))]", "[\(Self.quoted(257))]"), ("categories", "[]", "[1]"),
        ]
        for (field, right, wrong) in cases {
            #expect(try refusal(Line.device.with([field: right]).text) == nil)
            #expect(try refusal(Line.device.with([field: wrong]).text) == "intent.malformed \(field)")
        }
    }
}
