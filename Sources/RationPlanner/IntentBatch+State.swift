public import RationModel

/// A batch's intents as they are kept beside its bytes, to be decided again as a check (store.md): what was rejected, and
/// feedback, decide nothing and are left out.
///
/// `intents u32`, each `operation u8, overdue u8, level u8, app, device, id, type, content` (each `offset u32, count u16`),
/// `expires i64, trigger`; then `settings u32` and the settings that the intents name, in their order.
extension IntentBatch {
    /// Appends the intents to a row.
    public func write(to row: inout [UInt8]) {
        var bytes = OwnedBuffer<UInt8>()
        let deciding = intents.filter { $0.operation != .rejected && $0.operation != .feedback }
        bytes.put(UInt32(truncatingIfNeeded: deciding.count))
        for intent in deciding { intent.write(to: &bytes) }
        let told = deciding.filter { $0.operation == .device }.map { settings[Int($0.detail)] }
        bytes.put(UInt32(truncatingIfNeeded: told.count))
        for settings in told { settings.write(to: &bytes) }
        row += bytes.elements
    }

    /// Reads what `write` has written.
    /// - Parameters:
    ///   - row: ends with the intents.
    ///   - bytes: the batch's.
    /// - Throws: `StateFault`.
    public init(_ row: UnsafeRawBufferPointer, bytes: [UInt8]) throws(StateFault) {
        self.init()
        self.bytes.bytes = bytes
        var reader = StateReader(row)
        var devices: Int32 = 0
        for _ in 0..<(try reader.number(UInt32.self)) {
            var intent = try Intent(&reader, bytes: bytes.count)
            if intent.operation == .device {
                intent.detail = devices
                devices += 1
            }
            intents.append(intent)
        }
        let told = try reader.number(UInt32.self)
        guard told == devices else { throw reader.fault("expected \(devices) settings, found \(told)") }
        for _ in 0..<told { settings.append(try DeviceSettings(&reader)) }
        guard reader.isAtEnd else { throw reader.fault("a row of intents goes on behind its end") }
    }
}

extension Intent {
    fileprivate func write(to bytes: inout OwnedBuffer<UInt8>) {
        bytes.put(operation.rawValue)
        bytes.put(overdue.rawValue)
        bytes.put(level.rawValue)
        for range in [app, device, id, type, content] { bytes.put(range) }
        bytes.put(expires)
        trigger.write(to: &bytes)
    }

    fileprivate init(_ reader: inout StateReader, bytes: Int) throws(StateFault) {
        let operation = Operation(rawValue: try reader.number(UInt8.self, below: 6, "an operation"))
        self.init(operation: operation ?? .rejected)
        overdue = Overdue(rawValue: try reader.number(UInt8.self, below: 2, "'overdue'")) ?? .drop
        level = InterruptionLevel(rawValue: try reader.number(UInt8.self, below: 4, "a level")) ?? .active
        app = try reader.range(below: bytes)
        device = try reader.range(below: bytes)
        id = try reader.range(below: bytes)
        type = try reader.range(below: bytes)
        content = try reader.range(below: bytes)
        expires = try reader.instant()
        trigger = try Trigger(&reader, bytes: bytes)
    }
}

extension Trigger {
    fileprivate func write(to bytes: inout OwnedBuffer<UInt8>) {
        switch self {
        case .none: bytes.put(UInt8(0))
        case .at(let date):
            bytes.put(UInt8(1))
            bytes.put(date)
        case .after(let seconds):
            bytes.put(UInt8(2))
            bytes.put(seconds.bitPattern)
        case .every(let seconds):
            bytes.put(UInt8(3))
            bytes.put(seconds.bitPattern)
        case .calendar(let trigger):
            bytes.put(UInt8(4))
            for component in trigger.pattern.components { bytes.put(component) }
            bytes.put(UInt8(trigger.repeats ? 1 : 0))
            bytes.put(trigger.timeZone)
        }
    }

    fileprivate init(_ reader: inout StateReader, bytes: Int) throws(StateFault) {
        switch try reader.number(UInt8.self, below: 5, "a trigger") {
        case 1: self = .at(try reader.instant())
        case 2: self = .after(seconds: Double(bitPattern: try reader.number()))
        case 3: self = .every(seconds: Double(bitPattern: try reader.number()))
        case 4:
            var components: [Int16] = []
            for _ in 0..<7 { components.append(try reader.number()) }
            let repeats = try reader.number(UInt8.self, below: 2, "a flag") == 1
            let zone = try reader.range(below: bytes)
            self = .calendar(
                CalendarTrigger(pattern: CalendarPattern(components), repeats: repeats, timeZone: zone))
        default: self = .none
        }
    }
}

extension CalendarPattern {
    fileprivate var components: [Int16] { [year, month, day, weekday, hour, minute, second] }

    /// - Parameter components: seven.
    fileprivate init(_ components: [Int16]) {
        self.init()
        (year, month, day, weekday) = (components[0], components[1], components[2], components[3])
        (hour, minute, second) = (components[4], components[5], components[6])
    }
}

extension OwnedBuffer where Element == UInt8 {
    /// A range whose count two bytes can tell: contents, names and ids are shorter.
    fileprivate mutating func put(_ range: ByteRange) {
        put(range.offset)
        put(UInt16(truncatingIfNeeded: range.count))
    }
}

extension StateReader {
    fileprivate mutating func range(below limit: Int) throws(StateFault) -> ByteRange {
        let (offset, count) = (Int(try number(UInt32.self)), Int(try number(UInt16.self)))
        guard offset + count <= limit else { throw fault("\(count) bytes at \(offset) of a batch's \(limit)") }
        return ByteRange(offset: offset, count: count)
    }
}
