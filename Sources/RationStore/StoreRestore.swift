internal import Glibc
internal import RationModel
internal import RationRocksDB

/// Makes a store of a backup: with all that it holds, under a new log's name, since what the old log told after the backup is
/// not in it.
public enum StoreRestore {
    /// Copies a backup into a folder that is not there. As long as it is not finished, the folder cannot be opened.
    /// - Parameters:
    ///   - backup: a copy that `RocksDBStore.backup(to:)` made; it stays as it is.
    ///   - path: the folder of the new store.
    /// - Returns: what was restored, and the backup's log.
    /// - Throws: ``StoreError``: `damaged` for a backup that is not whole, `system` for a folder that is there.
    public static func restore(
        _ backup: String, to path: String, _ settings: StoreSettings = StoreSettings()
    ) throws(StoreError) -> (copy: StoreCopy, from: StoreCopy) {
        try restore(backup, to: path, settings, newLog: StoreFolder.randomLog)
    }

    static func restore(
        _ backup: String, to path: String, _ settings: StoreSettings, newLog: () -> String
    ) throws(StoreError) -> (copy: StoreCopy, from: StoreCopy) {
        let source = try StoreFolder(reading: backup)
        let from = try StoreCopy(checking: backup, settings)
        guard mkdir(path, 0o700) == 0 else {
            throw StoreError(errnoAt: path, "cannot make the folder of the restored store")
        }
        try SmallFile.syncFolder(SmallFile.parent(of: path))
        var folder = StoreFolder(making: path, log: source.log)
        try SmallFile.write([], to: folder.unfinished)
        try SmallFile.syncFolder(path)
        try StoreFiles.copy(source.database, to: folder.database)
        try StoreFiles.copyFile(source.acknowledged, to: folder.acknowledged)
        let log = newLog()
        try rename(folder, log, settings)
        try folder.name(log)
        try folder.finish()
        var copy = try StoreCopy(checking: path, settings)
        copy.path = path
        return (copy, from)
    }

    /// Gives the database another log's name.
    private static func rename(_ folder: StoreFolder, _ log: String, _ settings: StoreSettings) throws(StoreError) {
        let opening = try StoreOpening(folder, settings, FreeSpace(folder, settings))
        let state = try opening.state()
        var batch = RocksBatch(for: opening.database)
        batch.putSealed(.state, StateKey.log, batch: state.link.batch, Array(log.utf8))
        try rocks { () throws(RocksError) in try opening.database.write(batch, isSynced: true) }
    }
}
