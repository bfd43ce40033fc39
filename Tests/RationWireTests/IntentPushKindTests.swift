import RationModel
import RationWire
import Testing

@Suite("Content for pushes: attachments, targets, and what is no alert")
struct IntentPushKindTests {
    private static let activity = #"{"event":"update","contentState":{"b":1,"a":"x"}}"#

    @Test(
        "Taken",
        arguments: [
            ["kind": #""alert""#], ["targetContentId": #""scene""#], ["attachments": #"["https://a.example/b.png"]"#],
            ["title": nil, "kind": #""background""#],
            ["title": nil, "kind": #""background""#, "userInfo": #"{"a":1}"#],
            ["title": nil, "kind": #""liveActivity""#, "activity": activity],
            [
                "kind": #""liveActivity""#, "activity": activity, "body": #""B""#, "sound": #""s""#,
                "relevanceScore": "0.5",
            ],
            ["title": nil, "kind": #""broadcast""#, "channel": #""dHN0LXNyY2gtY2hubA==""#, "activity": activity],
            [
                "title": nil, "kind": #""liveActivity""#,
                "activity": #"{"event":"start","contentState":{},"attributesType":"A","attributes":{},"staleDate":1}"#,
            ],
        ] as [[String: String?]])
    func taken(members: [String: String?]) throws {
        #expect(try refusal(Line.schedule.withContent(members).text) == nil)
    }

    @Test(
        "Refused, each with its code and field",
        arguments: [
            (["kind": #""Alert""#], "content.kind content.kind"), (["kind": "1"], "content.kind content.kind"),
            (["channel": #""x""#], "content.kind content.channel"),
            (["activity": "{}"], "content.kind content.activity"),
            (["kind": #""background""#], "content.kind content.title"),
            (["title": nil, "kind": #""background""#, "badge": "1"], "content.kind content.badge"),
            (["title": nil, "kind": #""background""#, "sound": #""s""#], "content.kind content.sound"),
            (["title": nil, "kind": #""liveActivity""#], "content.activity content.activity"),
            (["kind": #""liveActivity""#, "activity": activity, "badge": "1"], "content.kind content.badge"),
            (["kind": #""liveActivity""#, "activity": activity, "channel": #""x""#], "content.kind content.channel"),
            (
                ["kind": #""liveActivity""#, "activity": #"{"event":"begin","contentState":{}}"#],
                "content.activity content.activity.event"
            ),
            (
                ["kind": #""liveActivity""#, "activity": #"{"event":"update"}"#],
                "content.activity content.activity.contentState"
            ),
            (
                ["kind": #""liveActivity""#, "activity": #"{"event":"start","contentState":{}}"#],
                "content.activity content.activity.attributes"
            ),
            (
                ["kind": #""liveActivity""#, "activity": #"{"event":"update","contentState":{},"attributes":{}}"#],
                "content.activity content.activity.attributes"
            ),
            (
                ["kind": #""liveActivity""#, "activity": #"{"event":"end","contentState":{},"dismissalDate":"soon"}"#],
                "content.activity content.activity.dismissalDate"
            ),
            (
                ["kind": #""liveActivity""#, "activity": #"{"event":"end","contentState":{},"more":1}"#],
                "content.activity content.activity.more"
            ),
            (["kind": #""broadcast""#, "activity": activity], "content.channel content.channel"),
            (["kind": #""broadcast""#, "activity": activity, "channel": #""a b""#], "content.channel content.channel"),
            (
                [
                    "kind": #""broadcast""#, "channel": #""a""#,
                    "activity": #"{"event":"start","contentState":{},"attributesType":"A","attributes":{}}"#,
                ],
                "content.activity content.activity.event"
            ),
            (["attachments": "[]"], "content.attachments content.attachments"),
            (["attachments": #"["http://a"]"#], "content.attachments content.attachments"),
            (["attachments": #"["https://a b"]"#], "content.attachments content.attachments"),
            (["attachments": #"["https://"]"#], "content.attachments content.attachments"),
            (
                ["attachments": #"["https://a"]"#, "userInfo": #"{"attachments":1}"#],
                "content.userInfo content.userInfo"
            ),
            (["targetContentId": "1"], "intent.malformed content.targetContentId"),
        ] as [([String: String?], String)])
    func refused(members: [String: String?], expected: String) throws {
        #expect(try refusal(Line.schedule.withContent(members).text) == expected)
    }

    @Test("Ends: ten attachments, 256 bytes of a target, 128 of a channel")
    func ends() throws {
        for count in [10, 11] {
            let list = Array(repeating: #""https://a""#, count: count).joined(separator: ",")
            let expected = count == 10 ? nil : "content.attachments content.attachments"
            #expect(try refusal(Line.schedule.withContent(["attachments": "[\(list)]"]).text) == expected)
        }
        for count in [256, 257] {
            let target = "\"\(String(repeating: "t", count: count))\""
            let expected = count == 256 ? nil : "content.targetContentId content.targetContentId"
            #expect(try refusal(Line.schedule.withContent(["targetContentId": target]).text) == expected)
        }
        for count in [128, 129] {
            let channel = "\"\(String(repeating: "c", count: count))\""
            let line = Line.schedule.withContent([
                "kind": #""broadcast""#, "activity": Self.activity, "channel": channel,
            ])
            #expect(try refusal(line.text) == (count == 128 ? nil : "content.channel content.channel"))
        }
    }

    @Test("Equal contents have equal bytes, and an alert's kind is not kept")
    func canonical() throws {
        let first = try content(
            .schedule.withContent([
                "title": nil, "kind": #""liveActivity""#,
                "activity":
                    #"{"staleDate":1796112000000,"contentState":{"b":1,"a":"x"},"event":"update","dismissalDate":null}"#,
            ]))
        let second = try content(
            .schedule.withContent([
                "title": nil, "kind": #""liveActivity""#,
                "activity": #"{"event":"update","contentState":{"a":"x","b":1.0},"staleDate":"2026-12-01T08:00:00Z"}"#,
            ]))
        #expect(first == second && first != nil)
        #expect(try content(.schedule.withContent(["kind": #""alert""#])) == #"{"title":"T"}"#)
    }

    private func push(_ content: String, at milliseconds: Int64 = 1_796_112_000_000) throws -> PushContent {
        var reader = PushContentReader()
        return try reader.read(Array(content.utf8), at: Instant(milliseconds: milliseconds))
    }

    @Test(
        "Payloads in Apple's names",
        arguments: [
            (#"{"title":"T","badge":0}"#, #"{"aps":{"alert":{"title":"T"},"badge":0}}"#),
            (
                #"{"title":"T","sound":{"name":"s","critical":true,"volume":0.5},"interruptionLevel":"critical"}"#,
                #"{"aps":{"alert":{"title":"T"},"sound":{"name":"s","critical":1,"volume":0.5},"interruption-level":"critical"}}"#
            ),
            (
                #"{"title":"T","subtitle":"S","body":"B","threadId":"t","category":"c","relevanceScore":0.5,"#
                    + #""targetContentId":"x","attachments":["https://a"],"userInfo":{"habit":42}}"#,
                #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"thread-id":"t","category":"c","relevance-score":0.5,"#
                    + #""mutable-content":1,"target-content-id":"x"},"attachments":["https://a"],"habit":42}"#
            ),
            (#"{"kind":"background","userInfo":{"a":1}}"#, #"{"aps":{"content-available":1},"a":1}"#),
            (
                #"{"kind":"liveActivity","title":"T","sound":"s","activity":{"event":"end","contentState":{"a":1},"#
                    + #""dismissalDate":"2026-12-01T09:00:00Z"}}"#,
                #"{"aps":{"timestamp":1796112000,"event":"end","content-state":{"a":1},"dismissal-date":1796115600,"#
                    + #""alert":{"title":"T","sound":"s"}}}"#
            ),
            (
                #"{"kind":"liveActivity","activity":{"event":"start","contentState":{},"attributesType":"A","attributes":{"n":1}}}"#,
                #"{"aps":{"timestamp":1796112000,"event":"start","content-state":{},"attributes-type":"A","attributes":{"n":1}}}"#
            ),
        ])
    func payloads(content: String, expected: String) throws {
        #expect(String(decoding: try push(content).payload, as: UTF8.self) == expected)
    }

    @Test("A live activity's payload has 4,096 bytes at most, whenever it is sent")
    func size() throws {
        func content(_ count: Int) -> String {
            #"{"kind":"liveActivity","activity":{"event":"update","contentState":{"a":"\#(String(repeating: "x", count: count))"}}}"#
        }
        let overhead = try push(content(0)).payload.count
        #expect(try push(content(4096 - overhead)).payload.count == 4096)
        #expect(throws: Rejection.self) { try push(content(4097 - overhead)) }
        // What an intent is refused for is what is sent: at no time is it longer.
        #expect(try push(content(4096 - overhead), at: 9_000_000_000_000).payload.count == 4096)
    }

    @Test("A failed push's feedback may give a reason, a word; other outcomes give none")
    func reason() throws {
        let failed = Line.feedback.with(["outcome": #""failed""#])
        #expect(try refusal(failed.with(["reason": #""BadDeviceToken""#]).text) == nil)
        for reason in [#""""#, #""a b""#, "1", "\"\(String(repeating: "r", count: 65))\""] {
            #expect(try refusal(failed.with(["reason": reason]).text) == "intent.malformed reason")
        }
        #expect(try refusal(Line.feedback.with(["reason": #""x""#]).text) == "intent.malformed reason")
        var writer = IntentWriter()
        writer.feedback(id: "n", failure: "Unregistered", app: "com.example.a", device: "d1")
        writer.feedback(id: "n", failure: nil, app: "com.example.a", device: "d1")
        let read = try batch(writer.bytes)
        #expect(read.lines == 2 && read.batch.rejections.isEmpty)
        #expect(String(decoding: writer.bytes, as: UTF8.self).contains(#""outcome":"failed","reason":"Unregistered"}"#))
    }
}
