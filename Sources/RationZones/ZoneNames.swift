public import RationModel

/// The names of the time zones that a tz database knows, byte for byte (planning contract, section 6: `timeZone`).
public struct ZoneNames: ZoneChecking, Sendable {
    /// The names' UTF-8, one after another, in the order of their bytes.
    private let text: [UInt8]

    /// Where each name begins in `text`, and at the end where the last one ends.
    private let starts: [Int]

    /// The release of the tz database, such as `2025b`, if it is known.
    public let release: String?

    /// The number of names.
    public var count: Int { starts.count - 1 }

    /// Reads the names from a compiled tz database.
    ///
    /// A zone is a regular file, reached through links or not, that starts with `TZif`. Its name is its path below the
    /// directory. Second copies of the database (`posix/`, `right/`) and the system's own choices (`localtime`,
    /// `posixrules`) are no names.
    ///
    /// - Throws: `ZoneError` if the directory cannot be read or holds no zone.
    public init(directory: String = "/usr/share/zoneinfo") throws(ZoneError) {
        let database = ZoneDirectory(path: directory)
        self.init(unsorted: try database.names(), release: database.release())
    }

    /// Knows exactly these names: for tests and simulations.
    public init(_ names: [String], release: String? = nil) {
        self.init(unsorted: names.map { Array($0.utf8) }, release: release)
    }

    private init(unsorted names: [[UInt8]], release: String?) {
        var text: [UInt8] = []
        var starts = [0]
        var last: [UInt8]?
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) where name != last {
            text += name
            starts.append(text.count)
            last = name
        }
        self.text = text
        self.starts = starts
        self.release = release
    }

    /// Whether a zone has exactly this name, in UTF-8.
    ///
    /// - Complexity: logarithmic in the number of names, without allocating.
    public func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        text.withUnsafeBytes { text in
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                let candidate = text[starts[middle]..<starts[middle + 1]]
                if candidate.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
            }
            return low < count && text[starts[low]..<starts[low + 1]].elementsEqual(name)
        }
    }
}
