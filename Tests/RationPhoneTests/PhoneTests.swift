import RationModel
import RationPhone
import RationZones
import Testing

@Suite("A phone schedules as iOS does")
struct PhoneTests {
    static let start = Instant(rfc3339: "2027-03-05T09:00:00.000Z") ?? .distantPast

    private func phone(_ retention: Phone.Retention = .lastAdded, zone: String = "UTC") throws -> Phone {
        Phone(clock: Self.start, zone: try zoneTable(zone), retention: retention)
    }

    private func zoneTable(_ name: String) throws -> ZoneTable {
        try #require(try Array(name.utf8).withUnsafeBytes { try ZoneDatabase().zone(named: $0) })
    }

    private func at(_ minutes: Int64) -> Instant { Self.start.advanced(by: minutes * 60_000) }

    private func daily(_ hour: Int16, minute: Int16 = 0) -> CalendarPattern {
        var pattern = CalendarPattern()
        (pattern.hour, pattern.minute) = (hour, minute)
        return pattern
    }

    @Test("of more than 64 the soonest stay, or those that were added last", arguments: [63, 64, 65, 70])
    func retention(count: Int) throws {
        for retention in Phone.Retention.allCases {
            var phone = try phone(retention)
            for number in 1...count {
                try phone.add(PhoneRequest(identifier: "\(number)", trigger: .at(at(Int64(number)))))
            }
            let excess = max(0, count - 64)
            #expect(phone.pendingIdentifiers.count == min(64, count))
            #expect(phone.dropped.count == excess)
            let expected = retention == .soonest ? Array(1...min(64, count)) : Array((excess + 1)...count)
            #expect(phone.pendingIdentifiers == expected.map { "\($0)" })
        }
    }

    @Test("a request with the identifier of a pending one replaces it and takes no further place")
    func replacing() throws {
        var phone = try phone()
        for number in 1...64 { try phone.add(PhoneRequest(identifier: "\(number)", trigger: .at(at(Int64(number))))) }
        try phone.add(PhoneRequest(identifier: "1", trigger: .at(at(90)), badge: 7))
        #expect(phone.dropped == [])
        #expect(phone.nextDate(of: "1") == at(90))
        #expect(phone.advance(to: at(100)).count == 64)
        #expect(phone.badge == 7)
    }

    @Test("identifiers are compared by their bytes")
    func identifiers() throws {
        var phone = try phone()
        try phone.add(PhoneRequest(identifier: "e\u{301}", trigger: .at(at(1))))
        try phone.add(PhoneRequest(identifier: "\u{E9}", trigger: .at(at(2))))
        #expect(phone.pendingIdentifiers.count == 2)
        phone.remove(["\u{E9}"])
        #expect(phone.nextDate == at(1))
    }

    @Test("what ends the app adds nothing")
    func exceptions() throws {
        var phone = try phone()
        let refused: [(PhoneRequest, PhoneException.Reason)] = [
            (PhoneRequest(identifier: "", trigger: .at(at(1))), .emptyIdentifier),
            (PhoneRequest(identifier: "a", trigger: .interval(seconds: 0, repeats: false)), .intervalNotPositive),
            (PhoneRequest(identifier: "a", trigger: .interval(seconds: .nan, repeats: false)), .intervalNotPositive),
            (
                PhoneRequest(identifier: "a", trigger: .interval(seconds: 59.999, repeats: true)),
                .repeatingIntervalTooShort
            ),
            (
                PhoneRequest(identifier: "a", trigger: .calendar(CalendarPattern(), zone: nil, repeats: true)),
                .emptyCalendar
            ),
        ]
        for (request, reason) in refused {
            let error = #expect(throws: PhoneException.self) { try phone.add(request) }
            #expect(error?.reason == reason)
        }
        #expect(phone.pendingIdentifiers == [])
        try phone.add(PhoneRequest(identifier: "a", trigger: .interval(seconds: 60, repeats: true)))
        try phone.add(PhoneRequest(identifier: "b", trigger: .interval(seconds: 0.5, repeats: false)))
        #expect(phone.pendingIdentifiers == ["a", "b"])
    }

