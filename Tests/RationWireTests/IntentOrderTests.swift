import RationModel
import Testing

@Suite("A line with two faults is refused with the code that comes first in semantics.md section 6")
struct IntentOrderTests {
    struct Fault {
        var code: Rejection.Code
        var members: [String: String?] = [:]
        var content: [String: String?] = [:]
    }

    /// In the order of section 6.
    static let faults = [
        Fault(code: .json, members: ["zone": #"{"a":1,"a":1}"#]),
        Fault(code: .malformed, members: ["overdue": #""later""#]),
        Fault(code: .app, members: ["app": #""a b""#]),
        Fault(code: .device, members: ["device": #""a/b""#]),
        Fault(code: .id, members: ["id": #""""#]),
        Fault(code: .type, members: ["type": #""a b""#]),
        Fault(code: .contentEmpty, content: ["title": #""""#]),
        Fault(code: .contentBadge, content: ["badge": "-1"]),
        Fault(code: .contentRelevanceScore, content: ["relevanceScore": "2"]),
        Fault(code: .contentSound, content: ["sound": "5"]),
        Fault(code: .contentInterruptionLevel, content: ["interruptionLevel": #""loud""#]),
        Fault(code: .contentThreadId, content: ["threadId": "\"\(String(repeating: "t", count: 65))\""]),
        Fault(code: .contentUserInfo, content: ["userInfo": #"{"aps":1}"#]),
        Fault(code: .contentTooLarge, content: ["category": "\"\(String(repeating: "c", count: 5000))\""]),
        Fault(code: .timeZone, members: ["trigger": #"{"calendar":{"hour":8},"timeZone":""}"#]),
        Fault(code: .triggerEmpty, members: ["trigger": "{}"]),
        Fault(code: .triggerComponent, members: ["trigger": #"{"calendar":{"hour":24}}"#]),
        Fault(code: .triggerGap, members: ["trigger": #"{"calendar":{"hour":8,"second":5}}"#]),
    ]

    @Test("Every fault alone has its code")
    func alone() throws {
        for fault in Self.faults {
            let line = Line.schedule.with(fault.members).withContent(fault.content)
            #expect(try refusal(line.text)?.split(separator: " ").first.map(String.init) == fault.code.rawValue)
        }
    }

    @Test("The codes are in the order of their list")
    func sorted() {
        let places = Self.faults.compactMap { Rejection.Code.allCases.firstIndex(of: $0.code) }
        #expect(places == places.sorted() && places.count == Self.faults.count)
    }

    @Test("Every pair")
    func pairs() throws {
        for (index, first) in Self.faults.enumerated() {
            for second in Self.faults[(index + 1)...] {
                // A badge or a sound is something to show, and one line has one trigger.
                if first.code == .contentEmpty, [.contentBadge, .contentSound].contains(second.code) { continue }
                if first.members["trigger"] != nil { continue }
                let line = Line.schedule.with(first.members).with(second.members)
                    .withContent(first.content).withContent(second.content)
                let code = try refusal(line.text)?.split(separator: " ").first.map(String.init)
                #expect(code == first.code.rawValue, "\(first.code) and \(second.code)")
            }
        }
    }

    @Test("Two faults of one trigger")
    func trigger() throws {
        for (json, expected) in [
            (#"{"calendar":{"hour":24,"when":1},"timeZone":""}"#, "intent.malformed trigger.calendar.when"),
            (#"{"calendar":{},"timeZone":""}"#, "timeZone trigger.timeZone"),
            (#"{"calendar":{"hour":24},"timeZone":""}"#, "timeZone trigger.timeZone"),
            (#"{"calendar":{"hour":24,"second":5}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"second":60,"hour":24}}"#, "trigger.component trigger.calendar.second"),
            (#"{"calendar":{"hour":"8"},"repeats":1}"#, "intent.malformed trigger.repeats"),
            (#"{"at":1,"calendar":{"hour":24}}"#, "intent.malformed trigger"),
        ] {
            #expect(try refusal(Line.schedule.with(["trigger": json]).text) == expected)
        }
    }

    @Test("A device's quiet hours come after its names, shapes before both")
    func device() throws {
        let quiet = Line.device.with(["quietHours": "[1]"])
        #expect(try refusal(quiet.text) == "quietHours quietHours[0]")
        #expect(try refusal(quiet.with(["device": #"" d""#]).text) == "device device")
        #expect(try refusal(quiet.with(["app": #""""#, "device": #"" d""#]).text) == "app app")
        #expect(try refusal(quiet.with(["app": #""""#, "reserved": "-1"]).text) == "intent.malformed reserved")
    }
}
