import RationModel

/// A device's settings as a core's state keeps them.
extension DeviceSettings {
    func write(to bytes: inout OwnedBuffer<UInt8>) {
        bytes.put(timeZone) { $1.put(counted: $0) }
        writeToken(to: &bytes)
        bytes.put(environment) { $1.put(counted: $0) }
        bytes.put(delivery) { $1.put($0.rawValue) }
        bytes.put(reserved) { $1.put($0) }
        bytes.put(categories) { Self.write($0, to: &$1) }
        bytes.put(quietHours) { hours, bytes in
            switch hours {
            case .policy: bytes.put(UInt8(0))
            case .own(let windows):
                bytes.put(UInt8(1))
                bytes.put(UInt16(truncatingIfNeeded: windows.count))
                for window in windows { window.write(to: &bytes) }
            }
        }
    }

    /// 0: none; 1 and the token: it is not known when it was told; 2, the token and when it was told.
    private func writeToken(to bytes: inout OwnedBuffer<UInt8>) {
        guard let token else { return bytes.put(UInt8(0)) }
        bytes.put(UInt8(registered == nil ? 1 : 2))
        bytes.put(counted: token)
        if let registered { bytes.put(registered) }
    }

    private mutating func readToken(_ reader: inout StateReader) throws(StateFault) {
        let form = try reader.number(UInt8.self, below: 3, "a token's form")
        if form > 0 { token = try reader.countedText() }
        if form > 1 { registered = try reader.instant() }
    }

    fileprivate static func write(_ texts: [String], to bytes: inout OwnedBuffer<UInt8>) {
        bytes.put(UInt16(truncatingIfNeeded: texts.count))
        for text in texts { bytes.put(counted: text) }
    }

    init(_ reader: inout StateReader) throws(StateFault) {
        self.init()
        func text(_ reader: inout StateReader) throws(StateFault) -> String { try reader.countedText() }
        timeZone = try reader.optional(text)
        try readToken(&reader)
        environment = try reader.optional(text)
        delivery = try reader.optional { (reader) throws(StateFault) in
            Delivery(rawValue: try reader.number(UInt8.self, below: 2, "a delivery")) ?? .push
        }
        reserved = try reader.optional { (reader) throws(StateFault) in try reader.number() }
        categories = try reader.optional { (reader) throws(StateFault) in try Self.texts(&reader) }
        quietHours = try reader.optional { (reader) throws(StateFault) in
            guard try reader.number(UInt8.self, below: 2, "quiet hours") == 1 else { return .policy }
            var windows: [QuietWindow] = []
            for _ in 0..<(try reader.number(UInt16.self)) { windows.append(try QuietWindow(&reader)) }
            return .own(windows)
        }
    }

    fileprivate static func texts(_ reader: inout StateReader) throws(StateFault) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try reader.number(UInt16.self)) { texts.append(try reader.countedText()) }
        return texts
    }
}

extension QuietWindow {
    fileprivate func write(to bytes: inout OwnedBuffer<UInt8>) {
        // Minutes of a day.
        bytes.put(UInt16(truncatingIfNeeded: from))
        bytes.put(UInt16(truncatingIfNeeded: to))
        bytes.put(days.rawValue)
        bytes.put(exempt.rawValue)
        bytes.put(types) { DeviceSettings.write($0, to: &$1) }
    }

    fileprivate init(_ reader: inout StateReader) throws(StateFault) {
        self.init(from: Int(try reader.number(UInt16.self)), to: Int(try reader.number(UInt16.self)))
        days = WeekdaySet(rawValue: try reader.number())
        exempt = LevelSet(rawValue: try reader.number())
        types = try reader.optional { (reader) throws(StateFault) in try DeviceSettings.texts(&reader) }
    }
}
