/// Tells which batches stand in table files already, from the names of the write-ahead logs: RocksDB deletes a log when all
/// of it has been flushed.
///
/// Until then a damaged log could lose a batch from the middle, and only the chain of links would tell; so links are kept as
/// long as their batch is in a log.
struct WriteAheadLogs {
    /// Batches below `batch` were written to logs up to `log`.
    private struct Mark {
        var log: UInt64
        var batch: UInt64
    }

    private let folder: String
    private let disk: any StoreDisk
    private var marks: [Mark] = []
    /// Batches below it are in table files.
    private(set) var flushed: UInt64

    /// - Parameter flushed: what is known already.
    init(_ folder: String, flushed: UInt64, on disk: any StoreDisk = SystemDisk()) {
        self.folder = folder
        self.disk = disk
        self.flushed = flushed
    }

    /// Looks at the folder, between two commits.
    /// - Parameter next: the next batch.
    mutating func look(next: UInt64) throws(StoreError) {
        let logs = try numbers()
        guard let oldest = logs.min(), let newest = logs.max() else { return }
        while let mark = marks.first, mark.log < oldest {
            flushed = max(flushed, mark.batch)
            marks.removeFirst()
        }
        if marks.last.map({ $0.log < newest }) ?? true { marks.append(Mark(log: newest, batch: next)) }
    }

    private func numbers() throws(StoreError) -> [UInt64] {
        try disk.names(in: folder).compactMap { name in
            name.hasSuffix(".log") ? UInt64(name.dropLast(4)) : nil
        }
    }
}
