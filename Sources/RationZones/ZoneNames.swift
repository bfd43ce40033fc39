import Glibc
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

    init(unsorted names: [[UInt8]], release: String?) {
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
        index(of: name) != nil
    }

    /// The place of a name in the order of bytes.
    func index(of name: UnsafeRawBufferPointer) -> Int? {
        text.withUnsafeBytes { text in
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                let order = Self.compare(text[starts[middle]..<starts[middle + 1]], name)
                if order == 0 { return middle }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }

    /// - Returns: a number below, at or above 0.
    private static func compare(_ left: Slice<UnsafeRawBufferPointer>, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        // A buffer without an address has no bytes to compare.
        guard common > 0, let start = left.base.baseAddress, let other = right.baseAddress else {
            return left.count - right.count
        }
        let order = memcmp(start + left.startIndex, other, common)
        return order == 0 ? left.count - right.count : Int(order)
    }

    /// The name at a place.
    subscript(index: Int) -> String {
        String(decoding: text[starts[index]..<starts[index + 1]], as: UTF8.self)
    }
}
