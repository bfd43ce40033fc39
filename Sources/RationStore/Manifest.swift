internal import RationModel

/// How far RocksDB's manifest must go at least. The manifest is the journal of which table files belong to the database; one
/// that was cut at a record's edge, or has a block of zeros, is read without a word, and the tables that it would name are
/// deleted. RocksDB syncs each entry, so a manifest never gets shorter.
struct Manifest: Hashable {
    /// The number in the file's name; it rises with each new manifest, which begins with all that the one before said.
    var number: UInt64 = 0
    var count: UInt64 = 0
    /// Of the first `count` bytes.
    var hash: UInt64 = 0

    private static let prefix = "MANIFEST-"

    init() {}

    init(number: UInt64, count: UInt64, hash: UInt64) {
        (self.number, self.count, self.hash) = (number, count, hash)
    }

    /// The manifest in force, as it is now.
    /// - Parameter known: what is known of it; it is not read again while it has not grown.
    init(in folder: String, known: Manifest, on disk: any StoreDisk = SystemDisk()) throws(StoreError) {
        let number = try Self.current(folder, disk)
        let path = Self.path(folder, number)
        let count = try disk.count(of: path)
        if number == known.number, count == known.count {
            self = known
        } else {
            self.init(number: number, count: count, hash: try Self.hash(path, Int(count), disk) ?? 0)
        }
    }

    /// Sees that the manifest in force goes as far as this one.
    /// - Throws: `StoreError.damaged`.
    func check(in folder: String, on disk: any StoreDisk = SystemDisk()) throws(StoreError) {
        let current = try Self.current(folder, disk)
        let path = Self.path(folder, current)
        guard current >= number else {
            throw StoreError(
                .damaged, path: path, "the file CURRENT names it, and number \(number) was in force already")
        }
        // A newer one was written whole before CURRENT named it.
        guard current == number else { return }
        guard let hash = try Self.hash(path, Int(count), disk) else {
            throw StoreError(.damaged, path: path, "it is shorter than the \(count) bytes that it had")
        }
        guard hash == self.hash else {
            throw StoreError(.damaged, path: path, "its first \(count) bytes are not those that it had")
        }
    }

    private static func path(_ folder: String, _ number: UInt64) -> String {
        let digits = String(number)
        return folder + "/" + prefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private static func current(_ folder: String, _ disk: any StoreDisk) throws(StoreError) -> UInt64 {
        let path = folder + "/CURRENT"
        guard let bytes = try disk.read(path, atMost: 4_096) else {
            throw StoreError(.damaged, path: path, "it is missing")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(prefix), text.hasSuffix("\n"), let number = UInt64(text.dropFirst(prefix.count).dropLast())
        else { throw StoreError(.damaged, path: path, "it names no manifest") }
        return number
    }

    /// - Returns: the hash of a file's first bytes; nil for a shorter one.
    private static func hash(_ path: String, _ count: Int, _ disk: any StoreDisk) throws(StoreError) -> UInt64? {
        guard let bytes = try disk.read(path, atMost: count) else {
            throw StoreError(.damaged, path: path, "it is missing")
        }
        return bytes.count == count ? bytes.withUnsafeBytes { ByteHash.hash($0, seed: 0) } : nil
    }
}
