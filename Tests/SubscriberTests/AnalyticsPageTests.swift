import Foundation
import FoundationXML
import RationModel
import RationPluginKit
import RationSubscribing
import TestSupport
import Testing

@testable import AnalyticsSubscriber

@Suite("Analytics' page")
struct AnalyticsPageTests {
    private func page(_ events: [ReceivedEvent], log: String = "a", pages: Int = 1) throws -> String {
        let handing = try Handing { try Analytics(settings: []) }
        let size = max(1, events.count / pages)
        for start in stride(from: 0, to: events.count, by: size) {
            try handing.hand(Array(events[start..<min(events.count, start + size)]), log: log)
        }
        var request = AnalyticsReport.Request(now: Instant(milliseconds: 1_764_600_000_000))
        request.log = log
        return AnalyticsPage(try #require(try AnalyticsReport.read(handing.database, request))).html
    }

    private func generated(_ seed: UInt64) -> [ReceivedEvent] {
        var random = SplitMix64(seed: seed)
        return EventGenerator.events(400, &random)
    }

    @Test("is the same for the same events, however they came")
    func deterministic() throws {
        let events = generated(1)
        #expect(try page(events) == page(events, pages: 17))
    }

    @Test("needs nothing from elsewhere and runs nothing")
    func selfContained() throws {
        let html = try page(generated(2))
        for word in ["<script", "http:", "https:", "url(", "@import", "src=", "href=", "javascript:"] {
            #expect(!html.contains(word), "\(word)")
        }
    }

    @Test("is well-formed: each element and each attribute ends", arguments: UInt64(1)...5)
    func wellFormed(seed: UInt64) throws {
        let html = try page(generated(seed))
        let body = html.drop { $0 != "<" }.dropFirst("<!doctype html>".count)
        // HTML's void elements of the head are the only ones that do not end.
        let text = body.replacing(#/<meta [^>]*>/#, with: "")
        final class Watch: NSObject, XMLParserDelegate {
            var fault: (any Error)?
            func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { fault = error }
        }
        let parser = XMLParser(data: Data(String(text).utf8))
        let watch = Watch()
        parser.delegate = watch
        #expect(parser.parse(), "\(String(describing: watch.fault)), line \(parser.lineNumber)")
    }

    @Test("shows names as text, whatever they hold")
    func escapes() throws {
        var events = generated(3)
        for index in events.indices {
            events[index].type = #"<script>alert("1")</script>&'"# + "\u{7}"
            events[index].app = "</style><img src=x onerror=alert(1)>"
        }
        let html = try page(events, log: "<b>log</b>")
        #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("<b>log"))
        #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\u{FFFD}"))
    }

    @Test("puts more series than there are colours together as others")
    func others() throws {
        var events = generated(4).filter { $0.kind == .evicted }
        for index in events.indices { events[index].type = "type-\(index % 12)" }
        let html = try page(events)
        #expect(html.contains("</i>5 others <b>"))
        #expect(!html.contains("class=\"c8\""))
    }

    @Test("without an eviction or a stretch of time it says so")
    func empty() throws {
        let event = generated(5)[0]
        var accepted = event
        (accepted.kind, accepted.cause) = (.accepted, .new)
        #expect(try page([accepted]).contains("None in this time."))
    }

    @Test("axes end at a round number at or above the largest value", arguments: [0, 1, 4, 5, 6, 99, 101, 12_345, 1e9])
    func axes(most: Double) {
        let frame = PlotFrame(.init(firstHour: 0, hoursEach: 1, count: 3), most: most)
        #expect(frame.most >= most && frame.most <= max(5, most * 2))
        #expect(frame.y(frame.most) == PlotFrame.top)
    }

    @Test(
        "numbers and spans are for people",
        arguments: [
            (0, "0 ms"), (999, "999 ms"), (1_000, "1 s"), (61_500, "1 min"), (90_000, "1.5 min"), (5_400_000, "1.5 h"),
            (86_400_000, "1 d"), (220_000_000, "2.5 d"),
        ] as [(Int64, String)])
    func spans(milliseconds: Int64, text: String) {
        #expect(Wording.span(milliseconds) == text)
        #expect(Wording.number(1_234_567) == "1,234,567" && Wording.number(-1_000) == "-1,000")
        #expect(Wording.percent(12.34) == "12.3 %" && Markup.length(-1.055) == "-1.06")
    }
}
