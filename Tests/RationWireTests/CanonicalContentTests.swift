import RationJSON
import RationModel
import TestSupport
import Testing

@Suite("Canonical content: the same value has the same bytes, another value has others")
struct CanonicalContentTests {
    @Test("Fixed order, defaults and absent fields left out, userInfo sorted")
    func form() throws {
        let members = [
            "userInfo": #"{"b":[1.0,2e0],"a":{"d":null,"c":true}}"#, "relevanceScore": "0.50",
            "interruptionLevel": #""active""#,
            "sound": #"{"volume":1,"critical":false,"name":"s"}"#, "badge": "1e0", "threadId": #""t""#,
            "category": #""c""#,
            "body": #""b\u00e9\/""#, "subtitle": #""""#,
        ]
        let expected =
            #"{"title":"T","body":"bé/","badge":1,"sound":{"name":"s","volume":1},"threadId":"t","category":"c","#
            + #""relevanceScore":0.5,"userInfo":{"a":{"c":true,"d":null},"b":[1,2]}}"#
        #expect(try content(.schedule.withContent(members)) == expected)
        let critical = ["sound": #"{"critical":true,"name":"s"}"#, "interruptionLevel": #""critical""#]
        let loud = #"{"title":"T","sound":{"name":"s","critical":true},"interruptionLevel":"critical"}"#
        #expect(try content(.schedule.withContent(critical)) == loud)
        #expect(try content(.schedule.withContent(["title": nil, "badge": "0"])) == #"{"badge":0}"#)
    }

    @Test(
        "Spellings of one value",
        arguments: [
            (["badge": "1"], ["badge": "1.0"]), (["badge": "100"], ["badge": "1e2"]),
            (["relevanceScore": "0.5"], ["relevanceScore": "5e-1"]),
            (["relevanceScore": "0"], ["relevanceScore": "-0.0"]),
            (["title": #""é/\"""#], ["title": #""\u00E9\/\u0022""#]),
            (["title": #""😀""#], ["title": #""\ud83d\uDE00""#]),
            (["subtitle": #""""#], ["subtitle": nil]), (["body": "null"], ["body": nil]),
            (["interruptionLevel": #""active""#], ["interruptionLevel": nil]),
            (["userInfo": #"{"a":1,"b":{"c":2,"d":[3]}}"#], ["userInfo": #"{ "b":{"d":[3.0 ],"\u0063":2e0},"a":1 }"#]),
            (["userInfo": #"{"":1,"\u0000":2}"#], ["userInfo": #"{"\u0000":2,"":1}"#]),
            (["sound": #"{"name":"a","critical":false}"#], ["sound": #"{"critical":null,"volume":null,"name":"a"}"#]),
        ] as [([String: String?], [String: String?])])
    func same(one: [String: String?], other: [String: String?]) throws {
        let first = try #require(try content(.schedule.withContent(one)))
        #expect(try content(.schedule.withContent(other)) == first)
    }

    @Test("Different values")
    func different() throws {
        let values: [[String: String?]] = [
            [:], ["title": #""t""#], ["title": #""T ""#], ["title": #""T\u0000""#], ["title": #""e\u0301""#],
            ["title": #""é""#],
            ["title": nil, "subtitle": #""T""#], ["title": nil, "body": #""T""#], ["category": #""T""#],
            ["threadId": #""T""#],
            ["badge": "0"], ["badge": "1"], ["badge": "9007199254740992"], ["badge": "9007199254740993"],
            ["relevanceScore": "0"],
            ["relevanceScore": "1"], ["relevanceScore": "0.1"], ["relevanceScore": "0.10000000000000002"],
            ["sound": #""a""#],
            ["sound": #"{"name":"a"}"#], ["sound": #"{"name":"a","critical":true}"#],
            ["sound": #"{"name":"a","volume":1}"#],
            ["sound": #"{"name":"a","volume":0.5}"#], ["interruptionLevel": #""passive""#],
            ["interruptionLevel": #""timeSensitive""#], ["userInfo": "{}"], ["userInfo": #"{"a":1}"#],
            ["userInfo": #"{"a":"1"}"#],
            ["userInfo": #"{"a":true}"#], ["userInfo": #"{"a":null}"#], ["userInfo": #"{"a":[]}"#],
            ["userInfo": #"{"a":{}}"#],
            ["userInfo": #"{"a":[1,2]}"#], ["userInfo": #"{"a":[2,1]}"#], ["userInfo": #"{"a":[1],"b":[2]}"#],
            ["userInfo": #"{"title":"T"}"#],
        ]
        let forms = try values.map { try #require(try content(.schedule.withContent($0)), "\($0)") }
        for (index, form) in forms.enumerated() {
            for other in forms.indices where other > index {
                #expect(!form.utf8.elementsEqual(forms[other].utf8), "\(values[index]) and \(values[other])")
            }
        }
    }

    @Test("Canonical content is JSON, and canonical already")
    func again() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let json = try PayloadModel.random(using: &random).json()
            guard let form = try content(.schedule.withContent(["title": nil]).with(["content": json])) else {
                continue
            }
            #expect(try content(.schedule.withContent(["title": nil]).with(["content": form])) == form, "seed \(seed)")
        }
    }
}
