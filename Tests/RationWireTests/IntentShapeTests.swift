import RationModel
import Testing

@Suite("Lines that are no JSON, or no intent")
struct IntentShapeTests {
    @Test("All five operations are read, with nothing but what they need")
    func smallest() throws {
        let cancels: [Line] = [
            .cancel.with(["id": #""n""#]), .cancel.with(["prefix": #""n""#]), .cancel.with(["type": #""n""#]),
        ]
        let lines: [Line] = [.schedule] + cancels + [.device, .remove, .feedback]
        let batch = try batch(lines.map(\.text).joined(separator: "\n"))
        #expect(batch.rejections == [])
        #expect(
            batch.intents.map(\.operation) == [
                .schedule, .cancelID, .cancelPrefix, .cancelType, .device, .remove, .feedback,
            ])
    }

    @Test(
        "The rule `json`",
        arguments: [
            "", " ", "{", "nul", "{\"a\":1}}", "{} {}", #"{"op":"\ud800"}"#, #"{"op":"\udc00\ud800"}"#,
            #"{"a":1,"a":1}"#,
            #"{"a":1,"\u0061":1}"#, #"{"a":{"b":1,"c":2,"b":3}}"#, #"{"a":1e999}"#, #"{"a":-1e999}"#,
            #"{"a":9223372036854775808}"#, #"{"a":-9223372036854775809}"#, #"{"a":01}"#, #"{"a":NaN}"#, #"{'a':1}"#,
            "{\"a\":\"\t\"}", #"{"a":"\x"}"#, "\u{FEFF}{}", "{}\0",
        ])
    func json(line: String) throws {
        // A body without a byte has no line at all.
        #expect(try refusal(line.isEmpty ? "\n" : line) == "json ")
    }

    @Test(
        "Bytes that are no UTF-8 are refused, each alone",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]])
    func utf8(bytes: [UInt8]) throws {
        let bad = Array(#"{"op":""#.utf8) + bytes + Array(#""}"#.utf8)
        let good = Array(Line.remove.text.utf8)
        let (batch, lines) = try batch(bad + [0x0A] + good + [0x0A] + bad)
        #expect(lines == 3)
        #expect(batch.intents.map(\.operation) == [.rejected, .remove, .rejected])
        #expect(batch.rejections.map(\.code) == [.json, .json])
    }

    @Test("32 levels are read, 33 are not")
    func depth() throws {
        // The intent, its content, its userInfo and this many more.
        for (count, code) in [(29, nil), (30, "json ")] {
            let nested = String(repeating: "[", count: count) + String(repeating: "]", count: count)
            #expect(try refusal(Line.schedule.withContent(["userInfo": "{\"k\":\(nested)}"]).text) == code)
        }
    }

    @Test("10,000 values are read, one more is not")
    func values() throws {
        // The intent, the list and its elements, with op, app and device.
        for (count, code) in [(9_995, "intent.malformed categories"), (9_996, "json ")] {
            let list = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
            #expect(try refusal(Line.device.with(["categories": list]).text) == code)
        }
    }

    @Test("What is no object is no intent", arguments: ["1", "null", "true", "\"schedule\"", "[]", "[{}]", "1.5"])
    func kinds(line: String) throws {
        #expect(try refusal(line) == "intent.malformed ")
    }

    @Test(
        "Missing fields",
        arguments: [
            (Line.schedule, ["op", "app", "device", "id", "trigger"]),
            (.cancel.with(["id": #""n""#]), ["op", "app", "device"]),
            (.device, ["op", "app", "device"]), (.remove, ["op", "app", "device"]),
            (.feedback, ["op", "app", "device", "id", "outcome"]),
        ])
    func missing(line: Line, fields: [String]) throws {
        for field in fields {
            #expect(try refusal(line.with([field: nil]).text) == "intent.malformed \(field)")
            #expect(
                try refusal(line.with([field: "null"]).text) == "intent.malformed \(field)", "null counts as absent")
        }
    }

    @Test("A schedule has content; null is none")
    func missingContent() throws {
        #expect(try refusal(Line.schedule.withContent(["title": nil]).text) == "intent.malformed content")
        #expect(try refusal(Line.schedule.with(["content": "null"]).text) == "intent.malformed content")
    }

    @Test(
        "Fields of another kind than they should be",
        arguments: [
            (Line.schedule, ["op", "app", "device", "id", "type", "content", "trigger", "expires", "overdue"]),
            (.cancel.with(["id": #""n""#]), ["op", "app", "device", "id"]), (.cancel, ["prefix", "type"]),
            (.device, ["app", "timeZone", "token", "environment", "delivery", "reserved", "categories"]),
            (.remove, ["op", "app", "device"]), (.feedback, ["op", "app", "device", "id", "outcome", "action"]),
            (.feedback.with(["outcome": #""failed""#]), ["reason"]),
            (.feedback.with(["outcome": #""action""#]), ["textLength"]),
        ])
    func mistyped(line: Line, fields: [String]) throws {
        for field in fields {
            for value in ["true", "[1]", "1.5"] {
                #expect(try refusal(line.with([field: value]).text) == "intent.malformed \(field)")
            }
        }
    }

    @Test(
        "Words of a fixed set",
        arguments: [
            (Line.schedule, "op", ["Schedule", "", "schedules"]), (.schedule, "overdue", ["Drop", "", "delivered"]),
            (.device, "environment", ["prod", "", "Sandbox"]), (.device, "delivery", ["pull", "", "PUSH"]),
            (.feedback, "outcome", ["", "seen", "Opened"]),
        ])
    func words(line: Line, field: String, words: [String]) throws {
        for word in words {
            #expect(try refusal(line.with([field: "\"\(word)\""]).text) == "intent.malformed \(field)")
        }
    }

    @Test(
        "Fields that no intent has, or this one has not",
        arguments: [
            (Line.schedule, ["prefix", "timeZone", "token", "outcome", "quietHours"]),
            (.cancel.with(["id": #""n""#]), ["content", "trigger", "expires", "overdue", "reserved"]),
            (.device, ["id", "type", "content", "action"]), (.remove, ["id", "type", "prefix", "delivery"]),
            (.feedback, ["type", "content", "categories", "environment"]),
        ])
    func unknown(line: Line, fields: [String]) throws {
        for field in fields + ["Op", "unknown", "ops", "i", "", "time zone"] {
            #expect(try refusal(line.with([field: "1"]).text) == "intent.malformed \(field)")
        }
        for field in fields { #expect(try refusal(line.with([field: "null"]).text) == nil, "null counts as absent") }
    }

    @Test("Of an unknown key no more than 64 bytes are told")
    func longKey() throws {
        let key = String(repeating: "k", count: 70_000)
        let batch = try batch(Line.schedule.with([key: "1"]).text + "\n" + Line.schedule.withContent([key: "1"]).text)
        #expect(batch.rejections.map(\.field.utf8.count) == [64, 64 + "content.".utf8.count])
        #expect(batch.rejections.allSatisfy { $0.message.utf8.count < 200 })
    }

    @Test("A cancel names exactly one of id, prefix and type")
    func selectors() throws {
        #expect(try refusal(Line.cancel.text) == "intent.malformed ")
        #expect(try refusal(Line.cancel.with(["id": "null", "type": "null"]).text) == "intent.malformed ")
        let all = ["id": #""n""#, "prefix": #""n""#, "type": #""n""#]
        #expect(try refusal(Line.cancel.with(all).text) == "intent.malformed ")
        for name in all.keys {
            #expect(try refusal(Line.cancel.with(all.merging([name: "null"]) { $1 }).text) == "intent.malformed ")
        }
        #expect(try refusal(Line.cancel.with(["prefix": #""""#]).text) == "intent.malformed prefix")
    }
}