    @Test("a date that has passed is never shown, and nobody is told")
    func past() throws {
        var phone = try phone()
        try phone.add(PhoneRequest(identifier: "past", trigger: .at(at(0))))
        try phone.add(PhoneRequest(identifier: "next", trigger: .at(at(0).advanced(by: 1))))
        #expect(phone.pendingIdentifiers == ["next"])
        #expect(phone.neverShown == ["past"])
    }

    @Test("an interval counts from when it was added")
    func intervals() throws {
        var phone = try phone()
        phone.advance(to: at(7))
        try phone.add(PhoneRequest(identifier: "i", trigger: .interval(seconds: 600, repeats: true)))
        #expect(phone.advance(to: at(16)).isEmpty)
        #expect(phone.advance(to: at(37)).map(\.date) == [at(17), at(27), at(37)])
    }

    @Test("a calendar is read on the phone's clock, and on that of another zone if it names one")
    func zones() throws {
        var phone = try phone(zone: "Europe/Madrid")
        try phone.add(PhoneRequest(identifier: "own", trigger: .calendar(daily(12), zone: nil, repeats: true)))
        try phone.add(
            PhoneRequest(identifier: "there", trigger: .calendar(daily(12), zone: .utc, repeats: true)))
        #expect(phone.nextDate(of: "own") == Instant(rfc3339: "2027-03-05T11:00:00Z"))
        #expect(phone.nextDate(of: "there") == Instant(rfc3339: "2027-03-05T12:00:00Z"))
        phone.zone = try zoneTable("America/New_York")
        #expect(phone.nextDate(of: "own") == Instant(rfc3339: "2027-03-05T17:00:00Z"))
        #expect(phone.nextDate(of: "there") == Instant(rfc3339: "2027-03-05T12:00:00Z"))
    }

    @Test("over the change to daylight-saving time the wall time stays")
    func daylight() throws {
        var phone = try phone(zone: "Europe/Madrid")
        try phone.add(PhoneRequest(identifier: "d", trigger: .calendar(daily(2, minute: 30), zone: nil, repeats: true)))
        phone.advance(to: try #require(Instant(rfc3339: "2027-03-27T12:00:00Z")))
        let dates = phone.advance(to: try #require(Instant(rfc3339: "2027-03-29T12:00:00Z"))).map(\.date.rfc3339)
        // 02:30 does not exist on the 28th: it is read with the offset before.
        #expect(dates == ["2027-03-28T01:30:00.000Z", "2027-03-29T00:30:00.000Z"])
    }

    @Test("removals before additions: a full phone takes a plan without a loss")
    func order() throws {
        for retention in Phone.Retention.allCases {
            var phone = try phone(retention)
            for number in 1...64 {
                try phone.add(PhoneRequest(identifier: "\(number)", trigger: .at(at(Int64(number)))))
            }
            var reader = PhonePlanReader(zones: try ZoneDatabase())
            let plan = try reader.read(
                Array(
                    #"""
                    {"revision":"l.1.2","whole":false,"remove":["3","5"],"add":[
                    {"id":"new","at":"2027-03-05T09:00:30.000Z","content":{"title":"N","badge":3}},
                    {"id":"daily","calendar":{"hour":8,"minute":0,"second":0},"repeats":true,"timeZone":"Asia/Kolkata","content":{}}]}
                    """#.utf8))
            try phone.apply(plan)
            #expect(phone.dropped == [])
            #expect(phone.pendingIdentifiers.count == 64)
            #expect(phone.nextDate(of: "3") == nil)
            #expect(phone.nextDate(of: "daily") == Instant(rfc3339: "2027-03-06T02:30:00Z"))
            phone.advance(to: at(1))
            #expect(phone.shown.map(\.identifier) == ["new", "1"])
            #expect(phone.badge == 3)
        }
    }

    @Test("a whole plan replaces all that was there")
    func whole() throws {
        var phone = try phone()
        try phone.add(PhoneRequest(identifier: "old", trigger: .at(at(1))))
        var reader = PhonePlanReader(zones: try ZoneDatabase())
        try phone.apply(
            try reader.read(
                Array(
                    #"{"revision":"l.1.2","whole":true,"remove":[],"add":[{"id":"a","at":"2027-03-06T00:00:00.000Z","content":{}}]}"#
                        .utf8)))
        #expect(phone.pendingIdentifiers == ["a"])
    }
}
