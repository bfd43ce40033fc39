import RationModel

/// The time zones of recipients by a small number; 0 is the zone of those that have told none.
struct PlannerZones {
    private(set) var source: any ZoneSource
    private var tables: ContiguousArray<ZoneTable>
    /// By zone: the revision under which it became another.
    private var changes: ContiguousArray<UInt32> = [0]
    /// What a zone that is met for the first time counts as changed by.
    private var firstChange: UInt32 = 0
    private var places: [[UInt8]: UInt16] = [:]

    static let policyPlace: UInt16 = 0

    /// - Parameter policyZone: the name of the zone of those that have told none.
    init(_ source: any ZoneSource, policyZone: String) {
        self.source = source
        tables = [Self.table(policyZone, in: source) ?? .utc]
    }

    /// Takes up another tz database or policy's zone; a zone that the new database no longer has stays as it was.
    /// - Parameter revision: the number of the revision that does so.
    mutating func replace(_ source: any ZoneSource, policyZone: String, revision: UInt32) {
        self.source = source
        for index in tables.indices {
            let name = index == 0 ? policyZone : tables[index].name
            guard let table = Self.table(name, in: source), table !== tables[index] else { continue }
            tables[index] = table
            changes[index] = revision
        }
    }

    private static func table(_ name: String, in source: any ZoneSource) -> ZoneTable? {
        var name = name
        return name.withUTF8 { source.zone(named: UnsafeRawBufferPointer($0)) }
    }

    /// All zones count as changed by a revision, those that are still to be met included.
    mutating func markChanged(revision: UInt32) {
        firstChange = revision
        for index in changes.indices { changes[index] = revision }
    }

    /// Whether a zone has become another since a revision.
    func isChanged(_ place: UInt16, since revision: UInt32) -> Bool {
        changes[Int(place)] > revision
    }

    subscript(place: UInt16) -> ZoneTable {
        @inline(__always) get { tables[Int(place)] }
    }

    /// The number of a zone by name; nil if the database does not know it.
    mutating func place(of name: String) -> UInt16? {
        let key = Array(name.utf8)
        if let known = places[key] { return known }
        guard let table = Self.table(name, in: source) else { return nil }
        // A tz database has some hundred names.
        let place = UInt16(truncatingIfNeeded: tables.count)
        tables.append(table)
        changes.append(firstChange)
        places[key] = place
        return place
    }
}
