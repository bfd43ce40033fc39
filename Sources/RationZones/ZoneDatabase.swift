public import RationModel

/// The time zones of a compiled tz database, all read at once: some 600 small files, in about 20 ms. What is read does not
/// change any more; a database that has changed on disk is read anew and told apart by its `fingerprint`.
public struct ZoneDatabase: ZoneSource, Sendable {
    private let names: ZoneNames

    /// In the order of `names`. Links share their transitions.
    private let tables: [ZoneTable]

    /// A hash over the names and the files' bytes: equal for equal databases, on any machine. The release alone does not
    /// tell a change, since a distribution can correct a file without a new one.
    public let fingerprint: UInt64

    public var release: String? { names.release }

    /// The number of names.
    public var count: Int { names.count }

    /// Reads a compiled tz database; what counts as a zone is what `ZoneNames` says.
    /// - Throws: `ZoneError` if the directory or a file cannot be read, there is no zone, or a file breaks RFC 9636.
    public init(directory: String = "/usr/share/zoneinfo") throws(ZoneError) {
        let database = ZoneDirectory(path: directory)
        names = ZoneNames(unsorted: try database.names(), release: database.release())
        var tables: [ZoneTable] = []
        var known: [[UInt8]: ZoneTable] = [:]
        var fingerprint: UInt64 = 0
        for index in 0..<names.count {
            let name = names[index]
            let bytes = try database.content(of: name)
            if let same = known[bytes] {
                tables.append(ZoneTable(name: name, sameAs: same))
            } else {
                let table = try ZoneTable(name: name, file: bytes, path: "\(directory)/\(name)")
                known[bytes] = table
                tables.append(table)
            }
            fingerprint = Self.hash(bytes, seed: Self.hash(Array(name.utf8), seed: fingerprint))
        }
        (self.tables, self.fingerprint) = (tables, fingerprint)
    }

    public func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        names.index(of: name) != nil
    }

    /// - Complexity: logarithmic in the number of names, without allocating.
    public func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? {
        names.index(of: name).map { tables[$0] }
    }

    private static func hash(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { ByteHash.hash($0, seed: seed) }
    }
}
