import RationModel
import Testing

@testable import RationPluginKit

@Suite("Content as the broker takes it")
struct ContentLimitTests {
    private static func content(_ edit: (inout WantedContent) -> Void) -> WantedContent {
        var content = WantedContent(title: "Water")
        edit(&content)
        return content
    }

    @Test(
        "the payload is counted as it is written",
        arguments: [
            (content { _ in }, #"{"aps":{"alert":{"title":"Water"}}}"#),
            (
                content { content in
                    (content.subtitle, content.body) = ("Glass", "a\"b\\c\nd\u{1}é")
                    (content.category, content.threadId, content.sound) = ("reminder", "water", "default")
                },
                #"{"aps":{"alert":{"title":"Water","subtitle":"Glass","body":"a\"b\\c\nd\u0001é"},"sound":"default","#
                    + #""thread-id":"water","category":"reminder"}}"#
            ),
            (
                content { content in
                    (content.interruptionLevel, content.relevanceScore) = (.timeSensitive, 0.25)
                    content.userInfo = ["habit": "water", "x": ""]
                },
                #"{"aps":{"alert":{"title":"Water"},"interruption-level":"time-sensitive","relevance-score":0.25},"#
                    + #""habit":"water","x":""}"#
            ),
            (
                content { content in
                    (content.title, content.sound, content.interruptionLevel) = ("", "ding", .passive)
                }, #"{"aps":{"sound":"ding","interruption-level":"passive"}}"#
            ),
        ])
    func bytes(content: WantedContent, payload: String) {
        #expect(content.payloadBytes == payload.utf8.count)
    }

    @Test("4,096 bytes are taken, one more is not")
    func limit() {
        let empty = #"{"aps":{"alert":{"title":""}}}"#.utf8.count
        let fitting = WantedContent(title: String(repeating: "x", count: 4_096 - empty))
        #expect(fitting.fault == nil)
        let larger = WantedContent(title: fitting.title + "x")
        #expect(larger.fault == "expected an APNs payload of at most 4096 bytes, found 4097")
    }

    @Test("texts, thread and userInfo have their limits")
    func others() {
        #expect(WantedContent(title: "").fault != nil && WantedContent(title: "", body: "x").fault == nil)
        #expect(Self.content { $0.threadId = String(repeating: "x", count: 64) }.fault == nil)
        #expect(Self.content { $0.threadId = String(repeating: "x", count: 65) }.fault != nil)
        #expect(Self.content { $0.userInfo = ["aps": "x"] }.fault != nil)
    }
}
