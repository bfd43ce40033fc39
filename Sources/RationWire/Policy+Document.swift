internal import RationJSON
public import RationModel

extension Policy {
    /// The policy as a JSON document (semantics.md section 3) with every default written out. Equal policies have equal
    /// documents, and reading one gives the policy again.
    public var document: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        var members = MemberWriter()
        members.integer("slots", Int64(slots), to: &writer)
        members.text("overflow", overflow.rawValue, to: &writer)
        members.text("order", order, to: &writer)
        members.integer("queueLimit", Int64(queueLimit), to: &writer)
        members.duration("grace", graceMilliseconds, to: &writer)
        members.duration("maxDelay", maxDelayMilliseconds, to: &writer)
        members.integer("unknownPriority", Int64(unknownPriority), to: &writer)
        members.text("timeZone", timeZone, to: &writer)
        members.text("categories", categories.rawValue, to: &writer)
        members.name("types", to: &writer)
        write(types, named: \.name, to: &writer) { $0.write(to: &$1) }
        members.name("quotas", to: &writer)
        write(quotas, named: \.type, to: &writer) { $0.write(to: &$1) }
        members.list("quietHours", quietHours, to: &writer) { $0.write(to: &$1) }
        members.list("caps", caps, to: &writer) { $0.write(to: &$1) }
        members.end(&writer)
        return writer.bytes
    }

    /// An object with a member for each element.
    private func write<Element>(
        _ elements: [Element], named name: KeyPath<Element, String>, to writer: inout JSONWriter,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        var members = MemberWriter()
        for element in elements {
            var text = element[keyPath: name]
            text.withUTF8 { members.name(UnsafeRawBufferPointer($0), to: &writer) }
            write(element, &writer)
        }
        members.end(&writer)
    }
}

extension NotificationType {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        if let priority { members.integer("priority", Int64(priority), to: &writer) }
        if !prefixes.isEmpty { members.list("prefix", prefixes, to: &writer) { $1.string($0) } }
        if keepsTime {
            members.name("keepsTime", to: &writer)
            writer.bool(true)
        }
        members.duration("maxDelay", maxDelayMilliseconds, to: &writer)
        members.end(&writer)
    }
}

extension Quota {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        for case (let name, let share?) in [("min", minimum), ("max", maximum)] as [(StaticString, SlotShare?)] {
            switch share {
            case .slots(let count): members.integer(name, Int64(count), to: &writer)
            case .percent(let percent): members.text(name, "\(percent)%", to: &writer)
            }
        }
        members.end(&writer)
    }
}

extension QuietWindow {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.text("from", TimeOfDay.text(from), to: &writer)
        members.text("to", TimeOfDay.text(to), to: &writer)
        let days = WeekdaySet.names.indices.filter { self.days.contains(WeekdaySet(rawValue: 1 << $0)) }
        members.list("days", days.map { "\(WeekdaySet.names[$0])" }, to: &writer) { $1.string($0) }
        if let types { members.list("types", types, to: &writer) { $1.string($0) } }
        members.levels("exempt", exempt, to: &writer)
        members.end(&writer)
    }
}

extension Cap {
    fileprivate func write(to writer: inout JSONWriter) {
        var members = MemberWriter()
        members.integer("limit", Int64(limit), to: &writer)
        members.duration("per", perMilliseconds, to: &writer)
        if let types { members.list("types", types, to: &writer) { $1.string($0) } }
        members.text("overflow", overflow.rawValue, to: &writer)
        members.levels("exempt", exempt, to: &writer)
        members.end(&writer)
    }
}

extension MemberWriter {
    fileprivate mutating func levels(_ name: StaticString, _ levels: LevelSet, to writer: inout JSONWriter) {
        list(name, InterruptionLevel.allCases.filter(levels.contains), to: &writer) { $1.string("\($0.name)") }
    }

    /// In the largest unit that it is a whole number of; left out when nil.
    fileprivate mutating func duration(_ name: StaticString, _ milliseconds: Int64?, to writer: inout JSONWriter) {
        guard let milliseconds else { return }
        let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)]
        let unit = units.first { milliseconds % $0.1 == 0 && milliseconds != 0 } ?? ("ms", 1)
        text(name, "\(milliseconds / unit.1)\(unit.0)", to: &writer)
    }
}
