import RationModel
import Testing

@testable import RationPlanner

@Suite("What a rule may know of a notification")
struct RuledNotificationTests {
    private func thread(_ content: String) -> UInt64 {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return Array(content.utf8).withUnsafeBytes {
            RuledNotification(type: 0, ownType: nothing, level: .active, content: $0).thread
        }
    }

    @Test("the thread is the content's threadId, wherever it stands before userInfo and whatever stands around it")
    func found() {
        let water = thread(#"{"threadId":"water"}"#)
        #expect(water != 0)
        #expect(thread(#"{"title":"t","body":"b","threadId":"water","sound":"default"}"#) == water)
        #expect(thread(#"{"title":",","body":"{","threadId":"water","userInfo":{"threadId":"food"}}"#) == water)
        #expect(thread(#"{"title":"\",\"threadId\":\"food\"","threadId":"water"}"#) == water)
        #expect(thread(#"{"sound":{"name":"threadId","critical":true},"threadId":"water"}"#) == water)
        #expect(thread(#"{"threadId":"food"}"#) != water)
        #expect(thread(#"{"threadId":"water "}"#) != water)
    }

    @Test("a thread ends at its own quote, not at one that is written with a backslash")
    func escapes() {
        let quoted = thread(#"{"threadId":"a\"b","title":"t"}"#)
        #expect(quoted != thread(#"{"threadId":"a\"c","title":"t"}"#))
        #expect(quoted == thread(#"{"threadId":"a\"b"}"#))
        #expect(thread(#"{"threadId":"a\\"}"#) != thread(#"{"threadId":"a\\b"}"#))
    }

    @Test(
        "without a threadId it is 0",
        arguments: [
            "", "{}", #"{"title":"t"}"#, #"{"title":"threadId"}"#, #"{"title":"\"threadId\":\"water\""}"#,
            #"{"title":"t","userInfo":{"threadId":"water"}}"#, #"{"userInfo":{"a":{"threadId":"water"}}}"#,
            #"{"title":",\"threadId\":\"water\","}"#,
        ])
    func absent(content: String) {
        #expect(thread(content) == 0)
    }
}
