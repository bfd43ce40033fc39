/// The version of what a store's folder holds, and how an older one is brought up to it.
///
/// A change of the folder's files, of families, keys or values raises ``version``, and adds the step from the version before
/// to `migrations`, or leaves it out: then older folders are refused by their version.
struct StoreFormat: Sendable {
    /// Brings a folder from one version to the next. It may be repeated after a crash in the middle of it.
    typealias Migration = @Sendable (_ folder: String) throws(StoreError) -> Void

    var version: Int
    /// By the version that a step begins with.
    var migrations: [Int: Migration]

    /// What this program writes.
    static let current = StoreFormat(version: 2, migrations: [:])

    /// The versions that can be opened.
    private var readable: ClosedRange<Int> {
        var first = version
        while migrations[first - 1] != nil { first -= 1 }
        return first...version
    }

    /// - Throws: `StoreError.format`, which names both versions, for one that cannot be opened.
    func check(_ found: Int, file: String) throws(StoreError) {
        guard !readable.contains(found) else { return }
        let known =
            readable.count == 1 ? "version \(version)" : "versions \(readable.lowerBound) to \(readable.upperBound)"
        let advice =
            found > version
            ? "a later version of this program made it: use that one" : "use an earlier version of this program"
        throw StoreError(.format, path: file, "its format is version \(found); this program knows \(known); \(advice)")
    }

    /// Brings a folder up to this version, step by step; each step is told in the folder before the next one begins.
    /// - Parameter note: writes a version into the folder.
    func migrate(
        _ folder: String, from found: Int, note: (_ version: Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        var version = found
        while version < self.version, let step = migrations[version] {
            try step(folder)
            version += 1
            try note(version)
        }
    }
}
