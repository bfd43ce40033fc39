import Glibc
import RationRocksDB
import RationStore
import SimulatedDisk

/// How a process or a machine ends.
enum Crash: CaseIterable, Sendable {
    /// The process is killed; what it wrote stays.
    case kill
    /// The power fails: what was not synced is torn, lost or out of order.
    case power
    /// The power fails, and of what was not synced in a file only a beginning is there.
    case cut

    var kind: ration_crash {
        switch self {
        case .kill: RATION_CRASH_KILL
        case .power: RATION_CRASH_POWER
        case .cut: RATION_CRASH_CUT
        }
    }
}

/// A disk in memory that a store lives on, with RocksDB below it.
///
/// `@unchecked Sendable`: a simulation uses it from one thread.
final class MemoryDisk: StoreDisk, RocksEnvironment, @unchecked Sendable {
    let handle: OpaquePointer
    /// Files that are overwritten again and again keep what they have.
    var forgetsOverwrites = false
    private let now: () -> Int64

    /// An empty disk.
    /// - Parameter now: the time for what is done once a second or so, in milliseconds.
    convenience init(capacity: UInt64 = 1 << 40, now: @escaping () -> Int64 = { 0 }) {
        self.init(handle: ration_disk_create(capacity), now: now)
    }

    private init(handle: OpaquePointer, now: @escaping () -> Int64) {
        self.handle = handle
        self.now = now
    }

    deinit {
        ration_disk_destroy(handle)
    }

    /// The disk as the next process finds it. Whoever has this one open may go on with it, unseen.
    func after(_ crash: Crash, seed: UInt64) -> MemoryDisk {
        MemoryDisk(handle: ration_disk_crash(handle, crash.kind, seed), now: now)
    }

    /// Lets a crash come in the middle of the n-th change from now on.
    func arm(_ crash: Crash, after operations: UInt64, seed: UInt64) {
        ration_disk_arm_crash(handle, operations, crash.kind, seed)
    }

    var hasCrashed: Bool { ration_disk_has_crashed(handle) }
    var operations: UInt64 { ration_disk_operations(handle) }
    /// Of every change so far: kind, file, place and length.
    var traceHash: UInt64 { ration_disk_trace(handle) }

    /// Runs RocksDB's flushes and compactions that wait.
    @discardableResult
    func runJobs(atMost most: Int = .max) -> Int { ration_disk_run_jobs(handle, most) }

    var waitingJobs: Int { ration_disk_waiting_jobs(handle) }

    func use(in options: OpaquePointer) {
        ration_disk_use(handle, UnsafeMutableRawPointer(options))
    }

    var environment: (any RocksEnvironment)? { self }

    func milliseconds() -> Int64 { now() }
}

extension MemoryDisk {
    private func check(_ error: Int32, _ path: String, _ what: String) throws(StoreError) {
        guard error == 0 else { throw StoreError(system: error, path: path, what) }
    }

    func makeFolder(_ path: String) throws(StoreError) {
        let error = ration_disk_make_folder(handle, path)
        guard error != EEXIST else { return }
        try check(error, path, "cannot make the folder")
    }

    func syncFolder(_ path: String) throws(StoreError) {
        try check(ration_disk_sync_folder(handle, path), path, "cannot sync it")
    }

    func names(in folder: String) throws(StoreError) -> [String] {
        var names: [String] = []
        let error = withUnsafeMutablePointer(to: &names) { names in
            ration_disk_names(handle, folder, names) { context, name in
                guard let context, let name else { return }
                context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
            }
        }
        try check(error, folder, "cannot read the folder")
        return names
    }

    func isThere(_ path: String) -> Bool { ration_disk_exists(handle, path) }

    func read(_ path: String, atMost count: Int) throws(StoreError) -> [UInt8]? {
        guard isThere(path) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = ration_disk_read(handle, path, 0, &bytes, count)
        guard read >= 0 else { throw StoreError(system: Int32(-read), path: path, "cannot read it") }
        return Array(bytes.prefix(read))
    }

    func count(of path: String) throws(StoreError) -> UInt64 {
        let size = ration_disk_size(handle, path)
        guard size >= 0 else { throw StoreError(system: Int32(-size), path: path, "cannot look at it") }
        return UInt64(size)
    }

    func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = path + ".new"
        try check(
            ration_disk_write(handle, temporary, 0, bytes, bytes.count, true), temporary, "cannot write it")
        try check(ration_disk_sync(handle, temporary), temporary, "cannot write it")
        try check(ration_disk_rename(handle, temporary, path), path, "cannot rename \(temporary) to it")
    }

    func overwritten(_ path: String) throws(StoreError) -> any OverwrittenFile {
        try check(ration_disk_write(handle, path, 0, nil, 0, false), path, "cannot open it")
        return MemoryFile(disk: self, path: path)
    }

    func space(at folder: String) throws(StoreError) -> (free: UInt64, total: UInt64) {
        let (used, total) = (ration_disk_used_bytes(handle), capacity)
        return (total > used ? total - used : 0, total)
    }

    func reserve(_ path: String, bytes: Int) -> Bool {
        if ration_disk_reserve(handle, path, UInt64(bytes)) == 0 { return true }
        _ = remove(path)
        return false
    }

    func remove(_ path: String) -> Bool { ration_disk_remove(handle, path) == 0 }
}

/// Faults.
extension MemoryDisk {
    var capacity: UInt64 {
        get { ration_disk_capacity(handle) }
        set { ration_disk_set_capacity(handle, newValue) }
    }

    var usedBytes: UInt64 { ration_disk_used_bytes(handle) }

    /// The n-th append or sync from now on fails with EIO; 0: none does.
    func fail(append: UInt64 = 0, sync: UInt64 = 0) { ration_disk_fail(handle, append, sync) }

    func dropSyncs(ofFilesEnding suffix: String) { ration_disk_drop_syncs(handle, suffix, false) }

    func hideFailedSyncs() { ration_disk_hide_failed_syncs(handle) }

    /// A bit of what the n-th read from now on gives is flipped, or some of its bytes are 0.
    func spoil(read: UInt64, zeroes: Bool, seed: UInt64) { ration_disk_spoil_read(handle, read, zeroes, seed) }
}

/// Damage to what is stored.
extension MemoryDisk {
    /// The files of a folder, in the order of their names.
    func paths(in folder: String) -> [String] {
        do throws(StoreError) {
            return try names(in: folder).map { "\(folder)/\($0)" }.filter { size(of: $0) != nil }
        } catch {
            return []
        }
    }

    func size(of path: String) -> UInt64? {
        let size = ration_disk_size(handle, path)
        return size < 0 ? nil : UInt64(size)
    }

    func flip(_ path: String, at place: UInt64) { ration_disk_damage(handle, path, place, 0) }

    func zero(_ path: String, at place: UInt64, count: UInt64) { ration_disk_damage(handle, path, place, count) }

    func truncate(_ path: String, to count: UInt64) { ration_disk_truncate(handle, path, count) }
}

/// An overwritten file; its disk lives as long.
private final class MemoryFile: OverwrittenFile {
    private let disk: MemoryDisk
    private let path: String

    init(disk: MemoryDisk, path: String) {
        (self.disk, self.path) = (disk, path)
    }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        guard !disk.forgetsOverwrites else { return }
        let error = ration_disk_write(disk.handle, path, 0, bytes, bytes.count, false)
        guard error == 0 else { throw StoreError(system: error, path: path, "cannot write it") }
    }

    func sync() throws(StoreError) {
        let error = ration_disk_sync(disk.handle, path)
        guard error == 0 else { throw StoreError(system: error, path: path, "cannot sync it") }
    }
}
