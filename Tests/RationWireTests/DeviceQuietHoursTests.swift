import RationModel
import RationWire
import Testing

@Suite("A device's own quiet hours")
struct DeviceQuietHoursTests {
    static func device(_ quietHours: String) -> String {
        Line.device.with(["quietHours": quietHours]).text
    }

    /// What a device says of its quiet hours.
    static func read(_ quietHours: String) throws -> DeviceQuietHours? {
        let batch = try batch(device(quietHours))
        #expect(batch.rejections == [])
        return batch.settings.first?.quietHours
    }

    @Test("They are windows, none, the policy's, or not named")
    func forms() throws {
        #expect(try Self.read(#"[{"from":"22:00","to":"07:30"}]"#) == .own([QuietWindow(from: 1320, to: 450)]))
        #expect(try Self.read("[]") == .own([]))
        #expect(try Self.read(#""policy""#) == .policy)
        #expect(try Self.read(#""polic\u0079""#) == .policy)
        #expect(try Self.read("null") == nil)
        #expect(try batch(Line.device.text).settings == [DeviceSettings()])
    }

    @Test("A window has the policy's fields and defaults")
    func window() throws {
        var window = QuietWindow(from: 0, to: 1440)
        (window.days, window.types) = (WeekdaySet(rawValue: 65), ["inactivity", "x"])
        window.exempt = LevelSet(.passive)
        let full =
            #"{"exempt":["passive"],"types":["inactivity","x"],"days":["sun","mon","sun"],"to":"24:00","from":"00:00"}"#
        let bare = #"{"from":"12:00","to":"14:00","days":null,"types":null,"exempt":null}"#
        #expect(try Self.read("[\(full),\(bare)]") == .own([window, QuietWindow(from: 720, to: 840)]))
        var nothing = QuietWindow(from: 0, to: 1)
        (nothing.days, nothing.types, nothing.exempt) = ([], [], [])
        #expect(
            try Self.read(#"[{"from":"00:00","to":"00:01","days":[],"types":[],"exempt":[]}]"#) == .own([nothing]))
    }

    @Test("At most 64 windows")
    func count() throws {
        let windows = { (count: Int) in
            "[" + [String](repeating: #"{"from":"01:00","to":"01:01"}"#, count: count).joined(separator: ",") + "]"
        }
        #expect(try Self.read(windows(64)) == .own([QuietWindow](repeating: QuietWindow(from: 60, to: 61), count: 64)))
        #expect(try refusal(Self.device(windows(65))) == "quietHours quietHours")
    }

    @Test(
        "Whatever is wrong with them has their code, and the path",
        arguments: [
            ("1", ""), ("true", ""), ("{}", ""), (#""""#, ""), (#""Policy""#, ""), (#""none""#, ""),
            ("[1]", "[0]"), ("[null]", "[0]"), (#"["policy"]"#, "[0]"), ("[[]]", "[0]"), ("[{}]", "[0].from"),
            (#"[{"from":"22:00"}]"#, "[0].to"), (#"[{"from":null,"to":"22:00"}]"#, "[0].from"),
            (#"[{"from":"22:00","to":"07:30"},{"from":"7:30","to":"08:00"}]"#, "[1].from"),
            (#"[{"from":"07:30","to":"24:00"},{"from":"07:30","to":"24:01"}]"#, "[1].to"),
            (#"[{"from":"24:00","to":"07:30"}]"#, "[0].from"), (#"[{"from":"22:00","to":"22:00"}]"#, "[0].to"),
            (#"[{"from":22,"to":"07:30"}]"#, "[0].from"), (#"[{"from":"22:00","to":450}]"#, "[0].to"),
            (#"[{"from":"22:00","to":"07:30","untl":1}]"#, "[0].untl"),
            (#"[{"from":"22:00","to":"07:30","untl":null}]"#, "[0].untl"),
            (#"[{"from":"22:00","to":"07:30","days":"mon"}]"#, "[0].days"),
            (#"[{"from":"22:00","to":"07:30","days":["mon","Tue"]}]"#, "[0].days[1]"),
            (#"[{"from":"22:00","to":"07:30","days":[1]}]"#, "[0].days[0]"),
            (#"[{"from":"22:00","to":"07:30","days":[null]}]"#, "[0].days[0]"),
            (#"[{"from":"22:00","to":"07:30","types":{}}]"#, "[0].types"),
            (#"[{"from":"22:00","to":"07:30","types":["a","a b"]}]"#, "[0].types[1]"),
            (#"[{"from":"22:00","to":"07:30","types":["*"]}]"#, "[0].types[0]"),
            (#"[{"from":"22:00","to":"07:30","types":[7]}]"#, "[0].types[0]"),
            (#"[{"from":"22:00","to":"07:30","exempt":["loud"]}]"#, "[0].exempt[0]"),
            (#"[{"from":"00:00","to":"24:00"}]"#, ""),
            (#"[{"from":"00:00","to":"24:00","types":["a"],"exempt":[]}]"#, ""),
            (#"[{"from":"22:00","to":"07:30"},{"from":"07:30","to":"22:00"}]"#, ""),
        ])
    func refused(quietHours: String, path: String) throws {
        #expect(try refusal(Self.device(quietHours)) == "quietHours quietHours\(path)")
    }

    @Test("The message tells the limit and the value")
    func messages() throws {
        let message = { (quietHours: String) in try batch(Self.device(quietHours)).rejections.first?.message }
        #expect(try message(#""own""#) == "expected windows or 'policy', found 'own'")
        #expect(
            try message(#"[{"from":"22:00","to":"7:30"}]"#) == "expected a time such as 07:30, found '7:30'")
        #expect(try message(#"[{"from":"22:00"}]"#) == "the field 'to' is missing")
        #expect(
            try message(#"[{"from":"24:00","to":"07:30"}]"#) == "expected a time from 00:00 to 23:59, found 24:00")
        #expect(
            try message(#"[{"from":"00:00","to":"24:00"}]"#)
                == "expected a free minute in the week for every type and level, found none for any type with passive, active"
        )
        let long = String(repeating: "x", count: 5000)
        #expect(try #require(try message("[{\"from\":\"\(long)\",\"to\":\"07:30\"}]")).utf8.count < 200)
        #expect(try #require(try message("[{\"\(long)\":1}]")).utf8.count < 200)
        #expect(
            try #require(try message("[{\"from\":\"01:00\",\"to\":\"07:30\",\"types\":[\"\(long)\"]}]")).utf8.count
                < 200)
    }

    @Test("Wrong ones change nothing: the intent is rejected whole, and names its recipient")
    func rejected() throws {
        let batch = try batch(Line.device.with(["quietHours": "[1]", "reserved": "4"]).text)
        #expect(batch.intents.map(\.operation) == [.rejected])
        #expect(batch.settings == [])
        #expect(batch.intents.map { batch.bytes.text($0.device) } == ["d1"])
    }
}
